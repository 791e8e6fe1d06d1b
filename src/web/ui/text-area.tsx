import { CharacterCount } from './character-count.tsx';
import { BOX, Labelled, type LabelledProps } from './labelled.tsx';

type TextAreaProps = LabelledProps & {
  name: string;
  value: string;
  onChange: (value: string) => void;
  /** The limit in characters; how many are used shows from 80 % on. */
  max: number;
  rows?: number;
  isRequired?: boolean;
};

/** Several lines of text. It grows with them where the browser can. */
export function TextArea({ name, value, onChange, max, rows = 2, isRequired, ...labelled }: TextAreaProps) {
  return (
    <div className="flex flex-col gap-1">
      <Labelled {...labelled}>
        {(control) => (
          <textarea
            {...control}
            className={`${BOX} field-sizing-content max-h-60 min-h-12 resize-y py-3`}
            name={name}
            rows={rows}
            value={value}
            onChange={(event) => onChange(event.currentTarget.value)}
            maxLength={max}
            aria-required={isRequired}
          />
        )}
      </Labelled>
      <CharacterCount count={value.length} max={max} />
    </div>
  );
}
