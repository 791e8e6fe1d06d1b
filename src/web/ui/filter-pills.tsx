export type Pill<Value> = Readonly<{ value: Value; text: string }>;

type FilterPillsProps<Value> = {
  label: string;
  choices: readonly Pill<Value>[];
  value: Value;
  onChange: (value: Value) => void;
};

/** What a list shows, as a row of pills of which one is pressed. */
export function FilterPills<Value>({ label, choices, value, onChange }: FilterPillsProps<Value>) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset would ask for a legend that everybody sees
    <div role="group" aria-label={label} className="flex flex-wrap gap-x-2">
      {choices.map((choice) => (
        <button
          key={choice.text}
          type="button"
          aria-pressed={choice.value === value}
          className="group flex min-h-11 items-center rounded-full select-none"
          onClick={() => onChange(choice.value)}
        >
          <span className="figures rounded-full border border-line px-3 py-1 text-dense font-medium transition-colors group-hover:bg-wash group-aria-pressed:border-brand group-aria-pressed:bg-wash group-aria-pressed:text-brand forced-colors:group-aria-pressed:border-[Highlight] forced-colors:group-aria-pressed:underline">
            {choice.text}
          </span>
        </button>
      ))}
    </div>
  );
}
