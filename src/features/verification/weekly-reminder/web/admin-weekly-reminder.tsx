import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { call } from '#web/api/call.ts';
import { useTranslation } from '#web/i18n/translate.ts';
import { EmailChoice } from '#web/ui/email-choice.tsx';
import { getWeeklyMail, setWeeklyMail } from '../contract.ts';

const MAIL = ['weekly-mail'];

/** The preference for the weekly reminder; hidden if the user cannot verify hours anywhere. */
export function WeeklyReminderPreference() {
  const { t } = useTranslation();
  const client = useQueryClient();
  const choice = useQuery({ queryKey: MAIL, queryFn: ({ signal }) => call(getWeeklyMail, { signal }) });
  const choose = useMutation({
    mutationFn: (isWanted: boolean) => call(setWeeklyMail, { body: { isWanted } }),
    onSuccess: ({ mail }) => client.setQueryData(MAIL, { mail }),
  });
  const mail = choice.data?.mail;
  if (mail === null || (mail === undefined && !choice.isError)) return null;
  return (
    <EmailChoice
      title={t('verification:weeklyTitle')}
      label={t('verification:weeklyWanted')}
      failed={t('verification:weeklyFailed')}
      isWanted={mail?.isWanted}
      choice={choice}
      choose={choose}
    />
  );
}
