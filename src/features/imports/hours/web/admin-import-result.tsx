import { formatHours } from '#shared/hours.ts';
import { useTranslation } from '#web/i18n/translate.ts';
import { Notice } from '#web/ui/notice.tsx';
import { Progress } from '#web/ui/upload-progress.tsx';
import { messages, type TimeEntryImport } from '../contract.ts';
import { isAtWork, useOneImport } from './admin-api.ts';

/** What became of the import that was just begun, and how far it is. */
export function ImportDone({ started }: { started: TimeEntryImport }) {
  const { t, say, language } = useTranslation();
  const now = useOneImport(started).data?.timeEntryImport ?? started;
  return (
    <Notice>
      <div role="status" className="flex flex-col gap-2">
        {isAtWork(now) ? (
          <>
            <p>{progressText(now, t)}</p>
            <Progress label={progressText(now, t)} share={shareOf(now)} />
            <p className="text-soft">{t('hours:goesOn')}</p>
          </>
        ) : now.state === 'undone' ? (
          <p>{say(messages.undone(now.undone))}</p>
        ) : (
          <p>{say(messages.imported(now.made, formatHours(now.hours, language)))}</p>
        )}
        {now.state === 'stopped' && <p>{t('hours:stopped')}</p>}
        {now.leftOut > 0 && <p>{t('hours:wereLeftOut', { count: now.leftOut })}</p>}
      </div>
    </Notice>
  );
}

/** How far an import or its undoing is, from 0 to 1. */
export function shareOf({ state, planned, made, leftOut, undone }: TimeEntryImport): number {
  return state === 'undoing' ? undone / Math.max(made, 1) : (made + leftOut) / Math.max(planned, 1);
}

/** The same in words. */
export function progressText(now: TimeEntryImport, t: ReturnType<typeof useTranslation>['t']): string {
  return now.state === 'undoing'
    ? t('hours:undoingSoFar', { done: now.undone, total: now.made })
    : t('hours:importedSoFar', { done: now.made + now.leftOut, total: now.planned });
}
