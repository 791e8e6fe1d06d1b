import { type ComponentProps, type ReactNode, type RefObject, useCallback, useRef, useState } from 'react';
import { isHappening } from '#features/activities/activity-groups.ts';
import type { Activity } from '#features/activities/contract.ts';
import { messages as activityMessages } from '#features/activities/contract.ts';
import {
  ActivityPicker,
  INITIAL_PICKER_STATE,
  type PickerFocus,
} from '#features/activities/web/activity-picker.tsx';
import type { Days } from '#features/activities/web/activity-tags.tsx';
import { useActivities } from '#features/activities/web/api.ts';
import { useRecentlySelected } from '#features/activities/web/recently-selected-activities.ts';
import type { PublicSchool } from '#features/schools/contract.ts';
import type { User } from '#features/users/contract.ts';
import { formatDayShort } from '#shared/calendar-date.ts';
import { formatHours, type Hours } from '#shared/hours.ts';
import type { Id } from '#shared/id.ts';
import { failureText } from '#web/api/call.ts';
import { useArea, useUnsaved } from '#web/forms/unsaved-changes.ts';
import { type Text, useTranslation } from '#web/i18n/translate.ts';
import { Button } from '#web/ui/button.tsx';
import { Card } from '#web/ui/card.tsx';
import { lazyScreen, usePreload } from '#web/ui/lazy-screen.tsx';
import { QueryError } from '#web/ui/query-error.tsx';
import { SkeletonRows } from '#web/ui/skeleton.tsx';
import { notify } from '#web/ui/toasts.ts';
import { useBackCloses } from '#web/ui/use-back-closes.ts';
import type { TimeEntry } from '../contract.ts';
import { useDeleteEntry, useIsRecentActivityLoading, useMostActive, useRecentEntries } from './api.ts';
import { useClosedDays } from './closed-periods.ts';
import { findLikelyActivities, findUsualHours, useLogUsual } from './log-again.ts';
import type { LogPanel as Panel } from './log-panel.tsx';
import type { Draft } from './log-time-form.tsx';
import * as verifiedLogging from './log-time-verification.tsx';
import type { LoggedDays } from './logged-confirmation.tsx';

type LogTimeProps = {
  user: Pick<User, 'id' | 'role'>;
  school: PublicSchool;
  days: Days;
  supportEmail: string;
  /** The initial focus. */
  focus: PickerFocus;
  /** The activity to start with, when another screen chose it. */
  startActivityId?: Id | undefined;
  /** The entry that could not be sent. It outlives this screen. */
  unsent: Draft | undefined;
  onUnsent: (draft: Draft | undefined) => void;
  onPhotos?: (activity: Pick<Activity, 'id'>) => void;
  /** Suggests a new activity. */
  onSuggest?: (name: string) => void;
  /** The form, while an activity is picked. */
  formRef: RefObject<HTMLFormElement | null>;
};

const LogPanel = lazyScreen<ComponentProps<typeof Panel>>(
  async () => (await import('./log-panel.tsx')).LogPanel,
  ({ given, failed }) => <PanelSkeleton {...given} failed={failed} />,
);
const LoggedConfirmation = lazyScreen(
  async () => (await import('./log-panel.tsx')).LoggedConfirmation,
  ({ given }) => <p>{given.message}</p>,
);

/** Log Time: pick an activity, then the hours. */
export function LogTime(props: LogTimeProps) {
  const { user, school, days, supportEmail, onPhotos, onSuggest, onUnsent, formRef } = props;
  const text = useTranslation();
  const { t } = text;
  const activities = useActivities(school.id);
  const isWaiting = useIsRecentActivityLoading(school.id);
  const selected = useRecentlySelected(user.id);
  const [picker, setPicker] = useState(INITIAL_PICKER_STATE);
  const { Area, area, leave } = useArea();
  const logging = useLogFlow(props, {
    activities: activities.data,
    remember: selected.remember,
    onLogged: () => setPicker(INITIAL_PICKER_STATE),
  });
  const { picked, quick, logged, form } = logging;
  usePreload(LogPanel);
  useBackCloses(picked !== undefined, () => leave(logging.cancel, form.unsent !== undefined), 'part');

  // Recent entries are shown above the list. If they arrived later, the list would move under the finger.
  if (isWaiting || activities.data === undefined) {
    return activities.isError ? (
      <QueryError text={activityMessages.failedToLoad} query={activities} />
    ) : (
      <SkeletonRows rows={6} isTall />
    );
  }
  return (
    <div className="flex min-w-0 flex-col gap-4">
      {/* Always rendered, so that screen readers announce its content. */}
      <div role="status" className="not-has-[p]:-mt-4">
        {logged !== undefined && (
          <LoggedConfirmation {...logged} onPhotos={onPhotos} onAnother={logging.another} />
        )}
      </div>
      {picked === undefined ? (
        <ActivityPicker
          key={logging.round}
          activities={activities.data}
          days={days}
          first={findLikelyActivities(quick.own, activities.data, days.today).map(({ activity, last }) => ({
            activity,
            detail: detailOf(isHappening(activity, days.today), last, text),
            more: quick.hoursFor(activity) && <LogUsual activity={activity} quick={quick} />,
          }))}
          recentIds={selected.ids}
          state={picker}
          onState={setPicker}
          onPick={logging.pick}
          focus={logging.focus}
          whenNone={t('activities:noneYet', { email: supportEmail })}
          onSuggest={onSuggest}
        />
      ) : (
        <Area value={area}>
          <LogPanel
            {...form}
            userId={user.id}
            activity={picked}
            days={days}
            onCancel={logging.cancel}
            onPhotos={onPhotos}
            onUnsent={onUnsent}
            formRef={formRef}
          />
        </Area>
      )}
    </div>
  );
}

type LogCallbacks = {
  activities: readonly Activity[] | undefined;
  remember: (id: Id) => void;
  onLogged: () => void;
};

// The picked activity, its form, the usual hours in one tap, and the confirmation.
function useLogFlow(props: LogTimeProps, { activities, remember, onLogged }: LogCallbacks) {
  const { user, school, days, startActivityId, unsent, onUnsent } = props;
  const recent = useRecentEntries(school.id);
  const closedOn = useClosedDays(school.id);
  const waiting = unsent?.schoolId === school.id ? unsent : undefined;
  const [pickedId, setPickedId] = useState(startActivityId ?? waiting?.activityId);
  const [startHours, setStartHours] = useState<Hours>();
  const [{ focus, round }, setArrival] = useState({ focus: props.focus, round: 0 });
  const picked = activities?.find((activity) => activity.id === pickedId);
  // Administrators get everyone's entries, but suggestions are based on their own.
  const own = (recent.data ?? []).filter((entry) => entry.user.id === user.id);
  const { isVerifying, verified } = verificationParts(recent.data, picked);
  // The unsent entry outlives this screen and its form, but is lost when the page is left or the user returns to the list.
  useUnsaved(waiting !== undefined, { isKept: true });
  const confirmation = useLogged({ user, schoolId: school.id }, () => leave('heading'));
  const { logged, forget } = confirmation;
  const pick = useCallback(
    (activity: Activity) => {
      remember(activity.id);
      setPickedId(activity.id);
      setStartHours(undefined);
      forget();
    },
    [remember, forget],
  );
  const quick = useLogUsual({
    own,
    today: days.today,
    closedOn,
    isVerifying,
    verified,
    onLogged: show,
    onQueued: showQueued,
    onAsk: (activity, hours) => {
      pick(activity);
      setStartHours(hours);
    },
    onUnsent,
  });

  // The list takes the focus when it appears.
  function leave(next: PickerFocus) {
    onUnsent(undefined);
    setPickedId(undefined);
    setArrival((last) => ({ focus: next, round: last.round + 1 }));
  }
  function show(entry: TimeEntry, message: string, several?: LoggedDays) {
    leave('heading');
    onLogged();
    quick.ignoreNextTap();
    remember(entry.activityId);
    confirmation.show(entry, message, several);
  }
  function showQueued(activity: Activity) {
    leave('heading');
    onLogged();
    quick.ignoreNextTap();
    remember(activity.id);
    confirmation.showKept(activity);
  }
  return {
    picked,
    quick,
    logged,
    focus,
    round,
    pick,
    cancel: () => picked && leave({ activityId: picked.id }),
    another: () => {
      forget();
      leave('heading');
    },
    form: {
      usual: picked && findUsualHours(own, picked.id),
      startHours,
      own,
      verified,
      closedOn,
      unsent: picked && waiting?.activityId === picked.id ? waiting : undefined,
      onLogged: show,
      onQueued: () => picked && showQueued(picked),
    },
  };
}

type LogUsualProps = { activity: Activity; quick: ReturnType<typeof useLogUsual> };

// 'Log 2.5 h' under a card: the usual hours in one tap.
function LogUsual({ activity, quick }: LogUsualProps) {
  const { t, language } = useTranslation();
  const usual = quick.hoursFor(activity);
  if (usual === undefined) return null;
  const hours = formatHours(usual, language);
  return (
    <Button
      isBusy={quick.busyId === activity.id}
      label={t('time-entries:logUsualFor', { hours, activity: activity.name })}
      onPress={() => void quick.log(activity, usual)}
    >
      {t('time-entries:logUsual', { hours })}
    </Button>
  );
}

function detailOf(
  isToday: boolean,
  last: Pick<TimeEntry, 'hours' | 'entryDate'> | undefined,
  { t, language }: Text,
) {
  return [
    ...(isToday ? [t('activities:today')] : []),
    ...(last === undefined
      ? []
      : [
          t('activities:lastTime', {
            hours: formatHours(last.hours, language),
            date: formatDayShort(last.entryDate, language),
          }),
        ]),
  ].join(' · ');
}

// The additional parts for schools that verify hours, as the entries show, or activities with an external verifier.
function verificationParts(entries: readonly TimeEntry[] | undefined, picked: Activity | undefined) {
  const isVerifying = entries?.some(({ verification }) => verification !== null) ?? false;
  const isWanted = isVerifying || picked?.verifiedBy === 'outside';
  return { isVerifying, verified: isWanted ? verifiedLogging : undefined };
}

type PanelSkeletonProps = { activity: Activity; failed: ReactNode; onCancel: () => void };

// Shown while the form is loading, on a slow connection or if nothing was preloaded.
function PanelSkeleton({ activity, failed, onCancel }: PanelSkeletonProps) {
  const { t } = useTranslation();
  return (
    <Card>
      <div className="flex flex-col gap-5">
        <div className="flex items-start justify-between gap-3">
          <h2 className="text-xl leading-8 font-semibold wrap-anywhere">{activity.name}</h2>
          <Button kind="plain" onPress={onCancel}>
            {t('activities:cancel')}
          </Button>
        </div>
        {failed ?? <SkeletonRows rows={4} />}
      </div>
    </Card>
  );
}

type Logged = {
  /** Undefined while it is queued on this device. */
  entry: TimeEntry | undefined;
  activity: Pick<Activity, 'id'>;
  message: string;
  several?: LoggedDays | undefined;
  onUndo?: () => void;
};

// The last logged hours, until the user continues. The `u` key also undoes them.
function useLogged({ user, schoolId }: { user: LogTimeProps['user']; schoolId: Id }, onUndone: () => void) {
  const { t, language } = useTranslation();
  const remove = useDeleteEntry();
  const active = useMostActive(schoolId);
  const [logged, setLogged] = useState<Logged>();
  const shownId = useRef<Id>(undefined);
  const forget = useCallback(() => {
    shownId.current = undefined;
    setLogged(undefined);
  }, []);
  async function undo(entry: TimeEntry, several: LoggedDays | undefined) {
    try {
      const { message } = await remove.mutateAsync(several?.undo ?? entry.id);
      // An undo by keyboard shortcut may finish when the user is already somewhere else.
      if (shownId.current === entry.id) {
        forget();
        onUndone();
      }
      const hours = formatHours(entry.hours, language);
      notify.success(several ? message : t('time-entries:undone', { hours, activity: entry.activity.name }));
    } catch (error) {
      notify.failure(failureText(error));
    }
  }
  // An administrator's panel shows everyone's hours.
  const total = user.role === 'admin' || active.isFetching ? undefined : active.data?.totalHours;
  return {
    // Queued hours are not in the total yet.
    logged: logged && { ...logged, total: logged.entry && total, isUndoing: remove.isPending },
    forget,
    showKept: (activity: Activity) => {
      shownId.current = undefined;
      setLogged({ entry: undefined, activity, message: t('time-entries:keptForLater') });
    },
    show: (entry: TimeEntry, message: string, several?: LoggedDays) => {
      shownId.current = entry.id;
      // Volunteers cannot undo hours that count without a decision.
      const isTheirs = several === undefined ? entry.canDelete : several.undo !== undefined;
      notify.success(message);
      const undoing = isTheirs ? { onUndo: notify.offerUndo(() => void undo(entry, several)) } : {};
      setLogged({ entry, activity: entry.activity, message, several, ...undoing });
    },
  };
}
