import { RotateCw } from 'lucide-react';
import type { FormEvent } from 'react';
import { commonMessages } from '#shared/common-messages.ts';
import { useTranslation } from '../i18n/translate.ts';
import { Button } from './button.tsx';
import { FormMessage } from './notice.tsx';

/** The part of `useForm` that a form needs around its fields. */
export type SentForm = Readonly<{
  onSubmit: (event: FormEvent<HTMLFormElement>) => Promise<void>;
  isSending: boolean;
  message: string | undefined;
  summary: string | undefined;
}>;

type FormErrorsProps = {
  form: SentForm;
  /** Opens the current version after somebody else has changed the record. */
  onReload?: (() => void) | undefined;
};

/** Form-level errors, with a reload button if somebody else saved first. */
export function FormErrors({ form, onReload }: FormErrorsProps) {
  const { t, say } = useTranslation();
  return (
    <>
      <FormMessage message={form.message} summary={form.summary} />
      {onReload !== undefined && form.message === say(commonMessages.changedElsewhere) && (
        <Button isWide onPress={onReload} icon={<RotateCw aria-hidden="true" className="size-4" />}>
          {t('web:reload')}
        </Button>
      )}
    </>
  );
}
