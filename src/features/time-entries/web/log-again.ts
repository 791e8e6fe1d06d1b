import { useRef, useState } from 'react';
import * as z from 'zod/mini';
import { endedOn, isHappening, unavailability } from '#features/activities/activity-groups.ts';
import type { Activity } from '#features/activities/contract.ts';
import type { CalendarDate } from '#shared/calendar-date.ts';
import type { Hours } from '#shared/hours.ts';
import type { Id } from '#shared/id.ts';
import { CallError, failureText } from '#web/api/call.ts';
import { useTranslation } from '#web/i18n/translate.ts';
import { notify } from '#web/ui/toasts.ts';
import { createTimeEntry, sumExistingHours, type TimeEntry } from '../contract.ts';
import { useLogHours } from './api.ts';
import type { ClosedDayReason } from './closed-periods.ts';
import { logHandler, withLogMessage } from './log-hours-handler.ts';
import type { Draft } from './log-time-form.tsx';
import type * as VerifiedLogging from './log-time-verification.tsx';

/** The number of 'log again' buttons. */
export const LOG_AGAIN = 3;

type Logged = Pick<TimeEntry, 'activityId' | 'hours' | 'entryDate'>;

/** An activity to suggest first, with the user's last entry for it, if any. */
export type LikelyActivity = { activity: Activity; last: Logged | undefined };

/** The hours that occur most often for an activity. On a tie, the first in `entries`, which are the latest first. */
export function findUsualHours(entries: readonly Logged[], activityId: Id): Hours | undefined {
  const counts = new Map<Hours, number>();
  for (const entry of entries) {
    if (entry.activityId === activityId) counts.set(entry.hours, (counts.get(entry.hours) ?? 0) + 1);
  }
  const most = Math.max(...counts.values());
  return [...counts].find(([, count]) => count === most)?.[0];
}

/**
 * The activities the volunteer most likely helped with: today's events, starting with those they have logged before, then
 * other activities, the most recently logged first. Events they have never logged get at most the first two places,
 * unless the third would stay empty, so that a usual activity stays visible on a busy day. `entries` are the volunteer's own,
 * latest first.
 */
export function findLikelyActivities(
  entries: readonly Logged[],
  activities: readonly Activity[],
  today: CalendarDate,
): LikelyActivity[] {
  const byId = new Map(activities.map((activity) => [activity.id, activity]));
  const logged: LikelyActivity[] = [];
  for (const last of entries) {
    const activity = byId.get(last.activityId);
    if (activity?.isActive && byId.delete(last.activityId)) logged.push({ activity, last });
  }
  const happening = logged.filter(({ activity }) => isHappening(activity, today));
  const habits = logged.filter(({ activity }) => !isHappening(activity, today));
  const unlogged = [...byId.values()]
    .filter((activity) => isHappening(activity, today))
    .map((activity) => ({ activity, last: undefined }));
  const room = Math.max(LOG_AGAIN - happening.length - habits.length, 2 - happening.length, 0);
  return [...happening, ...unlogged.slice(0, room), ...habits].slice(0, LOG_AGAIN);
}

/**
 * The minimum time that a press stays busy, and the time after a form closes in which presses are ignored, so that
 * the second of two quick taps does nothing.
 */
const TAP_MS = 400;

type LogUsualOptions = {
  own: readonly TimeEntry[];
  today: CalendarDate;
  closedOn: ClosedDayReason;
  /** Whether the school verifies hours. `verified` has the checks for unusual hours, once loaded. */
  isVerifying: boolean;
  verified: typeof VerifiedLogging | undefined;
  onLogged: (entry: TimeEntry, message: string) => void;
  onQueued: (activity: Activity) => void;
  /** Opens the form with these hours selected, because something must be confirmed or corrected. */
  onAsk: (activity: Activity, hours: Hours) => void;
  onUnsent: (draft: Draft) => void;
};

/** Logs an activity's usual hours for today in one tap, if no confirmation is needed. */
export function useLogUsual(given: LogUsualOptions) {
  const { today, onAsk } = given;
  const text = useTranslation();
  const send = useSend(given);
  const [busy, setBusy] = useState<{ activityId: Id; own: readonly TimeEntry[] }>();
  const freeAt = useRef(0);
  // Keeps the cards in place while hours are being logged, so that the second of two taps does not hit another card.
  const own = busy?.own ?? given.own;
  return {
    own,
    busyId: busy?.activityId,
    /** The hours that one tap logs; undefined if the form must ask for something first. */
    hoursFor(activity: Activity): Hours | undefined {
      const { id, requiresDescription, verifiedBy } = activity;
      // For an event that is over or has not started, today is probably not the day the user means.
      const isNow = unavailability(activity, today) === undefined && endedOn(activity, today) === undefined;
      const needsForm =
        !isNow || requiresDescription || verifiedBy === 'outside' || given.closedOn(today) !== undefined;
      const entries = [...own, ...logHandler.waiting()];
      const already = sumExistingHours(entries, { activityId: id, entryDate: today });
      return needsForm || already > 0 ? undefined : findUsualHours(own, id);
    },
    async log(activity: Activity, hours: Hours) {
      if (performance.now() < freeAt.current) return;
      if (isUnusual(given, { activity, hours }, text)) return onAsk(activity, hours);
      freeAt.current = Number.POSITIVE_INFINITY;
      setBusy({ activityId: activity.id, own });
      try {
        await send({ activity, hours });
      } finally {
        freeAt.current = 0;
        setBusy(undefined);
      }
    },
    /** A form has just closed, and a second tap on its button must not hit a card. */
    ignoreNextTap: () => {
      freeAt.current = performance.now() + TAP_MS;
    },
  };
}

function useSend({ own, today, onLogged, onQueued, onAsk, onUnsent }: LogUsualOptions) {
  const log = useLogHours();
  return async ({ activity, hours }: UsualHours) => {
    const { id: activityId, schoolId } = activity;
    const draft: Draft = { activityId, schoolId, hours, entryDate: null, notes: '' };
    try {
      // The same body as the form's, so that a retry there has the same idempotency key.
      const body = z.parse(createTimeEntry.parts.body, draft);
      const [reply] = await Promise.all([log.mutateAsync({ body, activity, today, own }), pause()]);
      if (reply === 'queued') onQueued(activity);
      else onLogged(reply.timeEntry, reply.message);
    } catch (error) {
      const hasNoAnswer = error instanceof CallError && error.status === 0;
      if (hasNoAnswer) onUnsent(draft);
      onAsk(activity, hours);
      notify.failure(failureText(hasNoAnswer ? withLogMessage(error) : error));
      if (!(error instanceof CallError)) throw error;
    }
  };
}

type UsualHours = { activity: Activity; hours: Hours };

function isUnusual(
  { own, today, isVerifying, verified }: LogUsualOptions,
  about: UsualHours,
  text: ReturnType<typeof useTranslation>,
) {
  if (!isVerifying) return false;
  return verified?.findUnusualHours({ ...about, date: today, today, own, already: 0 }, text) !== '';
}

function pause(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, TAP_MS));
}
