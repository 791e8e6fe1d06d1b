import { Check, Copy } from 'lucide-react';
import { useRef, useState } from 'react';
import { useTranslation } from '../../i18n/translate.ts';
import { IconButton } from '../button.tsx';
import { BOX, LabeledField } from '../labeled-field.tsx';
import { TextField } from '../text-field.tsx';

/** A text to copy exactly, of one or more lines, with a copy button. */
export function CopyField({ label, name, value }: { label: string; name: string; value: string }) {
  const { t } = useTranslation();
  const field = useRef<HTMLInputElement & HTMLTextAreaElement>(null);
  const [isCopied, setIsCopied] = useState(false);
  async function copy() {
    field.current?.select();
    try {
      await navigator.clipboard.writeText(value);
      setIsCopied(true);
    } catch {
      // Scripts can copy only over https. Otherwise select the text, so the user can copy it by hand.
      field.current?.focus();
    }
  }
  const button = (
    <IconButton
      label={t('web:copy', { name: label })}
      icon={
        isCopied ? (
          <Check aria-hidden="true" className="size-5 text-brand" />
        ) : (
          <Copy aria-hidden="true" className="size-5" />
        )
      }
      onPress={() => void copy()}
    />
  );
  return (
    <div>
      {value.includes('\n') ? (
        // A single-line field would copy all lines as one.
        <LabeledField label={label}>
          {(control) => (
            <div className="flex items-center gap-1">
              <textarea
                {...control}
                ref={field}
                className={`${BOX} field-sizing-content max-h-60 min-h-12 py-3 read-only:bg-page`}
                name={name}
                value={value}
                readOnly
              />
              {button}
            </div>
          )}
        </LabeledField>
      ) : (
        <TextField
          ref={field}
          label={label}
          name={name}
          value={value}
          onChange={() => undefined}
          isReadOnly
          isPlain
          end={button}
        />
      )}
      <p role="status" className="sr-only">
        {isCopied && t('web:copied')}
      </p>
    </div>
  );
}
