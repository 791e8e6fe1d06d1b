import type { Instant } from '#base/calendar-date.ts';
import { failureText } from '#web/lib/call.ts';
import { notify } from '#web/lib/notify.ts';
import { useText } from '#web/lib/text.ts';
import { DeskList, DeskRow } from '#web/ui/admin/desk-list.tsx';
import { Part } from '#web/ui/admin/part.tsx';
import { Button } from '#web/ui/button.tsx';
import type { System } from '../contract.ts';
import { useStopSync } from './admin-api.ts';

type InProgressProps = { system: System; moment: (at: Instant) => string };

/** Exports, imports and syncs that run: whose they are and how far. A sync can be stopped. */
export function InProgress({ system, moment }: InProgressProps) {
  const { t } = useText();
  const stop = useStopSync();
  const { exports, imports, hoursImports, syncs } = system;
  if (exports.length + imports.length + hoursImports.length + syncs.length === 0) return null;
  const rows = (done: number, total: number) => t('system:rowsOf', { done, total });

  async function stopSync(id: System['syncs'][number]['id']) {
    try {
      notify.success((await stop.mutateAsync(id)).message);
    } catch (error) {
      notify.failure(failureText(error));
    }
  }

  return (
    <Part title={t('system:inProgress')}>
      <DeskList label={t('system:inProgress')}>
        {exports.map(({ id, format, by, done, total, startedAt }) => (
          <DeskRow
            key={`export ${id}`}
            title={t('system:anExport', { format: format.toUpperCase() })}
            facts={[t('system:byWhom', { name: by }), rows(done, total), moment(startedAt)]}
          />
        ))}
        {imports.map(({ by, startedAt }) => (
          <DeskRow
            key={`import ${by} ${startedAt}`}
            title={t('system:anImport')}
            facts={[t('system:byWhom', { name: by }), moment(startedAt)]}
          />
        ))}
        {hoursImports.map(({ id, by, startedAt, isUndone, done, total }) => (
          <DeskRow
            key={`hours ${id}`}
            title={t(isUndone ? 'system:anHoursUndo' : 'system:anHoursImport')}
            facts={[
              ...(by === null ? [] : [t('system:byWhom', { name: by })]),
              rows(done, total),
              moment(startedAt),
            ]}
          />
        ))}
        {syncs.map(({ id, by, done, total, requestedAt, waitingUntil }) => (
          <DeskRow
            key={`sync ${id}`}
            title={t('system:aSync')}
            facts={[
              by === null ? t('system:byServer') : t('system:byWhom', { name: by }),
              t('system:photosOf', { done, total }),
              moment(requestedAt),
              ...(waitingUntil === null ? [] : [t('system:waitsUntil', { at: moment(waitingUntil) })]),
            ]}
          >
            <Button kind="plain" isBusy={stop.isPending} onPress={() => void stopSync(id)}>
              {t('system:stopSync')}
            </Button>
          </DeskRow>
        ))}
      </DeskList>
    </Part>
  );
}
