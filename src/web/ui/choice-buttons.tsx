import { type KeyboardEvent, useId } from 'react';
import { focusOnMount } from './focus-target.ts';
import { FieldError } from './labeled-field.tsx';

export type ChoiceButton = Readonly<{
  value: string;
  text: string;
  /** A word under the text, such as 'usual', that recommends the option without preselecting it. */
  hint?: string;
}>;

type ChoiceButtonsProps = {
  label: string;
  name: string;
  choices: readonly ChoiceButton[];
  value: string | undefined;
  onChange: (value: string) => void;
  error?: string | undefined;
  /** Lower and lighter, for a choice that is rarely changed. */
  isLight?: boolean;
  /** The option that takes the focus on mount. */
  focused?: string | undefined;
};

/**
 * A single choice as large buttons. They are radio buttons underneath: arrow keys select; Enter selects the focused
 * one, or submits the form if that one is already selected.
 */
export function ChoiceButtons(props: ChoiceButtonsProps) {
  const { label, name, choices, value, onChange, error, isLight = false, focused } = props;
  const id = useId();
  function chooseWithEnter(event: KeyboardEvent<HTMLInputElement>) {
    if (event.key !== 'Enter' || event.currentTarget.checked) return;
    event.preventDefault();
    onChange(event.currentTarget.value);
  }
  return (
    <fieldset
      className="flex min-w-0 flex-col gap-1.5"
      aria-describedby={error === undefined ? undefined : `${id}-error`}
      data-at-fault={error === undefined ? undefined : ''}
    >
      <legend className="mb-1.5 font-medium">{label}</legend>
      <div
        className={`gap-2 ${isLight ? 'flex flex-wrap' : 'grid grid-cols-[repeat(auto-fit,minmax(4.5rem,1fr))]'}`}
      >
        {choices.map((choice) => (
          <label
            key={choice.value}
            className={`figures relative flex cursor-pointer flex-col items-center justify-center rounded-xl border-2 px-1 py-1 text-center transition-colors ${isLight ? 'min-h-11 flex-1 font-medium' : 'min-h-14 text-lg font-semibold'} select-none hover:bg-wash has-checked:border-brand has-checked:bg-brand has-checked:text-on-brand has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-brand forced-colors:pt-7 forced-colors:has-checked:border-[Highlight] border-line bg-card`}
          >
            <input
              ref={choice.value === focused ? focusOnMount : undefined}
              type="radio"
              className="absolute inset-0 m-0 cursor-pointer appearance-none rounded-xl opacity-0 forced-colors:top-2 forced-colors:left-2 forced-colors:size-4 forced-colors:appearance-auto forced-colors:opacity-100"
              name={name}
              value={choice.value}
              checked={value === choice.value}
              onChange={() => onChange(choice.value)}
              onKeyDown={chooseWithEnter}
            />
            {choice.hint === undefined ? (
              choice.text
            ) : (
              <>
                <span className="whitespace-nowrap">{choice.text}</span>
                <span className="text-sm leading-4 font-medium">{choice.hint}</span>
              </>
            )}
          </label>
        ))}
      </div>
      {error !== undefined && <FieldError id={`${id}-error`} text={error} />}
    </fieldset>
  );
}
