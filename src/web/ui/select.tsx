import { ChevronDown } from 'lucide-react';
import { BOX, LabeledField, type LabeledFieldProps } from './labeled-field.tsx';

/** `lang`: the language of its text, if not the page's. */
export type Choice = Readonly<{ value: string; text: string; lang?: string }>;

type SelectProps = LabeledFieldProps & {
  name: string;
  value: string;
  onChange: (value: string) => void;
  choices: readonly Choice[];
  /** Shown while nothing is chosen. */
  prompt?: string;
};

/** A native select. */
export function Select({ name, value, onChange, choices, prompt, ...labelled }: SelectProps) {
  return (
    <LabeledField {...labelled}>
      {(control) => (
        <div className="relative">
          <select
            {...control}
            className={`${BOX} h-12 appearance-none truncate pr-10`}
            name={name}
            value={value}
            onChange={(event) => onChange(event.currentTarget.value)}
          >
            <Choices choices={choices} prompt={prompt} />
          </select>
          <ChevronDown
            aria-hidden="true"
            className="pointer-events-none absolute inset-y-0 right-3 my-auto size-5 text-soft"
          />
        </div>
      )}
    </LabeledField>
  );
}

/** A native select without a frame, for a header: plain text with a small arrow. */
export function InlineSelect({
  label,
  value,
  onChange,
  choices,
}: {
  label: string;
  value: string;
  onChange: (value: string) => void;
  choices: readonly Choice[];
}) {
  return (
    <span className="relative inline-flex min-w-0 max-w-full items-center rounded-md hover:text-ink">
      <select
        aria-label={label}
        className="field-sizing-content min-h-11 min-w-0 max-w-full appearance-none truncate rounded-md bg-transparent pr-5 font-medium"
        value={value}
        onChange={(event) => onChange(event.currentTarget.value)}
      >
        <Choices choices={choices} />
      </select>
      <ChevronDown aria-hidden="true" className="pointer-events-none absolute right-0 size-4" />
    </span>
  );
}

/** The options of a native select; `prompt` is the one without a value. */
export function Choices({ choices, prompt }: { choices: readonly Choice[]; prompt?: string | undefined }) {
  return (
    <>
      {prompt !== undefined && <option value="">{prompt}</option>}
      {choices.map((choice) => (
        <option key={choice.value} value={choice.value} lang={choice.lang}>
          {choice.text}
        </option>
      ))}
    </>
  );
}
