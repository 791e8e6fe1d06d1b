import type { UseQueryResult } from '@tanstack/react-query';
import { type RefObject, useCallback, useState } from 'react';
import { formatDayShort } from '#base/calendar-date.ts';
import { formatHours } from '#base/hours.ts';
import type { Id } from '#base/id.ts';
import { baseMessages } from '#base/messages.ts';
import type { Activity } from '#rooms/activities/contract.ts';
import { messages as activityMessages } from '#rooms/activities/contract.ts';
import { isHappening } from '#rooms/activities/grouping.ts';
import { ActivityPicker, PICKER_AT_FIRST, type PickerFocus } from '#rooms/activities/web/activity-picker.tsx';
import type { Days } from '#rooms/activities/web/activity-tags.tsx';
import { useActivities } from '#rooms/activities/web/api.ts';
import { useRecentlySelected } from '#rooms/activities/web/recently-selected.ts';
import type { PublicSchool } from '#rooms/schools/contract.ts';
import type { User } from '#rooms/users/contract.ts';
import { failureText, loadingFailure } from '#web/lib/call.ts';
import { notify } from '#web/lib/notify.ts';
import { type Text, useText } from '#web/lib/text.ts';
import { useArea, useUnsaved } from '#web/lib/unsaved.ts';
import { useBackCloses } from '#web/lib/use-back-closes.ts';
import { usePart, usePartAhead } from '#web/lib/use-part.ts';
import { Button } from '#web/ui/button.tsx';
import { Card } from '#web/ui/card.tsx';
import { ErrorBox } from '#web/ui/notice.tsx';
import { SkeletonRows } from '#web/ui/skeleton.tsx';
import type { TimeEntry } from '../contract.ts';
import { useDeleteEntry, useIsListWaiting, useRecentEntries } from './api.ts';
import { useClosedDays } from './closed-days.ts';
import { likelyActivities, usualHours } from './habits.ts';
import type * as LogPanelPart from './log-panel.tsx';
import type { Draft } from './log-time-form.tsx';
import type * as VerifiedLogging from './verified-logging.ts';

type LogTimeProps = {
  user: Pick<User, 'id'>;
  school: PublicSchool;
  days: Days;
  supportEmail: string;
  /** Where the focus goes first. */
  focus: PickerFocus;
  /** The activity to start with, when another screen chose it. */
  startActivityId?: Id | undefined;
  /** The one entry that could not be sent; it is kept after this screen closes. */
  unsent: Draft | undefined;
  onUnsent: (draft: Draft | undefined) => void;
  onPhotos?: (activity: Activity) => void;
  /** Loads what opens when an activity is picked. */
  loadPanel: () => Promise<typeof LogPanelPart>;
  /** Loads what is added where the school verifies hours. */
  loadVerified: () => Promise<typeof VerifiedLogging>;
  /** Refers to the form while an activity is picked. */
  formRef: RefObject<HTMLFormElement | null>;
};

/** Log Time: pick an activity, then say how long. */
export function LogTime({
  user,
  school,
  days,
  supportEmail,
  focus: startFocus,
  startActivityId,
  unsent,
  onUnsent,
  onPhotos,
  loadPanel,
  loadVerified,
  formRef,
}: LogTimeProps) {
  const text = useText();
  const { t } = text;
  const activities = useActivities(school.id);
  const recent = useRecentEntries(school.id);
  const isWaiting = useIsListWaiting(school.id);
  const closedOn = useClosedDays(school.id);
  const selected = useRecentlySelected(user.id);
  const undoLog = useUndoLog();
  const waiting = unsent?.schoolId === school.id ? unsent : undefined;
  const [pickedId, setPickedId] = useState(startActivityId ?? waiting?.activityId);
  const [picker, setPicker] = useState(PICKER_AT_FIRST);
  const [focus, setFocus] = useState(startFocus);
  const { Area, area, leave: leaveForm } = useArea();
  const picked = activities.data?.find((activity) => activity.id === pickedId);
  const panel = usePartAhead('log-panel', loadPanel, picked !== undefined);
  const verified = useVerified(recent.data, picked, loadVerified);
  // The unsent entry is kept when this screen or its form closes, but lost when the page is left or the person goes
  // back to the list.
  useUnsaved(waiting !== undefined, { isKept: true });
  useBackCloses(picked !== undefined, () => leaveForm(cancel, waiting !== undefined), 'part');

  const { remember } = selected;
  const pick = useCallback(
    (activity: Activity) => {
      remember(activity.id);
      setPickedId(activity.id);
    },
    [remember],
  );

  // The recent entries are shown above the list. If they arrived later, the list would jump under the finger.
  if (activities.data === undefined || isWaiting) {
    return activities.isError ? (
      <ErrorBox
        {...loadingFailure(activities.error, activityMessages.failedToLoad)}
        onRetry={() => activities.refetch()}
        isRetrying={activities.isFetching}
      />
    ) : (
      <SkeletonRows rows={6} isTall />
    );
  }

  // Administrators get everybody's entries, but habits are based on the person's own.
  const own = (recent.data ?? []).filter((entry) => entry.user.id === user.id);
  function leave(next: PickerFocus) {
    onUnsent(undefined);
    setPickedId(undefined);
    setFocus(next);
  }

  function cancel() {
    if (picked !== undefined) leave({ activityId: picked.id });
  }

  function logged(entry: TimeEntry, message: string) {
    leave('heading');
    setPicker(PICKER_AT_FIRST);
    // Hours that count at once are not the volunteer's to take back.
    notify.success(message, entry.canDelete ? { undo: () => void undoLog(entry) } : {});
  }

  if (picked !== undefined) {
    return panel.data === undefined ? (
      <PanelToCome activity={picked} part={panel} onCancel={cancel} />
    ) : (
      <Area value={area}>
        <panel.data.LogPanel
          userId={user.id}
          activity={picked}
          days={days}
          onCancel={cancel}
          onPhotos={onPhotos}
          usual={usualHours(own, picked.id)}
          own={own}
          verified={verified}
          closedOn={closedOn}
          unsent={waiting?.activityId === picked.id ? waiting : undefined}
          onUnsent={onUnsent}
          onLogged={logged}
          formRef={formRef}
        />
      </Area>
    );
  }

  return (
    <ActivityPicker
      activities={activities.data}
      days={days}
      first={likelyActivities(own, activities.data, days.today).map(({ activity, last }) => ({
        activity,
        detail: detailOf(isHappening(activity, days.today), last, text),
      }))}
      recentIds={selected.ids}
      state={picker}
      onState={setPicker}
      onPick={pick}
      focus={focus}
      whenNone={t('activities:noneYet', { email: supportEmail })}
    />
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

// What is added where the school verifies hours, as its entries tell, or somebody outside does.
function useVerified(
  entries: readonly TimeEntry[] | undefined,
  picked: Activity | undefined,
  load: LogTimeProps['loadVerified'],
) {
  const isVerifying = entries?.some(({ verification }) => verification !== null) ?? false;
  const isWanted = isVerifying || picked?.verifiedBy === 'outside';
  const part = usePart('verified-logging', load, isWanted);
  return isWanted ? part.data : undefined;
}

type PanelToComeProps = {
  activity: Activity;
  part: Pick<UseQueryResult, 'isError' | 'isFetching' | 'refetch'>;
  onCancel: () => void;
};

// Stands there while the form is fetched: on a slow line, or where nothing is fetched ahead.
function PanelToCome({ activity, part, onCancel }: PanelToComeProps) {
  const { t, say } = useText();
  return (
    <Card>
      <div className="flex flex-col gap-5">
        <div className="flex items-start justify-between gap-3">
          <h2 className="text-xl leading-8 font-semibold wrap-anywhere">{activity.name}</h2>
          <Button kind="plain" onPress={onCancel}>
            {t('activities:cancel')}
          </Button>
        </div>
        {part.isError ? (
          <ErrorBox
            text={say(baseMessages.networkError)}
            onRetry={() => void part.refetch()}
            isRetrying={part.isFetching}
          />
        ) : (
          <SkeletonRows rows={4} />
        )}
      </div>
    </Card>
  );
}

// The notice with Undo outlives the form, so the deletion and its messages are handled here.
function useUndoLog() {
  const { t, language } = useText();
  const remove = useDeleteEntry();
  return async (entry: TimeEntry) => {
    try {
      await remove.mutateAsync(entry.id);
      const hours = formatHours(entry.hours, language);
      notify.success(t('time-entries:undone', { hours, activity: entry.activity.name }));
    } catch (error) {
      notify.failure(failureText(error));
    }
  };
}
