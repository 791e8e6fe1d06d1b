import { formatMoment, type Instant } from '#shared/calendar-date.ts';
import { useTranslation } from '#web/i18n/translate.ts';
import { SidePanel } from '#web/ui/admin/side-panel.tsx';
import { ListEnd } from '#web/ui/list-end.tsx';
import { QueryError } from '#web/ui/query-error.tsx';
import { SkeletonRows } from '#web/ui/skeleton.tsx';
import { ACTIONS, isAction, type ListedAuditEvent, messages } from '../contract.ts';
import { AuditEventList, type Subject } from './admin-audit-events.tsx';
import { useAuditHistory } from './api.ts';
import { auditActorName } from './event-description.ts';

type HistoryPanelProps = { subject: Subject | undefined; timeZone: string; onClose: () => void };

/** The history of one item, latest first. */
export function HistoryPanel({ subject, timeZone, onClose }: HistoryPanelProps) {
  const { t } = useTranslation();
  return (
    <SidePanel
      title={subject === undefined ? t('web:history') : t('audit:historyOf', { name: subject.name })}
      isOpen={subject !== undefined}
      onClose={onClose}
    >
      {subject !== undefined && <HistoryOf subject={subject} timeZone={timeZone} />}
    </SidePanel>
  );
}

function HistoryOf({ subject, timeZone }: { subject: Subject; timeZone: string }) {
  const { t, say } = useTranslation();
  const history = useAuditHistory(subject);
  return (
    <div className="flex flex-col gap-4 pb-6">
      {history.isError && !history.isFetchNextPageError && (
        <QueryError text={messages.failedToLoad} query={history} />
      )}
      {history.data === undefined && !history.isError && <SkeletonRows rows={4} isTall />}
      {subject.createdAt !== undefined && (
        <Created at={subject.createdAt} records={history.data ?? []} timeZone={timeZone} />
      )}
      {history.data?.length === 0 && <p className="text-soft">{t('audit:noHistory')}</p>}
      {history.data !== undefined && history.data.length > 0 && (
        <>
          <AuditEventList records={history.data} timeZone={timeZone} isWhole />
          <ListEnd list={history} failure={say(messages.failedToLoad)} />
        </>
      )}
    </div>
  );
}

type CreatedProps = { at: Instant; records: readonly ListedAuditEvent[]; timeZone: string };

// The creation event may have been deleted or not loaded yet.
function Created({ at, records, timeZone }: CreatedProps) {
  const text = useTranslation();
  const { t, language } = text;
  const first = records.find(({ action }) => isAction(action) && ACTIONS[action].kind === 'create');
  const when = formatMoment(at, language, timeZone);
  return (
    <p className="figures text-soft">
      {first === undefined
        ? t('audit:createdAt', { when })
        : t('audit:createdBy', { when, who: auditActorName(first, text) })}
    </p>
  );
}
