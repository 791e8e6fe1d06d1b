import { Check } from 'lucide-react';

/** `lang`: the language of its text, if not the page's. */
export type Pill<Value> = Readonly<{ value: Value; text: string; lang?: string }>;

type FilterPillsProps<Value> = {
  label: string;
  choices: readonly Pill<Value>[];
  value: Value;
  onChange: (value: Value) => void;
};

/** Filters a list with a row of pills, one of them pressed. */
export function FilterPills<Value>({ label, choices, value, onChange }: FilterPillsProps<Value>) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset would need a visible legend
    <div role="group" aria-label={label} className="flex flex-wrap gap-2">
      {choices.map((choice) => (
        <button
          key={choice.text}
          type="button"
          lang={choice.lang}
          aria-pressed={choice.value === value}
          className="figures flex min-h-11 items-center gap-1 rounded-full border border-line px-3.5 text-dense font-medium transition-colors select-none hover:bg-wash aria-pressed:border-brand aria-pressed:bg-wash"
          onClick={() => onChange(choice.value)}
        >
          {choice.value === value && <Check aria-hidden="true" className="size-4 shrink-0" />}
          {choice.text}
        </button>
      ))}
    </div>
  );
}
