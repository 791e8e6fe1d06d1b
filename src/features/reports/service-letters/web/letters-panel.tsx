import { CircleAlert } from 'lucide-react';
import { useState } from 'react';
import type { PublicSchool } from '#features/schools/contract.ts';
import type { District } from '#features/schools/district-settings/contract.ts';
import { type CalendarDate, formatDay } from '#shared/calendar-date.ts';
import { formatHours } from '#shared/hours.ts';
import type { Id } from '#shared/id.ts';
import { failureText } from '#web/api/call.ts';
import { saveFrom } from '#web/api/download.ts';
import { useForm } from '#web/forms/use-form.ts';
import { useTranslation } from '#web/i18n/translate.ts';
import { Badge } from '#web/ui/badge.tsx';
import { Button } from '#web/ui/button.tsx';
import { Card } from '#web/ui/card.tsx';
import { ConfirmRemove } from '#web/ui/confirm-remove.tsx';
import { ListEnd } from '#web/ui/list-end.tsx';
import { PageForm } from '#web/ui/page-form.tsx';
import { QueryStatus } from '#web/ui/query-error.tsx';
import { notify } from '#web/ui/toasts.ts';
import { type Letter, LetterInput, messages } from '../contract.ts';
import { useIssueLetter, useLetters, useWithdrawLetter } from './api.ts';
import { firstDraft, LetterFields } from './letter-form-fields.tsx';

type LettersOfProps = {
  /** The person the letters are about; the viewer by default. */
  userId?: Id;
  schools: readonly Pick<PublicSchool, 'id' | 'name'>[];
  /** The initially selected school; null for all. */
  schoolId: Id | null;
  district: District;
  mayWithdraw: boolean;
};

/** A form that issues a letter about a person, and their earlier letters. */
export function LettersPanel({ userId, schools, schoolId, district, mayWithdraw }: LettersOfProps) {
  return (
    <div className="flex flex-col gap-6">
      <LetterForm userId={userId} schools={schools} schoolId={schoolId} district={district} />
      <IssuedLetters userId={userId} mayWithdraw={mayWithdraw} />
    </div>
  );
}

function LetterForm({
  userId,
  schools,
  schoolId,
  district,
}: Pick<LettersOfProps, 'schools' | 'schoolId' | 'district'> & { userId: Id | undefined }) {
  const { t } = useTranslation();
  const issue = useIssueLetter();
  const form = useForm({
    schema: LetterInput,
    initial: firstDraft(district, schoolId),
    whenLeft: 'no loss',
    send: async (body) => {
      const { letter, url } = await issue.mutateAsync({ ...body, userId: userId ?? null });
      saveFrom(url);
      notify.success(t('service-letters:made', { code: letter.code }));
    },
  });
  return (
    <Card>
      <PageForm form={form} send={{ text: t('service-letters:make'), busyText: t('service-letters:making') }}>
        <LetterFields
          fields={{
            schoolId: form.field('schoolId'),
            startDate: form.field('startDate'),
            endDate: form.field('endDate'),
            withDates: form.field('withDates'),
            language: form.field('language'),
          }}
          schools={schools}
          today={district.today}
        />
      </PageForm>
    </Card>
  );
}

function IssuedLetters({ userId, mayWithdraw }: { userId: Id | undefined; mayWithdraw: boolean }) {
  const { t } = useTranslation();
  const list = useLetters(userId);
  const [leaving, setLeaving] = useState<Letter>();
  return (
    <section className="flex flex-col gap-3">
      <h3 className="text-lg font-semibold">{t('service-letters:issuedTitle')}</h3>
      <QueryStatus text={messages.failedToLoad} query={list} rows={3} />
      {list.data?.length === 0 && <p className="text-soft">{t('service-letters:none')}</p>}
      {list.data !== undefined && list.data.length > 0 && (
        <ul className="divide-y divide-line rounded-card border border-line bg-card">
          {list.data.map((letter) => (
            <LetterRow
              key={letter.id}
              letter={letter}
              onWithdraw={mayWithdraw ? () => setLeaving(letter) : undefined}
            />
          ))}
        </ul>
      )}
      <ListEnd list={list} failure={failureText(list.error, messages.failedToLoad)} />
      <WithdrawDialog letter={leaving} onClose={() => setLeaving(undefined)} />
    </section>
  );
}

function LetterRow({ letter, onWithdraw }: { letter: Letter; onWithdraw: (() => void) | undefined }) {
  const { t, language } = useTranslation();
  const day = (date: CalendarDate) => formatDay(date, language);
  const isWithdrawn = letter.withdrawnAt !== null;
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1 px-4 py-3">
      <div className="figures min-w-0 wrap-anywhere">
        <p className="flex flex-wrap items-center gap-1 font-medium">
          <span className="pr-1">{letter.code}</span>{' '}
          {isWithdrawn && <Badge tone="danger">{t('service-letters:badgeWithdrawn')}</Badge>}
          {letter.hasChanged && (
            <Badge tone="notice" icon={<CircleAlert aria-hidden="true" className="size-3.5" />}>
              {t('service-letters:badgeChanged')}
            </Badge>
          )}
          {letter.isRenamed && (
            <Badge tone="notice" icon={<CircleAlert aria-hidden="true" className="size-3.5" />}>
              {t('service-letters:badgeRenamed')}
            </Badge>
          )}
        </p>
        <p>
          {t('service-letters:rowHours', { count: letter.hours, hours: formatHours(letter.hours, language) })}
          {' · '}
          {t('service-letters:row', { from: day(letter.startDate), to: day(letter.endDate) })}
        </p>
        {letter.hasChanged && (
          <p className="text-dense text-notice">
            {letter.hoursNow === letter.hours
              ? t('service-letters:changedDays')
              : t('service-letters:changedNow', {
                  count: letter.hoursNow ?? 0,
                  hours: formatHours(letter.hoursNow ?? 0, language),
                })}
          </p>
        )}
        {letter.isRenamed && <p className="text-dense text-notice">{t('service-letters:renamedHelp')}</p>}
        <p className="text-sm text-soft">
          {letter.school ?? t('service-letters:allSchools')} {' · '}
          {t('service-letters:rowIssued', { date: day(letter.issuedOn) })}
        </p>
      </div>
      {onWithdraw !== undefined && !isWithdrawn && (
        <div className="max-sm:-ml-3">
          <Button
            kind="plain"
            onPress={onWithdraw}
            label={t('service-letters:withdrawOf', { code: letter.code })}
          >
            {t('service-letters:withdraw')}
          </Button>
        </div>
      )}
    </li>
  );
}

function WithdrawDialog({ letter, onClose }: { letter: Letter | undefined; onClose: () => void }) {
  const { t } = useTranslation();
  const withdraw = useWithdrawLetter();
  async function confirm() {
    if (letter === undefined) return;
    const { message } = await withdraw.mutateAsync(letter.id);
    onClose();
    notify.success(message);
  }
  return (
    <ConfirmRemove
      title={t('service-letters:withdrawTitle', { code: letter?.code ?? '' })}
      question={letter && t('service-letters:withdrawHelp')}
      confirmText={t('service-letters:withdraw')}
      onConfirm={confirm}
      onClose={onClose}
    />
  );
}
