import type { Instant } from '#shared/calendar-date.ts';
import { failureText } from '#web/api/call.ts';
import { useTranslation } from '#web/i18n/translate.ts';
import { AdminSection } from '#web/ui/admin/admin-section.tsx';
import { QueueList, QueueRow } from '#web/ui/admin/queue-list.tsx';
import { Button } from '#web/ui/button.tsx';
import { notify } from '#web/ui/toasts.ts';
import type { System } from '../contract.ts';
import { useStopSync } from './admin-api.ts';

type InProgressProps = { system: System; moment: (at: Instant) => string };

/** Running exports, imports and syncs with their owner and progress. A sync can be stopped. */
export function InProgress({ system, moment }: InProgressProps) {
  const { t } = useTranslation();
  const stop = useStopSync();
  const { exports, imports, hoursImports, syncs } = system;
  if (exports.length + imports.length + hoursImports.length + syncs.length === 0) return null;
  const rows = (done: number, total: number) => t('operations:rowsOf', { done, total });

  async function stopSync(id: System['syncs'][number]['id']) {
    try {
      notify.success((await stop.mutateAsync(id)).message);
    } catch (error) {
      notify.failure(failureText(error));
    }
  }

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
            <Button kind="plain" isBusy={stop.isPending} onPress={() => void stopSync(id)}>
              {t('operations:stopSync')}
            </Button>
          </QueueRow>
        ))}
      </QueueList>
    </AdminSection>
  );
}
