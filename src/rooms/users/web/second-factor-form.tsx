import { call } from '#web/lib/call.ts';
import { useText } from '#web/lib/text.ts';
import { useForm } from '#web/lib/use-form.ts';
import { Button } from '#web/ui/button.tsx';
import { FormMessage } from '#web/ui/notice.tsx';
import { TextField } from '#web/ui/text-field.tsx';
import { messages } from '../contract.ts';
import { SecondFactorInput, secondFactor } from '../second-factor-contract.ts';
import { useStartSession } from './api.ts';

type SecondFactorFormProps = {
  challenge: string;
  isRecovery: boolean;
  onSignedIn?: (() => void) | undefined;
};

/** One field for the code, of the app or a recovery code. */
export function SecondFactorForm({ challenge, isRecovery, onSignedIn }: SecondFactorFormProps) {
  const { t } = useText();
  const start = useStartSession();
  const form = useForm({
    schema: SecondFactorInput,
    initial: { challenge, code: '' },
    send: async (body) => {
      start(await call(secondFactor, { body }));
      onSignedIn?.();
    },
    failed: messages.loginFailed,
    whenLeft: 'no loss',
  });
  return (
    <form noValidate className="flex flex-col gap-4" onSubmit={form.onSubmit}>
      <TextField
        {...form.field('code')}
        label={t(isRecovery ? 'second-proof:recoveryCode' : 'second-proof:code')}
        autoComplete={isRecovery ? 'off' : 'one-time-code'}
        inputMode={isRecovery ? 'text' : 'numeric'}
        isPlain
        isRequired
      />
      <FormMessage message={form.message} summary={form.summary} />
      <Button kind="primary" type="submit" isWide isBusy={form.isSending} busyText={t('users:signingIn')}>
        {t('users:signIn')}
      </Button>
    </form>
  );
}
