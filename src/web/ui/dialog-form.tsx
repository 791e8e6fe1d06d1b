import type { ReactNode } from 'react';
import { useText } from '../lib/text.ts';
import { Button } from './button.tsx';
import { DialogActions } from './dialog.tsx';
import { FormFaults, type SentForm } from './form-faults.tsx';

type DialogFormProps = {
  children: ReactNode;
  /** What `useForm` gives. */
  form: SentForm;
  /** What sending it is called, and what is said meanwhile; it saves changes unless that is said. */
  send?: Readonly<{ text: string; busyText?: string; isDanger?: boolean }>;
  onCancel: () => void;
  /** Opens what is being changed anew, after somebody else has changed it. */
  onReload?: () => void;
};

/** The form of a dialog: fields, what is wrong with them as a whole, and the buttons. */
export function DialogForm({ children, form, send, onCancel, onReload }: DialogFormProps) {
  const { t } = useText();
  const { text, busyText, isDanger = false } = send ?? { text: t('web:save'), busyText: t('web:saving') };
  return (
    <form onSubmit={form.onSubmit} noValidate className="flex flex-col gap-4">
      {children}
      <FormFaults form={form} onReload={onReload} />
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
