import { Search, X } from 'lucide-react';
import { useText } from '../lib/text.ts';
import { IconButton } from './button.tsx';
import { BOX } from './labelled.tsx';

/** A search text; `label` is its name and stands in the empty box. */
export function SearchField({
  label,
  value,
  onChange,
}: {
  label: string;
  value: string;
  onChange: (value: string) => void;
}) {
  const { t } = useText();
  return (
    <div className="relative">
      <Search
        aria-hidden="true"
        className="pointer-events-none absolute inset-y-0 left-3.5 my-auto size-5 text-soft"
      />
      <input
        type="search"
        className={`${BOX} h-12 appearance-none pr-12 pl-11 [&::-webkit-search-cancel-button]:hidden`}
        aria-label={label}
        placeholder={label}
        value={value}
        onChange={(event) => onChange(event.currentTarget.value)}
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
