import { useId } from 'react';
import { BOX, type LabeledFieldProps, Labelled } from '../labeled-field.tsx';

type SuggestFieldProps = LabeledFieldProps & {
  name: string;
  value: string;
  onChange: (value: string) => void;
  /** What the browser offers while somebody types. */
  suggestions: readonly string[];
  maxLength: number;
};

/** A text field that offers what is known already, and takes anything. */
export function SuggestField(props: SuggestFieldProps) {
  const { name, value, onChange, suggestions, maxLength, ...labelled } = props;
  const id = useId();
  return (
    <Labelled {...labelled}>
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
    </Labelled>
  );
}
