import { resolveRecentAuth, useRecentAuthRequested } from '#web/api/re-authentication.ts';
import { lazyDialog } from '#web/ui/lazy-screen.tsx';

const ReauthenticationDialog = lazyDialog<{ isOpen: boolean; onClose: () => void }>(async () => {
  await import('./volunteer-messages.ts');
  const { ReauthenticationDialog: Loaded } = await import(
    '#features/auth/re-authentication/web/re-authentication-dialog.tsx'
  );
  return () => <Loaded onDone={resolveRecentAuth} />;
});

/** Asks for a fresh proof wherever a call needs one; loaded when that happens. */
export function ReAuthentication() {
  return (
    useRecentAuthRequested() && <ReauthenticationDialog isOpen onClose={() => resolveRecentAuth(false)} />
  );
}
