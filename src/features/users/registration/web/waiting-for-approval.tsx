import { Hourglass } from 'lucide-react';
import { useId } from 'react';
import { useDistrict } from '#features/schools/district-settings/web/api.ts';
import { useTranslation } from '#web/i18n/translate.ts';
import { Badge } from '#web/ui/badge.tsx';
import { Button } from '#web/ui/button.tsx';
import { Card } from '#web/ui/card.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { usePageTitle } from '#web/ui/page-title.ts';
import type { User } from '../../contract.ts';
import { useProfileRefresh } from '../../web/api.ts';

/** Lists the schools that have not approved the user yet. Replaces the whole screen if the user has no other school. */
export function WaitingForApproval({ user }: { user: User }) {
  const { t } = useTranslation();
  const id = useId();
  const profile = useProfileRefresh();
  const isMailed = useDistrict().data?.hasNoMail !== true;
  const title = t('users:waitingTitle', { firstName: user.firstName });
  usePageTitle(user.schools.length > 0 ? undefined : title);
  if (user.schools.length > 0) {
    return (
      <Notice>
        {user.pendingSchools.map(({ id, name }) => (
          <p key={id}>{t('users:waitingFor', { school: name })}</p>
        ))}
      </Notice>
    );
  }
  return (
    <Card labelledBy={id}>
      <div className="flex max-w-184 flex-col gap-4">
        <div className="flex flex-col gap-1">
          <h2 id={id} className="text-xl font-semibold">
            {title}
          </h2>
          <p className="text-soft">{t('users:waitingHelp')}</p>
          {isMailed && (
            <p className="wrap-anywhere text-soft">{t('users:waitingConfirm', { email: user.email })}</p>
          )}
        </div>
        <ul className="divide-y divide-line rounded-xl border border-line">
          {user.pendingSchools.map(({ id, name }) => (
            <li key={id} className="flex flex-wrap items-center gap-2 px-4 py-2">
              <span className="min-w-0 grow font-medium wrap-anywhere">{name}</span>
              <Badge tone="notice" icon={<Hourglass aria-hidden="true" className="size-4" />}>
                {t('users:waiting')}
              </Badge>
            </li>
          ))}
        </ul>
        <div>
          <Button onPress={() => void profile.refresh()} isBusy={profile.isBusy}>
            {t('users:checkAgain')}
          </Button>
        </div>
      </div>
    </Card>
  );
}
