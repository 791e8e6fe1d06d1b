import { useQuery } from '@tanstack/react-query';
import { X } from 'lucide-react';
import { useEffect, useEffectEvent, useState } from 'react';
import { type CalendarDate, formatDay } from '#shared/calendar-date.ts';
import type { ReplyOf } from '#shared/endpoint.ts';
import type { Id } from '#shared/id.ts';
import { CallError, call, failureText } from '#web/api/call.ts';
import { type Text, useTranslation } from '#web/i18n/translate.ts';
import { Button, IconButton } from '#web/ui/button.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { unavailability } from '../../activity-groups.ts';
import { openLogCode } from '../contract.ts';
import { clearLogCode, storedLogCode } from './stored-log-code.ts';

type OpenedByCodeProps = {
  /** The schools where the user can log hours; undefined while loading. */
  schoolIds: readonly Id[] | undefined;
  today: CalendarDate;
  /** Opens Log Time with the activity selected. */
  onActivity: (activity: { id: Id; schoolId: Id }) => void;
  onSettings: () => void;
  /** Called when the lookup is done or can't be done now. */
  onKnown: () => void;
};

type Found = ReplyOf<typeof openLogCode>;

/** Opens the activity of a sign-in sheet's code once, or explains why it can't and what to do. */
export function OpenLogCode({ schoolIds, today, onActivity, onSettings, onKnown }: OpenedByCodeProps) {
  const text = useTranslation();
  const { t } = text;
  const [code] = useState(storedLogCode);
  const [isClosed, setIsClosed] = useState(false);
  const found = useQuery({
    // Looks up again when the user joins a school.
    queryKey: ['log-code', code, schoolIds],
    queryFn: ({ signal }) => call(openLogCode, { body: { code: code ?? '' }, signal }),
    enabled: code !== undefined && schoolIds !== undefined,
    staleTime: Number.POSITIVE_INFINITY,
  });
  const { data, error } = found;
  const standing = data && standingOf(data, schoolIds ?? [], today);

  const isUnknown = error instanceof CallError && error.status === 404;
  const openOnce = useEffectEvent((data: Found | undefined) => {
    const isOpen = standing === undefined || standing === 'future' || standing === 'past';
    if (data?.activity && isOpen) onActivity({ id: data.activity.id, schoolId: data.school.id });
    // A code for a school the user hasn't joined yet works later.
    if (isUnknown || (data?.activity && standing !== 'elsewhere')) clearLogCode();
    onKnown();
  });
  const isKnown = code === undefined || data !== undefined || found.isError;
  // The code stays stored until it has been used.
  useEffect(() => {
    if (isKnown) openOnce(data);
  }, [isKnown, data]);

  const said = found.isError ? failureText(error) : data && standing && sentenceOf(data, standing, text);
  return (
    <div role="status" className="my-4 not-has-[p]:hidden">
      {said !== undefined && !isClosed && (
        <Notice>
          <div className="flex items-start gap-2">
            <p className="min-w-0 grow py-2">{said}</p>
            <IconButton
              label={t('activities:logCodeClose')}
              icon={<X aria-hidden="true" className="size-5" />}
              onPress={() => {
                clearLogCode();
                setIsClosed(true);
              }}
            />
          </div>
          {standing === 'elsewhere' && (
            <Button onPress={onSettings}>{t('activities:logCodeSettings')}</Button>
          )}
          {found.isError && !isUnknown && (
            <Button onPress={() => void found.refetch()} isBusy={found.isFetching}>
              {t('web:tryAgain')}
            </Button>
          )}
        </Notice>
      )}
    </div>
  );
}

type Standing = 'elsewhere' | 'waiting' | ReturnType<typeof unavailability>;

function standingOf(found: Found, schoolIds: readonly Id[], today: CalendarDate): Standing {
  if (found.isWaiting) return 'waiting';
  if (found.activity === null || !schoolIds.includes(found.school.id)) return 'elsewhere';
  return unavailability(found.activity, today);
}

function sentenceOf(
  { activity, school: { name: school } }: Found,
  standing: NonNullable<Standing>,
  { t, language }: Text,
): string {
  if (standing === 'elsewhere') return t('activities:logCodeElsewhere', { school });
  if (standing === 'waiting') return t('activities:logCodeWaiting', { school });
  const words = { school, activity: activity?.name ?? '' };
  if (standing === 'inactive') return t('activities:logCodeInactive', words);
  const day = standing === 'past' ? activity?.activeUntil : activity?.activeFrom;
  const date = day ? formatDay(day, language) : '';
  return t(standing === 'past' ? 'activities:logCodePast' : 'activities:logCodeFuture', { ...words, date });
}
