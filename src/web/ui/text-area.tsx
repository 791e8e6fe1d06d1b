import { useText } from '../lib/text.ts';
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
  const { t } = useText();
  const count = value.length;
  const isNear = count >= max * 0.8;
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
      <p
        role="status"
        className={`figures text-right text-sm ${count >= max ? 'font-medium text-danger' : 'text-soft'}`}
      >
        {isNear && t('web:charactersUsed', { count, max })}
      </p>
    </div>
  );
}
