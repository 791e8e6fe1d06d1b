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

type OpenLogCodeProps = {
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

/** Opens the activity of a sign-in sheet's code once, or explains why that is not possible and what to do. */
export function OpenLogCode({ schoolIds, today, onActivity, onSettings, onKnown }: OpenLogCodeProps) {
  const text = useTranslation();
  const { t } = text;
  const [code] = useState(storedLogCode);
  const [isClosed, setIsClosed] = useState(false);
  const lookup = useQuery({
    // Looks up again when the user joins a school.
    queryKey: ['log-code', code, schoolIds],
    queryFn: ({ signal }) => call(openLogCode, { body: { code: code ?? '' }, signal }),
    enabled: code !== undefined && schoolIds !== undefined,
    staleTime: Number.POSITIVE_INFINITY,
  });
  const { data, error } = lookup;
  const obstacle = data && findObstacle(data, schoolIds ?? [], today);

  const isUnknown = error instanceof CallError && error.status === 404;
  const openOnce = useEffectEvent((data: Found | undefined) => {
    const isOpen = obstacle === undefined || obstacle === 'future' || obstacle === 'past';
    if (data?.activity && isOpen) onActivity({ id: data.activity.id, schoolId: data.school.id });
    // A code for a school the user hasn't joined yet works later.
    if (isUnknown || (data?.activity && obstacle !== 'elsewhere')) clearLogCode();
    onKnown();
  });
  const isKnown = code === undefined || data !== undefined || lookup.isError;
  // The code stays stored until it has been used.
  useEffect(() => {
    if (isKnown) openOnce(data);
  }, [isKnown, data]);

  const message = lookup.isError
    ? failureText(error)
    : data && obstacle && obstacleMessage(data, obstacle, text);
  return (
    <div role="status" className="my-4 not-has-[p]:hidden">
      {message !== undefined && !isClosed && (
        <Notice>
          <div className="flex items-start gap-2">
            <p className="min-w-0 grow py-2">{message}</p>
            <IconButton
              label={t('activities:logCodeClose')}
              icon={<X aria-hidden="true" className="size-5" />}
              onPress={() => {
                clearLogCode();
                setIsClosed(true);
              }}
            />
          </div>
          {obstacle === 'elsewhere' && (
            <Button onPress={onSettings}>{t('activities:logCodeSettings')}</Button>
          )}
          {lookup.isError && !isUnknown && (
            <Button onPress={() => void lookup.refetch()} isBusy={lookup.isFetching}>
              {t('web:tryAgain')}
            </Button>
          )}
        </Notice>
      )}
    </div>
  );
}

type Obstacle = 'elsewhere' | 'waiting' | ReturnType<typeof unavailability>;

function findObstacle(lookup: Found, schoolIds: readonly Id[], today: CalendarDate): Obstacle {
  if (lookup.isWaiting) return 'waiting';
  if (lookup.activity === null || !schoolIds.includes(lookup.school.id)) return 'elsewhere';
  return unavailability(lookup.activity, today);
}

function obstacleMessage(
  { activity, school: { name: school } }: Found,
  obstacle: NonNullable<Obstacle>,
  { t, language }: Text,
): string {
  if (obstacle === 'elsewhere') return t('activities:logCodeElsewhere', { school });
  if (obstacle === 'waiting') return t('activities:logCodeWaiting', { school });
  const words = { school, activity: activity?.name ?? '' };
  if (obstacle === 'inactive') return t('activities:logCodeInactive', words);
  const day = obstacle === 'past' ? activity?.activeUntil : activity?.activeFrom;
  const date = day ? formatDay(day, language) : '';
  return t(obstacle === 'past' ? 'activities:logCodePast' : 'activities:logCodeFuture', { ...words, date });
}
