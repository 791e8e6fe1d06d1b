import { ImagePlus, X } from 'lucide-react';
import { useEffect, useId, useMemo, useState } from 'react';
import type { Message } from '#shared/i18n/message.ts';
import type { FieldBinding } from '#web/forms/use-form.ts';
import { useTranslation } from '#web/i18n/translate.ts';
import { Button } from '#web/ui/button.tsx';
import { FileButton } from '#web/ui/file-button.tsx';
import { FieldError } from '#web/ui/labeled-field.tsx';
import { Logo } from '#web/ui/logo.tsx';
import { Progress } from '#web/ui/progress-bar.tsx';
import { LOGO } from '../admin-contract.ts';
import { messages } from '../contract.ts';

/** The effect of saving on the logo: keep it, remove it, or replace it with an image. */
export type LogoChoice = 'kept' | 'removed' | File;

const TYPES = ['image/jpeg', 'image/png', 'image/gif', 'image/webp', 'image/heic', 'image/heif'];
// Some systems know HEIC only by its file extension.
const HEIC_NAMES = ['.heic', '.heif'];

/** Returns what is wrong with an image before it is sent. The server checks the content. */
export function logoProblem(choice: LogoChoice): Message | undefined {
  if (typeof choice === 'string') return undefined;
  const isHeic = HEIC_NAMES.some((end) => choice.name.toLowerCase().endsWith(end));
  if (!TYPES.includes(choice.type) && !isHeic) return messages.logoType;
  return choice.size > LOGO.bytes ? messages.logoTooLarge : undefined;
}

type LogoFieldProps = FieldBinding<LogoChoice> & {
  /** The current logo. */
  current: string | null;
  /** Upload progress from 0 to 1 while the image is being sent. */
  sent: number | undefined;
};

/** A school's logo: a preview, and buttons to replace or remove it. */
export function LogoField({ value, onChange, error, current, sent }: LogoFieldProps) {
  const { t } = useTranslation();
  const id = useId();
  const preview = usePreview(value);
  const src = value === 'kept' ? current : preview;
  const isThere = value === 'kept' ? current !== null : value !== 'removed';
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset's legend can't be a flex item
    <div
      role="group"
      aria-labelledby={`${id}-label`}
      className="flex flex-col gap-1.5"
      data-at-fault={error === undefined ? undefined : ''}
    >
      <span id={`${id}-label`} className="font-medium">
        {t('schools:logo')}
      </span>
      <div className="flex flex-wrap items-center gap-4">
        <LogoPreview src={src} />
        <div className="flex min-w-0 grow basis-32 flex-wrap gap-2">
          <FileButton
            text={t(isThere ? 'schools:logoReplace' : 'schools:logoChoose')}
            icon={<ImagePlus aria-hidden="true" className="size-5" />}
            accept={[...TYPES, ...HEIC_NAMES].join(',')}
            describedBy={`${id}-hint`}
            onFiles={([file]) => file !== undefined && onChange(file)}
          />
          {isThere && (
            <Button
              kind="plain"
              icon={<X aria-hidden="true" className="size-5" />}
              onPress={() => onChange(current === null ? 'kept' : 'removed')}
            >
              {t('schools:logoRemove')}
            </Button>
          )}
        </div>
      </div>
      {sent !== undefined && <Progress label={t('schools:logoProgress')} share={sent} />}
      <p id={`${id}-hint`} className="text-sm text-soft">
        {t('schools:logoHint')}
      </p>
      <div role="alert">{error !== undefined && <FieldError id={`${id}-error`} text={error} />}</div>
      <p role="status" className="sr-only">
        {typeof value !== 'string' && t('schools:logoChosen', { name: value.name })}
      </p>
    </div>
  );
}

// A browser that cannot read the image (HEIC outside Safari) shows the default logo until the upload is done.
function LogoPreview({ src }: { src: string | null }) {
  const [broken, setBroken] = useState<string>();
  return (
    <span className="flex size-20 shrink-0 items-center justify-center rounded-xl border border-line bg-[white] p-2">
      {src !== null && src !== broken ? (
        <img src={src} alt="" className="max-h-full max-w-full rounded-lg" onError={() => setBroken(src)} />
      ) : (
        <Logo size="card" />
      )}
    </span>
  );
}

function usePreview(choice: LogoChoice): string | null {
  const url = useMemo(() => (typeof choice === 'string' ? null : URL.createObjectURL(choice)), [choice]);
  useEffect(() => () => (url === null ? undefined : URL.revokeObjectURL(url)), [url]);
  return url;
}
