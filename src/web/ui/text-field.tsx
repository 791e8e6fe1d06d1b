import type { ReactNode, Ref } from 'react';
import { BOX, LabeledField, type LabeledFieldProps } from './labeled-field.tsx';

type TextFieldProps = LabeledFieldProps & {
  name: string;
  value: string;
  onChange: (value: string) => void;
  type?: 'text' | 'email' | 'password';
  autoComplete?: string;
  /** The type of on-screen keyboard. */
  inputMode?: 'text' | 'numeric';
  maxLength?: number;
  isDisabled?: boolean;
  /** Readable and copyable, but not editable. */
  isReadOnly?: boolean;
  isRequired?: boolean;
  /** The language of its text, if not the page's, for the spell checker. */
  lang?: string;
  /** Not prose: no automatic capitals, no autocorrect. */
  isPlain?: boolean;
  /** Shown inside the box at its end, such as the button that shows the password. */
  end?: ReactNode;
  ref?: Ref<HTMLInputElement>;
};

/** A single-line text field. */
export function TextField(props: TextFieldProps) {
  const {
    name,
    value,
    onChange,
    type = 'text',
    autoComplete,
    inputMode,
    maxLength,
    isDisabled,
    isReadOnly,
    isRequired,
    lang,
    isPlain = type !== 'text',
    end,
    ref,
    ...labelled
  } = props;
  return (
    <LabeledField {...labelled}>
      {(control) => (
        <div className="relative">
          <input
            {...control}
            ref={ref}
            className={`${BOX} h-12 read-only:bg-page ${end === undefined ? '' : 'pr-13'}`}
            name={name}
            lang={lang}
            type={type}
            value={value}
            onChange={(event) => onChange(event.currentTarget.value)}
            autoComplete={autoComplete}
            inputMode={inputMode}
            maxLength={maxLength}
            disabled={isDisabled}
            readOnly={isReadOnly}
            aria-required={isRequired}
            {...(isPlain ? { autoCapitalize: 'none', autoCorrect: 'off', spellCheck: false } : {})}
          />
          {end !== undefined && <div className="absolute inset-y-0 right-0.5 flex items-center">{end}</div>}
        </div>
      )}
    </LabeledField>
  );
}
