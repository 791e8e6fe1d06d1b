import { failureText } from '#web/api/call.ts';
import { useTranslation } from '#web/i18n/translate.ts';
import { CopyField } from '#web/ui/admin/copy-field.tsx';
import { Button } from '#web/ui/button.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { notify } from '#web/ui/toasts.ts';
import { type NamedUser, useNewPasswordLink } from './admin-api.ts';

/** A link that is not emailed: the server's message, and the link to pass on. */
export type ShareableLink = Readonly<{ message: string; label: string; link: string }>;

type ReadyLinkDialogProps = { title: string; ready: ShareableLink | undefined; onClose: () => void };

/** Shows a link to copy and pass on, if no mail server is configured. */
export function ShareableLinkDialog({ title, ready, onClose }: ReadyLinkDialogProps) {
  return (
    <Dialog title={title} isOpen={ready !== undefined} onClose={onClose}>
      {ready !== undefined && (
        <div className="flex flex-col gap-4">
          <p className="wrap-anywhere">{ready.message}</p>
          <CopyField label={ready.label} name="readyLink" value={ready.link} />
          <OnlyHere link={ready.link} />
        </div>
      )}
    </Dialog>
  );
}

const LOOPBACK = /\bhttps?:\/\/(localhost\b|127\.|\[::1\])/;

/** Warns that a link works only on the server itself while PUBLIC_URL is not set. */
function OnlyHere({ link }: { link: string }) {
  const { t } = useTranslation();
  return LOOPBACK.test(link) && <Notice>{t('users:onlyHere')}</Notice>;
}

type NewLinkProps = {
  user: NamedUser;
  hasNoMail: boolean;
  /** Shows the link if it is not emailed. */
  onLink: (made: { email: string; link: string }) => void;
};

/** In the form of a user who has never signed in: creates a new link to choose a password. */
export function NewLink({ user, hasNoMail, onLink }: NewLinkProps) {
  const { t } = useTranslation();
  const make = useNewPasswordLink();
  async function press() {
    try {
      const { message, link } = await make.mutateAsync(user.id);
      notify.success(message);
      if (link !== null) onLink({ email: user.email, link });
    } catch (error) {
      notify.failure(failureText(error));
    }
  }
  return (
    <Notice>
      <p className="mb-3">{t('users:neverSignedIn')}</p>
      <Button onPress={() => void press()} isBusy={make.isPending}>
        {t(hasNoMail ? 'users:newLink' : 'users:newLinkMail')}
      </Button>
    </Notice>
  );
}
