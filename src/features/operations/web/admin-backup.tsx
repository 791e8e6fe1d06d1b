import { type CalendarDate, dayIn, daysBetween, type Instant } from '#shared/calendar-date.ts';
import { useTranslation } from '#web/i18n/translate.ts';
import { AdminSection } from '#web/ui/admin/admin-section.tsx';
import { QueueList, QueueRow } from '#web/ui/admin/queue-list.tsx';
import { Badge } from '#web/ui/badge.tsx';
import { Button } from '#web/ui/button.tsx';
import { notifyResult } from '#web/ui/notify-result.ts';
import { Progress } from '#web/ui/progress-bar.tsx';
import type { Backup } from '../contract.ts';
import { useRunBackup } from './admin-api.ts';
import { formatBytes, formatDuration } from './unit-format.ts';

type BackupPartProps = {
  backup: Backup;
  today: CalendarDate;
  zone: string;
  moment: (at: Instant) => string;
};

/** The server's backups: the last one, the next one, a running one, and the last restore test. */
export function BackupPanel({ backup, today, zone, moment }: BackupPartProps) {
  const { t, language } = useTranslation();
  const run = useRunBackup();
  const { isOn, lastAt, lastError, runningSince, nextAt, lastBytes, lastMilliseconds, lastRestoreTestAt } =
    backup;
  const facts = [
    backup.to !== null && t('operations:backupTo', { to: backup.to }),
    lastBytes !== null &&
      t('operations:backupTook', {
        size: formatBytes(lastBytes, language),
        took: formatDuration(lastMilliseconds ?? 0, language),
      }),
    nextAt !== null && t('operations:backupNext', { at: moment(nextAt) }),
    !isOn && t('operations:backupIsOff'),
    lastRestoreTestAt === null
      ? t('operations:restoreNever')
      : t('operations:restoreTestedAgo', {
          at: moment(lastRestoreTestAt),
          count: daysBetween(dayIn(zone, lastRestoreTestAt), today),
        }),
  ].filter((fact) => fact !== false);

  return (
    <AdminSection title={t('operations:backup')}>
      <QueueList label={t('operations:backup')}>
        <QueueRow
          title={
            <>
              {lastAt === null ? t('operations:backupNever') : moment(lastAt)}
              {lastError !== null && <Badge tone="notice">{t('operations:failed')}</Badge>}
            </>
          }
          facts={facts}
          quote={lastError}
        >
          {isOn && runningSince === null ? (
            <Button kind="plain" isBusy={run.isPending} onPress={() => void notifyResult(run.mutateAsync())}>
              {t('operations:backupNow')}
            </Button>
          ) : undefined}
        </QueueRow>
        {runningSince !== null && (
          <QueueRow
            title={t('operations:backupRunning', { at: moment(runningSince) })}
            facts={[
              backup.progress === null
                ? t('operations:backupDatabase')
                : t('operations:backupProgress', backup.progress),
            ]}
          >
            <Progress label={t('operations:backup')} share={shareOf(backup)} />
          </QueueRow>
        )}
      </QueueList>
    </AdminSection>
  );
}

function shareOf({ progress }: Backup): number {
  return progress === null || progress.total === 0 ? 0 : progress.done / progress.total;
}
