import { type CalendarDate, dayIn, daysBetween, type Instant } from '#base/calendar-date.ts';
import { failureText } from '#web/lib/call.ts';
import { notify } from '#web/lib/notify.ts';
import { useText } from '#web/lib/text.ts';
import { DeskList, DeskRow } from '#web/ui/admin/desk-list.tsx';
import { Part } from '#web/ui/admin/part.tsx';
import { Badge } from '#web/ui/badge.tsx';
import { Button } from '#web/ui/button.tsx';
import { Progress } from '#web/ui/progress.tsx';
import type { Backup } from '../contract.ts';
import { useRunBackup } from './admin-api.ts';
import { formatBytes, formatDuration } from './amounts.ts';

type BackupPartProps = {
  backup: Backup;
  today: CalendarDate;
  zone: string;
  moment: (at: Instant) => string;
};

/** The server's own backup: the last one, the next, one that is being made, and when one was last restored. */
export function BackupPart({ backup, today, zone, moment }: BackupPartProps) {
  const { t, language } = useText();
  const run = useRunBackup();
  const { isOn, lastAt, lastError, runningSince, nextAt, lastBytes, lastMilliseconds, lastRestoreTestAt } =
    backup;
  const facts = [
    backup.to !== null && t('system:backupTo', { to: backup.to }),
    lastBytes !== null &&
      t('system:backupTook', {
        size: formatBytes(lastBytes, language),
        took: formatDuration(lastMilliseconds ?? 0, language),
      }),
    nextAt !== null && t('system:backupNext', { at: moment(nextAt) }),
    !isOn && t('system:backupIsOff'),
    lastRestoreTestAt === null
      ? t('system:restoreNever')
      : t('system:restoreTestedAgo', {
          at: moment(lastRestoreTestAt),
          count: daysBetween(dayIn(zone, lastRestoreTestAt), today),
        }),
  ].filter((fact) => fact !== false);

  async function runNow() {
    try {
      notify.success((await run.mutateAsync()).message);
    } catch (error) {
      notify.failure(failureText(error));
    }
  }

  return (
    <Part title={t('system:backup')}>
      <DeskList label={t('system:backup')}>
        <DeskRow
          title={
            <>
              {lastAt === null ? t('system:backupNever') : moment(lastAt)}
              {lastError !== null && <Badge tone="notice">{t('system:failed')}</Badge>}
            </>
          }
          facts={facts}
          quote={lastError}
        >
          {isOn && runningSince === null ? (
            <Button kind="plain" isBusy={run.isPending} onPress={() => void runNow()}>
              {t('system:backupNow')}
            </Button>
          ) : undefined}
        </DeskRow>
        {runningSince !== null && (
          <DeskRow
            title={t('system:backupRunning', { at: moment(runningSince) })}
            facts={[
              backup.progress === null
                ? t('system:backupDatabase')
                : t('system:backupProgress', backup.progress),
            ]}
          >
            <Progress label={t('system:backup')} share={shareOf(backup)} />
          </DeskRow>
        )}
      </DeskList>
    </Part>
  );
}

function shareOf({ progress }: Backup): number {
  return progress === null || progress.total === 0 ? 0 : progress.done / progress.total;
}
