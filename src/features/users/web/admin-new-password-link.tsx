import { failureText } from '#web/api/call.ts';
import { useTranslation } from '#web/i18n/translate.ts';
import { Button } from '#web/ui/button.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { notify } from '#web/ui/toasts.ts';
import { type NamedUser, useNewPasswordLink } from './admin-api.ts';

type NewLinkProps = {
  user: NamedUser;
  hasNoMail: boolean;
  /** Shows the link, where no letter brings it. */
  onLink: (made: { email: string; link: string }) => void;
};

/** In the form of somebody who has never signed in: makes a new link to choose a password. */
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
