import { useState } from 'react';
import { CallError } from '#web/api/call.ts';
import { useTranslation } from '#web/i18n/translate.ts';
import { ConfirmDelete } from '#web/ui/admin/confirm-delete.tsx';

/** The extra field of a change for users whose address is unconfirmed. */
type Said = { unconfirmed?: true };
type Asked = { question: string; answer: (isSure: boolean) => void };

/**
 * Sends a change that approves users or grants rights. The server rejects it if an address is unconfirmed; then this asks for
 * confirmation and resends it with `unconfirmed`. Returns the function that sends, and the question to render.
 */
export function useUnverifiedEmailConfirm() {
  const { t } = useTranslation();
  const [asked, setAsked] = useState<Asked>();

  async function sendSure<Reply>(send: (said: Said) => Promise<Reply>): Promise<Reply> {
    try {
      return await send({});
    } catch (error) {
      const question = error instanceof CallError ? error.fields['unconfirmed'] : undefined;
      if (question === undefined) throw error;
      const isSure = await new Promise<boolean>((answer) => setAsked({ question, answer }));
      setAsked(undefined);
      if (!isSure) throw error;
      return send({ unconfirmed: true });
    }
  }

  const question = (
    <ConfirmDelete
      title={t('users:addressNotConfirmed')}
      question={asked?.question}
      confirmText={t('users:goOnAnyway')}
      onConfirm={async () => asked?.answer(true)}
      onClose={() => asked?.answer(false)}
    />
  );
  return { sendSure, question } as const;
}
