import { Play } from 'lucide-react';
import type { Instant } from '#shared/calendar-date.ts';
import { failureText } from '#web/api/call.ts';
import { useTranslation } from '#web/i18n/translate.ts';
import { AdminSection } from '#web/ui/admin/admin-section.tsx';
import { DataTable } from '#web/ui/admin/data-table.tsx';
import { QueueList, QueueRow } from '#web/ui/admin/queue-list.tsx';
import { Badge } from '#web/ui/badge.tsx';
import { Button, IconButton } from '#web/ui/button.tsx';
import { notifyResult } from '#web/ui/notify-result.ts';
import { notify } from '#web/ui/toasts.ts';
import type { Job, System } from '../contract.ts';
import { useRunJob, useStopSync } from './admin-api.ts';
import { formatDuration } from './unit-format.ts';

type JobsProps = { jobs: readonly Job[]; moment: (at: Instant) => string };

/** Background jobs with their last and next run, and a button to run each now. */
export function BackgroundJobs({ jobs, moment }: JobsProps) {
  const { t, language } = useTranslation();
  const run = useRunJob();

  async function runNow(name: string) {
    try {
      const { ok, message } = await run.mutateAsync(name);
      if (ok) notify.success(message);
      else notify.failure(message);
    } catch (error) {
      notify.failure(failureText(error));
    }
  }

  return (
    <AdminSection title={t('operations:jobs')}>
      <DataTable
        label={t('operations:jobs')}
        rows={failedFirst(jobs).map((job, at) => ({ ...job, id: at }))}
        isDense
        columns={[
          {
            key: 'name',
            title: t('operations:job'),
            isMain: true,
            cell: (job) => (
              <span className="font-medium wrap-anywhere">
                {job.title} {job.lastError !== null && <Badge tone="notice">{t('operations:failed')}</Badge>}
              </span>
            ),
          },
          {
            key: 'last',
            title: t('operations:lastRun'),
            cell: ({ lastRunAt, lastMilliseconds }) =>
              lastRunAt === null
                ? t('operations:never')
                : t('operations:lastRunTook', {
                    at: moment(lastRunAt),
                    took: formatDuration(lastMilliseconds ?? 0, language),
                  }),
          },
          {
            key: 'next',
            title: t('operations:nextRun'),
            cell: ({ nextRunAt }) => (nextRunAt === null ? t('operations:never') : moment(nextRunAt)),
          },
          {
            key: 'run',
            title: t('operations:run'),
            isAction: true,
            cell: (job) => (
              <IconButton
                label={t('operations:runNow', { job: job.title })}
                icon={<Play aria-hidden="true" className="size-5" />}
                isBusy={run.isPending && run.variables === job.name}
                onPress={() => void runNow(job.name)}
              />
            ),
          },
        ]}
      />
    </AdminSection>
  );
}

function failedFirst(jobs: readonly Job[]): readonly Job[] {
  return jobs.toSorted((one, other) => Number(other.lastError !== null) - Number(one.lastError !== null));
}

type InProgressProps = { system: System; moment: (at: Instant) => string };

/** Running exports, imports and syncs with their owner and progress. A sync can be stopped. */
export function InProgress({ system, moment }: InProgressProps) {
  const { t } = useTranslation();
  const stop = useStopSync();
  const { exports, imports, hoursImports, syncs } = system;
  if (exports.length + imports.length + hoursImports.length + syncs.length === 0) return null;
  const rows = (done: number, total: number) => t('operations:rowsOf', { done, total });

  return (
    <AdminSection title={t('operations:inProgress')}>
      <QueueList label={t('operations:inProgress')}>
        {exports.map(({ id, format, by, done, total, startedAt }) => (
          <QueueRow
            key={`export ${id}`}
            title={t('operations:anExport', { format: format.toUpperCase() })}
            facts={[t('operations:byWhom', { name: by }), rows(done, total), moment(startedAt)]}
          />
        ))}
        {imports.map(({ by, startedAt }) => (
          <QueueRow
            key={`import ${by} ${startedAt}`}
            title={t('operations:anImport')}
            facts={[t('operations:byWhom', { name: by }), moment(startedAt)]}
          />
        ))}
        {hoursImports.map(({ id, by, startedAt, isUndone, done, total }) => (
          <QueueRow
            key={`hours ${id}`}
            title={t(isUndone ? 'operations:anHoursUndo' : 'operations:anHoursImport')}
            facts={[
              ...(by === null ? [] : [t('operations:byWhom', { name: by })]),
              rows(done, total),
              moment(startedAt),
            ]}
          />
        ))}
        {syncs.map(({ id, by, done, total, requestedAt, waitingUntil }) => (
          <QueueRow
            key={`sync ${id}`}
            title={t('operations:aSync')}
            facts={[
              by === null ? t('operations:byServer') : t('operations:byWhom', { name: by }),
              t('operations:photosOf', { done, total }),
              moment(requestedAt),
              ...(waitingUntil === null ? [] : [t('operations:waitsUntil', { at: moment(waitingUntil) })]),
            ]}
          >
            <Button
              kind="plain"
              isBusy={stop.isPending}
              onPress={() => void notifyResult(stop.mutateAsync(id))}
            >
              {t('operations:stopSync')}
            </Button>
          </QueueRow>
        ))}
      </QueueList>
    </AdminSection>
  );
}
