import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { CardPage, CardTitle } from '#features/schools/district-settings/web/card-page.tsx';
import { dayIn, formatDay } from '#shared/calendar-date.ts';
import type { ReplyOf } from '#shared/endpoint.ts';
import { useTranslation } from '#web/i18n/translate.ts';
import { Button, LinkButton } from '#web/ui/button.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { Notice } from '#web/ui/notice.tsx';
import type { getSecondFactor } from '../contract.ts';
import { Passkeys } from './passkeys.tsx';
import { TWO_FACTOR_NOTICE } from './two-factor-notice.ts';
import { TwoFactorSection } from './two-factor-section.tsx';

type Shown = Readonly<{ zone: string; onLogout: () => void }>;

type Needed = Readonly<{
  isOverdue: boolean;
  neededFrom: NonNullable<ReplyOf<typeof getSecondFactor>['neededFrom']>;
}>;

/** Asks the user to set up a second factor, above the screens or instead of them. */
export function showRequiredTwoFactor({ isOverdue, neededFrom }: Needed) {
  return ({ zone, onLogout }: Shown) =>
    isOverdue
      ? { instead: <Overdue zone={zone} onLogout={onLogout} /> }
      : { notice: <Soon zone={zone} by={neededFrom} /> };
}

function Overdue({ zone, onLogout }: Shown) {
  const { t } = useTranslation();
  return (
    <CardPage isFixed links={<LinkButton onPress={onLogout}>{t('auth:logout')}</LinkButton>}>
      <section className="flex flex-col gap-4">
        <CardTitle>{t('two-factor:neededTitle')}</CardTitle>
        <p>{t('two-factor:neededNow')}</p>
        <SetUp zone={zone} isWide />
      </section>
    </CardPage>
  );
}

function Soon({ zone, by }: { zone: string; by: Parameters<typeof dayIn>[1] }) {
  const { t, language } = useTranslation();
  return (
    <aside
      aria-label={t('two-factor:neededTitle')}
      className="mx-auto w-full max-w-360 px-4 py-2 print:hidden"
    >
      <Notice>
        <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
          <p className="min-w-0 flex-1 basis-60">
            {t('two-factor:neededSoon', { when: formatDay(dayIn(zone, by), language) })}
          </p>
          <SetUp zone={zone} />
        </div>
      </Notice>
    </aside>
  );
}

// Shows only this section of Account Settings, because the server rejects the others until a second factor is set up.
function SetUp({ zone, isWide = false }: { zone: string; isWide?: boolean }) {
  const { t } = useTranslation();
  const client = useQueryClient();
  const [isOpen, setIsOpen] = useState(false);
  function close() {
    setIsOpen(false);
    void client.invalidateQueries({ queryKey: TWO_FACTOR_NOTICE });
  }
  return (
    <>
      <Button kind={isWide ? 'primary' : 'quiet'} isWide={isWide} onPress={() => setIsOpen(true)}>
        {t('two-factor:neededSetUp')}
      </Button>
      <Dialog title={t('users:settingsTitle')} isOpen={isOpen} onClose={close}>
        <div className="flex flex-col gap-6">
          <TwoFactorSection zone={zone} />
          <Passkeys zone={zone} />
        </div>
      </Dialog>
    </>
  );
}
