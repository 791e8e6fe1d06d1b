import { useId } from 'react';
import { BOX, LabeledField, type LabeledFieldProps } from '../labeled-field.tsx';

type SuggestFieldProps = LabeledFieldProps & {
  name: string;
  value: string;
  onChange: (value: string) => void;
  /** What the browser suggests while typing. */
  suggestions: readonly string[];
  maxLength: number;
};

/** A text field that suggests known values and accepts any text. */
export function SuggestField(props: SuggestFieldProps) {
  const { name, value, onChange, suggestions, maxLength, ...labelled } = props;
  const id = useId();
  return (
    <LabeledField {...labelled}>
      {(control) => (
        <>
          <input
            {...control}
            className={`${BOX} h-12`}
            name={name}
            list={id}
            value={value}
            onChange={(event) => onChange(event.currentTarget.value)}
            maxLength={maxLength}
            autoComplete="off"
          />
          <datalist id={id}>
            {suggestions.map((suggestion) => (
              <option key={suggestion} value={suggestion} />
            ))}
          </datalist>
        </>
      )}
    </LabeledField>
  );
}
