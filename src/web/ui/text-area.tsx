import { CharacterCount } from './character-count.tsx';
import { BOX, LabeledField, type LabeledFieldProps } from './labeled-field.tsx';

type TextAreaProps = LabeledFieldProps & {
  name: string;
  value: string;
  onChange: (value: string) => void;
  /** The limit in characters; the count shows from 80 % on. */
  max: number;
  rows?: number;
  /** Tall from the start, such as for a pasted list. */
  isTall?: boolean;
  isAlwaysCounted?: boolean;
  isRequired?: boolean;
  /** The language of its text, if not the page's, for the spell checker. */
  lang?: string;
};

/** A multi-line text field. It grows with its content where the browser supports that. */
export function TextArea({
  name,
  value,
  onChange,
  max,
  rows = 2,
  isTall = false,
  isRequired,
  lang,
  isAlwaysCounted = false,
  ...labelled
}: TextAreaProps) {
  return (
    <div className="flex flex-col gap-1">
      <LabeledField {...labelled}>
        {(control) => (
          <textarea
            {...control}
            className={`${BOX} field-sizing-content resize-y py-3 ${isTall ? 'max-h-100 min-h-44' : 'max-h-60 min-h-12'}`}
            name={name}
            lang={lang}
            rows={rows}
            value={value}
            onChange={(event) => onChange(event.currentTarget.value)}
            maxLength={max}
            aria-required={isRequired}
          />
        )}
      </LabeledField>
      <CharacterCount count={value.length} max={max} isAlwaysShown={isAlwaysCounted} />
    </div>
  );
}
