import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { call } from '#web/api/call.ts';
import { useTranslation } from '#web/i18n/translate.ts';
import { EmailChoice } from '#web/ui/email-choice.tsx';
import { getAnnouncementPreference, messages, putAnnouncementPreference } from '../preference-contract.ts';

const MAIL = ['mailing-choice'];

/** The checkbox for announcements; nothing if the district sends no email. */
export function AnnouncementPreference() {
  const { t, say } = useTranslation();
  const client = useQueryClient();
  const choice = useQuery({
    queryKey: MAIL,
    queryFn: ({ signal }) => call(getAnnouncementPreference, { signal }),
  });
  const choose = useMutation({
    mutationFn: (isWanted: boolean) => call(putAnnouncementPreference, { body: { isWanted } }),
    onSuccess: ({ message: _, ...now }) => client.setQueryData(MAIL, now),
  });
  if (choice.data?.isWanted === null) return null;
  return (
    <EmailChoice
      title={t('announcements:choice')}
      label={t('announcements:choiceAbout')}
      failed={say(messages.failedToLoad)}
      isWanted={choice.data?.isWanted}
      choice={choice}
      choose={choose}
    />
  );
}
