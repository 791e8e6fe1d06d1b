import { Search, X } from 'lucide-react';
import type { KeyboardEvent, Ref } from 'react';
import { useTranslation } from '../i18n/translate.ts';
import { IconButton } from './button.tsx';
import { BOX } from './labeled-field.tsx';

type SearchFieldProps = {
  label: string;
  value: string;
  onChange: (value: string) => void;
  /** Picks the search result when there is only one. */
  onEnter?: () => void;
  ref?: Ref<HTMLInputElement>;
};

/**
 * A search box; `label` is its accessible name and its placeholder. Enter never submits the surrounding form, and
 * Escape clears the text before it closes anything.
 */
export function SearchField({ label, value, onChange, onEnter, ref }: SearchFieldProps) {
  const { t } = useTranslation();
  function onKeyDown(event: KeyboardEvent) {
    if (event.key === 'Enter') {
      event.preventDefault();
      // While an input method is composing a word, Enter does not select.
      if (!event.nativeEvent.isComposing) onEnter?.();
    }
    if (event.key === 'Escape' && value !== '') {
      event.preventDefault();
      event.stopPropagation();
      onChange('');
    }
  }
  return (
    <div className="relative">
      <Search
        aria-hidden="true"
        className="pointer-events-none absolute inset-y-0 left-3.5 my-auto size-5 text-soft"
      />
      <input
        ref={ref}
        type="search"
        className={`${BOX} h-12 appearance-none pr-12 pl-11 [&::-webkit-search-cancel-button]:hidden`}
        aria-label={label}
        placeholder={label}
        value={value}
        onChange={(event) => onChange(event.currentTarget.value)}
        onKeyDown={onKeyDown}
        autoComplete="off"
        enterKeyHint="search"
      />
      {value !== '' && (
        <div className="absolute inset-y-0 right-0.5 flex items-center">
          <IconButton
            label={t('web:clearSearch')}
            icon={<X className="size-5" />}
            onPress={() => onChange('')}
          />
        </div>
      )}
    </div>
  );
}
