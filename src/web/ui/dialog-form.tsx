import type { ReactNode } from 'react';
import { useTranslation } from '../i18n/translate.ts';
import { Button } from './button.tsx';
import { DialogActions } from './dialog.tsx';
import { FormErrors, type SentForm } from './form-errors.tsx';

type DialogFormProps = {
  children: ReactNode;
  /** The result of `useForm`. */
  form: SentForm;
  /** The text of the submit button, idle and busy; the default saves changes. */
  send?: Readonly<{ text: string; busyText?: string; isDanger?: boolean }>;
  onCancel: () => void;
  /** Opens the current version after somebody else has changed the record. */
  onReload?: () => void;
};

/** The form of a dialog: fields, form-level errors, and buttons. */
export function DialogForm({ children, form, send, onCancel, onReload }: DialogFormProps) {
  const { t } = useTranslation();
  const { text, busyText, isDanger = false } = send ?? { text: t('web:save'), busyText: t('web:saving') };
  return (
    <form onSubmit={form.onSubmit} noValidate className="flex flex-col gap-4">
      {children}
      <FormErrors form={form} onReload={onReload} />
      <DialogActions>
        <Button kind="plain" onPress={onCancel}>
          {t('web:cancel')}
        </Button>
        <Button
          kind={isDanger ? 'danger' : 'primary'}
          type="submit"
          isBusy={form.isSending}
          busyText={busyText}
        >
          {text}
        </Button>
      </DialogActions>
    </form>
  );
}
