import { X } from 'lucide-react';
import { type Activity, messages as activityMessages } from '#features/activities/contract.ts';
import { useActivities } from '#features/activities/web/api.ts';
import type { PublicSchool } from '#features/schools/contract.ts';
import { dayIn } from '#shared/calendar-date.ts';
import type { Id } from '#shared/id.ts';
import { loadingFailure } from '#web/api/call.ts';
import { useTranslation } from '#web/i18n/translate.ts';
import { Step } from '#web/ui/admin/steps.tsx';
import { IconButton } from '#web/ui/button.tsx';
import { CategoryDot } from '#web/ui/category.tsx';
import { ErrorBox } from '#web/ui/notice.tsx';
import { SkeletonRows } from '#web/ui/skeleton.tsx';
import { folderName } from '../contract.ts';
import { ActivityDropdown, activitiesOpener } from './admin-activity-dropdown.tsx';
import { photosIn } from './admin-sync-labels.ts';

type ActivityStepProps = {
  school: PublicSchool;
  timeZone: string;
  chosenIds: readonly Id[];
  onChoose: (ids: readonly Id[]) => void;
  isSyncing: boolean;
};

/** The second step: choose activities, each with its details. Folded while a sync is running. */
export function ActivityStep({ school, timeZone, chosenIds, onChoose, isSyncing }: ActivityStepProps) {
  const { t } = useTranslation();
  const activities = useActivities(school.id);
  const all = activities.data ?? [];
  const chosen = chosenIds.flatMap((id) => all.find((activity) => activity.id === id) ?? []);
  const photos = chosen.reduce((sum, { photoCount }) => sum + photoCount, 0);
  const summary =
    chosen.length === 0
      ? undefined
      : t('google-drive:chosenSummary', {
          activities: t('google-drive:activities', { count: chosen.length }),
          photos: t('google-drive:photos', { count: photos }),
        });
  return (
    <Step
      number={2}
      title={t('google-drive:stepChoose')}
      state={isSyncing ? 'done' : 'open'}
      summary={summary}
    >
      {isSyncing ? undefined : (
        <>
          {activities.isError && (
            <ErrorBox
              {...loadingFailure(activities.error, activityMessages.failedToLoad)}
              onRetry={() => void activities.refetch()}
              isRetrying={activities.isFetching}
            />
          )}
          {activities.data === undefined && !activities.isError && <SkeletonRows rows={1} isTall />}
          {activities.data !== undefined && (
            <ActivityDropdown activities={all} chosenIds={chosenIds} onChoose={onChoose} />
          )}
          {chosen.length > 0 && (
            <ul aria-label={t('google-drive:selected')} className="divide-y divide-line">
              {chosen.map((activity) => (
                <ChosenActivity
                  key={activity.id}
                  activity={activity}
                  timeZone={timeZone}
                  onRemove={() => {
                    onChoose(chosenIds.filter((id) => id !== activity.id));
                    activitiesOpener.focus();
                  }}
                />
              ))}
            </ul>
          )}
        </>
      )}
    </Step>
  );
}

type ChosenActivityProps = { activity: Activity; timeZone: string; onRemove: () => void };

function ChosenActivity({ activity, timeZone, onRemove }: ChosenActivityProps) {
  const text = useTranslation();
  const { t } = text;
  const { name, category } = activity;
  return (
    <li className="flex items-center gap-3 py-1.5">
      <CategoryDot color={category.color} />
      <div className="min-w-0 grow">
        <p className="font-medium wrap-anywhere">{name}</p>
        <p className="text-dense wrap-anywhere text-soft">
          {category.name} · {photosIn(activity, text)} ·{' '}
          {t('google-drive:folderWillBe', { name: folderOf(activity, timeZone) })}
        </p>
      </div>
      <IconButton
        label={t('web:remove', { name })}
        icon={<X aria-hidden="true" className="size-5" />}
        onPress={onRemove}
      />
    </li>
  );
}

function folderOf({ name, activeFrom, createdAt }: Activity, timeZone: string): string {
  return folderName(name, activeFrom ?? dayIn(timeZone, createdAt));
}
