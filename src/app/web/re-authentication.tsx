import { answerProof, useProofAsked } from '#web/api/re-authentication.ts';
import { lazyDialog } from '#web/ui/lazy-screen.tsx';

const FreshProofDialog = lazyDialog<{ isOpen: boolean; onClose: () => void }>(async () => {
  await import('./volunteer-messages.ts');
  const { FreshProofDialog: Loaded } = await import(
    '#features/auth/re-authentication/web/re-authentication-dialog.tsx'
  );
  return () => <Loaded onDone={answerProof} />;
});

/** Asks for a fresh proof wherever a call needs one; loaded when that happens. */
export function FreshProof() {
  return useProofAsked() && <FreshProofDialog isOpen onClose={() => answerProof(false)} />;
}
