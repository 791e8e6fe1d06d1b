import { CircleAlert, CircleCheck, CircleDashed, CircleMinus, RotateCw, Upload, X } from 'lucide-react';
import { useEffect, useId, useRef, useState } from 'react';
import { formatMoment, formatTime } from '#shared/calendar-date.ts';
import type { Id } from '#shared/id.ts';
import { fullName } from '#shared/person-name.ts';
import { type Text, useTranslation } from '#web/i18n/translate.ts';
import { NewTabLink } from '#web/ui/admin/new-tab-link.tsx';
import { Step, StepMessage, stepTitle } from '#web/ui/admin/steps.tsx';
import { Button, LinkButton, Spinner } from '#web/ui/button.tsx';
import { Bar } from '#web/ui/progress-bar.tsx';
import type { ActivitySync, Sync } from '../contract.ts';
import { activitiesOpener } from './admin-activity-step.tsx';
import {
  countFinishedPhotos,
  findUnfinishedActivities,
  outcomeLabel,
  statusLabel,
  syncAnnouncement,
} from './admin-sync-labels.ts';
import type { Syncing } from './admin-sync-state.ts';

type SyncPanelProps = { sync: Sync; timeZone: string; syncing: Syncing };

/** A sync: its progress while it is running, and then the outcome of each activity. */
export function SyncPanel({ sync, timeZone, syncing }: SyncPanelProps) {
  const text = useTranslation();
  const { t } = text;
  const id = useId();
  const { isUnderWay } = syncing;
  return (
    <section aria-labelledby={id} className="overflow-hidden rounded-xl border border-line">
      <div className="flex flex-col gap-2 border-b border-line px-4 py-3">
        <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1">
          <div className="min-w-0">
            <h4 id={id} className="figures font-semibold">
              {isUnderWay ? progressLabel(sync, text) : outcomeLabel(sync.photos, text)}
            </h4>
            <p className="text-dense text-soft">{startedByLabel(sync, timeZone, text)}</p>
          </div>
          {isUnderWay && (
            <Button
              onPress={syncing.cancel}
              isBusy={syncing.isCancelling}
              icon={<X aria-hidden="true" className="size-4" />}
            >
              {t('google-drive:cancelSync')}
            </Button>
          )}
        </div>
        {isUnderWay && <SyncBar sync={sync} labelledBy={id} />}
        {isUnderWay && sync.waitingUntil !== null && (
          <p className="text-dense text-soft">
            {t('google-drive:pausedByGoogle', {
              time: formatTime(sync.waitingUntil, text.language, timeZone),
            })}
          </p>
        )}
      </div>
      <p role="status" className="sr-only">
        {isUnderWay ? syncAnnouncement(sync, text) : outcomeLabel(sync.photos, text)}
      </p>
      <ul aria-label={t('google-drive:results')} className="divide-y divide-line">
        {sync.activities.map((activity) => (
          <ActivityRow
            key={activity.activityId}
            activity={activity}
            failures={sync.failures.filter(({ activityId }) => activityId === activity.activityId)}
          />
        ))}
      </ul>
    </section>
  );
}

function SyncBar({ sync, labelledBy }: { sync: Sync; labelledBy: string }) {
  const { total } = sync.photos;
  const done = countFinishedPhotos(sync.photos);
  return (
    <div
      role="progressbar"
      aria-labelledby={labelledBy}
      aria-valuemin={0}
      aria-valuemax={total}
      aria-valuenow={done}
    >
      <Bar share={total === 0 ? 0 : done / total} />
    </div>
  );
}

type ActivityRowProps = { activity: ActivitySync; failures: Sync['failures'] };

function ActivityRow({ activity, failures }: ActivityRowProps) {
  const text = useTranslation();
  const { t } = text;
  const id = useId();
  const [isOpen, setIsOpen] = useState(false);
  const { name, state, folder } = activity;
  return (
    <li className="px-4 py-2.5">
      <div className="flex flex-wrap items-center gap-x-3">
        <span className="flex min-w-0 grow basis-60 items-start gap-3 py-1">
          <span className="mt-0.5 flex size-5 shrink-0 items-center justify-center">
            <StateIcon state={state} />
          </span>
          <span className="min-w-0">
            <span className="block font-medium wrap-anywhere">{name}</span>
            <span
              className={`figures block text-dense wrap-anywhere ${state === 'failed' ? 'text-danger' : 'text-soft'}`}
            >
              {statusLabel(activity, text)}
            </span>
            {state === 'failed' && countFinishedPhotos(activity) > 0 && (
              <span className="figures block text-dense text-soft">{outcomeLabel(activity, text)}</span>
            )}
          </span>
        </span>
        {folder !== null && (
          <span className="max-sm:pl-7">
            <NewTabLink href={folder.url} text={t('google-drive:viewInDrive')} about={folder.name} />
          </span>
        )}
      </div>
      {failures.length > 0 && (
        <div className="pl-8">
          <LinkButton isExpanded={isOpen} controls={id} onPress={() => setIsOpen(!isOpen)}>
            {t(isOpen ? 'google-drive:hideFailures' : 'google-drive:showFailures', {
              count: failures.length,
            })}
          </LinkButton>
          <ul id={id} hidden={!isOpen} className="pb-2 text-dense">
            {failures.map(({ photoId, originalName, error }) => (
              <li key={photoId} className="wrap-anywhere">
                <span className="font-medium">{originalName ?? t('google-drive:formerPhoto')}</span>: {error}
              </li>
            ))}
          </ul>
        </div>
      )}
    </li>
  );
}

function StateIcon({ state }: { state: ActivitySync['state'] }) {
  if (state === 'running') return <Spinner />;
  const [Icon, tone] = ICONS[state];
  return <Icon aria-hidden="true" className={`size-5 ${tone}`} />;
}

const ICONS = {
  queued: [CircleDashed, 'text-soft'],
  done: [CircleCheck, 'text-brand'],
  failed: [CircleAlert, 'text-danger'],
  cancelled: [CircleMinus, 'text-soft'],
} as const;

function progressLabel({ photos }: Sync, { t }: Text): string {
  return t('google-drive:copying', { through: countFinishedPhotos(photos), count: photos.total });
}

function startedByLabel(
  { kind, startedBy, startedAt }: Sync,
  timeZone: string,
  { t, language }: Text,
): string {
  const when = formatMoment(startedAt, language, timeZone);
  if (kind === 'nightly') return t('google-drive:startedNightly', { when });
  if (startedBy === null) return when;
  return t('google-drive:startedBy', { name: fullName(startedBy), when });
}

type SyncStepProps = { timeZone: string; chosenIds: readonly Id[]; syncing: Syncing };

/** The third step: starts a sync, shows its progress photo by photo, and then the outcome. */
export function SyncStep({ timeZone, chosenIds, syncing }: SyncStepProps) {
  const { t } = useTranslation();
  const { sync, isUnderWay, isStarting, failure } = syncing;
  const wasUnderWay = useRef(isUnderWay);
  // The pressed button disappears when a sync starts or ends, so the step's title gets the focus.
  useEffect(() => {
    if (wasUnderWay.current !== isUnderWay && document.activeElement === document.body) stepTitle(3).focus();
    wasUnderWay.current = isUnderWay;
  }, [isUnderWay]);
  function begin() {
    if (chosenIds.length === 0) activitiesOpener.focus();
    syncing.begin(chosenIds);
  }
  const again = sync === undefined || isUnderWay ? [] : findUnfinishedActivities(sync);
  return (
    <Step number={3} title={t('google-drive:stepSync')} state="open">
      <StepMessage message={failure} />
      {!isUnderWay && (
        <div className="flex flex-wrap gap-3">
          <Button
            kind="primary"
            onPress={begin}
            isBusy={isStarting}
            busyText={t('google-drive:starting')}
            icon={<Upload aria-hidden="true" className="size-5" />}
          >
            {chosenIds.length === 0
              ? t('google-drive:syncPhotos')
              : t('google-drive:syncCount', { count: chosenIds.length })}
          </Button>
          {again.length > 0 && (
            <Button
              onPress={() => syncing.begin(again)}
              isDisabled={isStarting}
              icon={<RotateCw aria-hidden="true" className="size-4" />}
            >
              {t('google-drive:goOn', { count: again.length })}
            </Button>
          )}
        </div>
      )}
      {sync !== undefined && <SyncPanel sync={sync} timeZone={timeZone} syncing={syncing} />}
    </Step>
  );
}
