import { resolveRecentAuth, useRecentAuthRequested } from '#web/api/re-authentication.ts';
import { lazyDialog } from '#web/ui/lazy-screen.tsx';

const ReauthenticationDialog = lazyDialog<{ isOpen: boolean; onClose: () => void }>(async () => {
  await import('./volunteer-messages.ts');
  const { ReauthenticationDialog: Loaded } = await import(
    '#features/auth/re-authentication/web/re-authentication-dialog.tsx'
  );
  return () => <Loaded onDone={resolveRecentAuth} />;
});

/** The re-authentication dialog, loaded when a call first needs it. */
export function ReAuthentication() {
  return (
    useRecentAuthRequested() && <ReauthenticationDialog isOpen onClose={() => resolveRecentAuth(false)} />
  );
}
