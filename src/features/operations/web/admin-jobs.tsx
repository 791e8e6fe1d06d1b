import { Play } from 'lucide-react';
import type { Instant } from '#shared/calendar-date.ts';
import { failureText } from '#web/api/call.ts';
import { useTranslation } from '#web/i18n/translate.ts';
import { AdminSection } from '#web/ui/admin/admin-section.tsx';
import { DataTable } from '#web/ui/admin/data-table.tsx';
import { Badge } from '#web/ui/badge.tsx';
import { IconButton } from '#web/ui/button.tsx';
import { notify } from '#web/ui/toasts.ts';
import type { Job } from '../contract.ts';
import { useRunJob } from './admin-api.ts';
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
