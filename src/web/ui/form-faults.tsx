import { RotateCw } from 'lucide-react';
import type { FormEvent } from 'react';
import { baseMessages } from '#base/messages.ts';
import { useText } from '../lib/text.ts';
import { Button } from './button.tsx';
import { FormMessage } from './notice.tsx';

/** What of `useForm` a form needs around its fields. */
export type SentForm = Readonly<{
  onSubmit: (event: FormEvent<HTMLFormElement>) => Promise<void>;
  isSending: boolean;
  message: string | undefined;
  summary: string | undefined;
}>;

type FormFaultsProps = {
  form: SentForm;
  /** Opens what is being changed anew, after somebody else has changed it. */
  onReload?: (() => void) | undefined;
};

/** What is wrong with a form as a whole, and the way out when somebody else was quicker. */
export function FormFaults({ form, onReload }: FormFaultsProps) {
  const { t, say } = useText();
  return (
    <>
      <FormMessage message={form.message} summary={form.summary} />
      {onReload !== undefined && form.message === say(baseMessages.changedElsewhere) && (
        <Button isWide onPress={onReload} icon={<RotateCw aria-hidden="true" className="size-4" />}>
          {t('web:reload')}
        </Button>
      )}
    </>
  );
}
