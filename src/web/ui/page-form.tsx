import type { ReactNode } from 'react';
import { Button } from './button.tsx';
import { FormErrors, type SentForm } from './form-errors.tsx';

type PageFormProps = {
  children: ReactNode;
  /** The result of `useForm`. */
  form: SentForm;
  /** The text of the submit button, idle and busy. */
  send: Readonly<{ text: string; busyText?: string }>;
  /** Makes the button as wide as the fields, as on a card. */
  isWide?: boolean;
};

/** The form of a page or section: fields, form-level errors, and a submit button. */
export function PageForm({ children, form, send: { text, busyText }, isWide = false }: PageFormProps) {
  return (
    <form noValidate className="flex flex-col gap-4" onSubmit={form.onSubmit}>
      {children}
      <FormErrors form={form} />
      <div>
        <Button kind="primary" type="submit" isWide={isWide} isBusy={form.isSending} busyText={busyText}>
          {text}
        </Button>
      </div>
    </form>
  );
}
