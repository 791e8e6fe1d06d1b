import { Play } from 'lucide-react';
import type { Instant } from '#base/calendar-date.ts';
import { failureText } from '#web/lib/call.ts';
import { notify } from '#web/lib/notify.ts';
import { useText } from '#web/lib/text.ts';
import { DataTable } from '#web/ui/admin/data-table.tsx';
import { Part } from '#web/ui/admin/part.tsx';
import { Badge } from '#web/ui/badge.tsx';
import { IconButton } from '#web/ui/button.tsx';
import type { Job } from '../contract.ts';
import { useRunJob } from './admin-api.ts';
import { formatDuration } from './amounts.ts';

type JobsProps = { jobs: readonly Job[]; moment: (at: Instant) => string };

/** What the server does by itself, each with its last run and the next; any of them can be run now. */
export function Jobs({ jobs, moment }: JobsProps) {
  const { t, language } = useText();
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
    <Part title={t('system:jobs')}>
      <DataTable
        label={t('system:jobs')}
        rows={failedFirst(jobs).map((job, at) => ({ ...job, id: at }))}
        isDense
        columns={[
          {
            key: 'name',
            title: t('system:job'),
            isMain: true,
            cell: (job) => (
              <span className="font-medium wrap-anywhere">
                {job.title} {job.lastError !== null && <Badge tone="notice">{t('system:failed')}</Badge>}
              </span>
            ),
          },
          {
            key: 'last',
            title: t('system:lastRun'),
            cell: ({ lastRunAt, lastMilliseconds }) =>
              lastRunAt === null
                ? t('system:never')
                : t('system:lastRunTook', {
                    at: moment(lastRunAt),
                    took: formatDuration(lastMilliseconds ?? 0, language),
                  }),
          },
          {
            key: 'next',
            title: t('system:nextRun'),
            cell: ({ nextRunAt }) => (nextRunAt === null ? t('system:never') : moment(nextRunAt)),
          },
          {
            key: 'run',
            title: t('system:run'),
            isAction: true,
            cell: (job) => (
              <IconButton
                label={t('system:runNow', { job: job.title })}
                icon={<Play aria-hidden="true" className="size-5" />}
                isBusy={run.isPending && run.variables === job.name}
                onPress={() => void runNow(job.name)}
              />
            ),
          },
        ]}
      />
    </Part>
  );
}

function failedFirst(jobs: readonly Job[]): readonly Job[] {
  return jobs.toSorted((one, other) => Number(other.lastError !== null) - Number(one.lastError !== null));
}
