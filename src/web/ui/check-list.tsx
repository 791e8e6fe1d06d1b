import { X } from 'lucide-react';
import { type ReactNode, useId, useState } from 'react';
import { foldForSearch, searchWords } from '#shared/text-normalization.ts';
import { useTranslation } from '../i18n/translate.ts';
import { Checkbox } from './checkbox.tsx';
import { FieldError } from './labeled-field.tsx';
import { SearchField } from './search-field.tsx';

type CheckListProps = {
  label: string;
  hint?: string | undefined;
  /** The label of the search box, such as 'Search schools'. */
  searchLabel: string;
  /** Shown when the search finds nothing. */
  noMatch: string;
  name: string;
  /** `picture` is shown before the name; `note`, such as 'waiting for approval', after it. */
  choices: readonly Readonly<{ id: number; name: string; picture?: ReactNode; note?: ReactNode }>[];
  value: readonly number[];
  onChange: (value: number[]) => void;
  error?: string | undefined;
  isErrorRepeated?: boolean | undefined;
};

// Shorter lists have no search box.
const SEARCH_FROM = 7;

/**
 * A multi-select list: the selected items as chips at the top, a search box, and a row with a checkbox for each item.
 */
export function CheckList(props: CheckListProps) {
  const {
    label,
    hint,
    searchLabel,
    noMatch,
    name,
    choices,
    value,
    onChange,
    error,
    isErrorRepeated = false,
  } = props;
  const { t } = useTranslation();
  const id = useId();
  const [search, setSearch] = useState('');
  const words = searchWords(search);
  const found = choices.filter(({ name }) => words.every((word) => foldForSearch(name).includes(word)));
  const chosen = choices.filter((choice) => value.includes(choice.id));
  const choose = (choice: number, isChosen: boolean) =>
    onChange(isChosen ? [...value, choice] : value.filter((other) => other !== choice));
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset's legend can't be a flex item
    <div
      role="group"
      aria-labelledby={`${id}-label`}
      aria-describedby={error !== undefined ? `${id}-error` : hint && `${id}-hint`}
      className="flex flex-col gap-1.5"
    >
      <span id={`${id}-label`} className="font-medium">
        {label}
      </span>
      {hint !== undefined && (
        <p id={`${id}-hint`} className="text-sm text-soft">
          {hint}
        </p>
      )}
      {choices.length >= SEARCH_FROM && chosen.length > 0 && (
        <ul className="flex flex-wrap gap-2">
          {chosen.map((choice) => (
            <li key={choice.id} className="max-w-full">
              <button
                type="button"
                className="flex min-h-11 max-w-full items-center gap-1.5 rounded-full bg-wash pr-3 pl-4 text-left text-dense font-medium transition-colors hover:bg-line"
                aria-label={t('web:remove', { name: choice.name })}
                onClick={() => choose(choice.id, false)}
              >
                <span className="min-w-0 wrap-anywhere">{choice.name}</span>
                <X aria-hidden="true" className="size-4 shrink-0 text-soft" />
              </button>
            </li>
          ))}
        </ul>
      )}
      {choices.length >= SEARCH_FROM && (
        <SearchField label={searchLabel} value={search} onChange={setSearch} />
      )}
      {/* Half of a sixth row is visible, so users see that the list scrolls. */}
      <div
        className={`max-h-62 overflow-y-auto rounded-xl border p-1.5 ${error === undefined ? 'border-field' : 'border-danger thick-edge'}`}
      >
        {found.map((choice) => (
          <Checkbox
            key={choice.id}
            name={name}
            isSelected={value.includes(choice.id)}
            onChange={(isChosen) => choose(choice.id, isChosen)}
            isAtFault={error !== undefined}
            describedBy={error === undefined ? undefined : `${id}-error`}
          >
            {choice.picture === undefined ? (
              choice.name
            ) : (
              <span className="inline-flex items-center gap-2 align-middle">
                {choice.picture} {choice.name}
              </span>
            )}{' '}
            {choice.note}
          </Checkbox>
        ))}
        {found.length === 0 && <p className="px-2 py-3 text-soft">{noMatch}</p>}
      </div>
      {error !== undefined && <FieldError id={`${id}-error`} text={error} isQuiet={isErrorRepeated} />}
    </div>
  );
}
