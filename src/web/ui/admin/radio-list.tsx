import { useId } from 'react';
import { FieldError } from '../labeled-field.tsx';

export type RadioChoice<Value extends string> = Readonly<{ value: Value; text: string; about: string }>;

type RadioListProps<Value extends string> = {
  label: string;
  name: string;
  value: Value;
  onChange: (value: Value) => void;
  choices: readonly RadioChoice<Value>[];
  error?: string | undefined;
};

/** Radio buttons, each with a sentence that explains it. */
export function RadioList<Value extends string>(props: RadioListProps<Value>) {
  const { label, name, value, onChange, choices, error } = props;
  const id = useId();
  return (
    <fieldset className="flex min-w-0 flex-col gap-1.5" aria-describedby={error && `${id}-error`}>
      <legend className="mb-1.5 font-medium">{label}</legend>
      {choices.map((choice) => (
        <label
          key={choice.value}
          className="flex min-h-11 cursor-pointer items-start gap-3 rounded-lg px-2 py-2 transition-colors select-none hover:bg-wash"
        >
          <input
            type="radio"
            className="mt-0.5 size-5 shrink-0"
            style={{ accentColor: 'var(--color-brand)' }}
            name={name}
            value={choice.value}
            checked={value === choice.value}
            aria-describedby={`${id}-${choice.value}`}
            onChange={() => onChange(choice.value)}
          />
          <span className="min-w-0 wrap-anywhere">
            <span className="font-medium">{choice.text}</span>
            <span id={`${id}-${choice.value}`} className="block text-sm text-soft">
              {choice.about}
            </span>
          </span>
        </label>
      ))}
      {error !== undefined && <FieldError id={`${id}-error`} text={error} />}
    </fieldset>
  );
}
