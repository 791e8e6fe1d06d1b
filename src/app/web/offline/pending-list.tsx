import { Download, Pencil, RotateCw, Trash2 } from 'lucide-react';
import { type ReactNode, useId, useState } from 'react';
import { isOfflinePhoto } from '#features/photos/web/offline-photos.ts';
import { EditOfflineHoursDialog } from '#features/time-entries/web/edit-offline-hours-dialog.tsx';
import { isHours, type OfflineHours } from '#features/time-entries/web/offline-hours.ts';
import { type CalendarDate, formatDayShort } from '#shared/calendar-date.ts';
import { formatHours } from '#shared/hours.ts';
import { useTranslation } from '#web/i18n/translate.ts';
import { type PendingChange, usePendingChanges } from '#web/offline/pending-changes.ts';
import { Button, IconButton } from '#web/ui/button.tsx';
import { CategoryDot } from '#web/ui/category.tsx';
import { ConfirmRemove } from '#web/ui/confirm-remove.tsx';
import type { OfflineSession } from './offline-data.ts';
import { saveFile } from './pending-summary.ts';

type Change = Partial<Pick<PendingChange, 'what' | 'isEdited' | 'refusal'>>;

// Stores an edit of a pending change, and tries to send the change.
async function storeChange(session: OfflineSession, id: string | undefined, change: Change): Promise<void> {
  if (id === undefined) return;
  const store = await session.store;
  await store?.change(id, change);
  await session.changed();
}

async function removePending(session: OfflineSession, waiting: PendingChange | undefined): Promise<void> {
  const store = await session.store;
  if (waiting !== undefined) await store?.remove(waiting.id);
  await session.changed();
}

// Sends a rejected change again, because the user has confirmed it or the reason may be gone.
function sendAgain(session: OfflineSession, waiting: PendingChange): Promise<void> {
  if (waiting.refusal?.isQuestion === true && isHours(waiting)) {
    return storeChange(session, waiting.id, { what: { ...waiting.what, isSure: true }, refusal: undefined });
  }
  return storeChange(session, waiting.id, { refusal: undefined });
}

type PendingListProps = {
  session: OfflineSession;
  today: CalendarDate;
};

/** The pending changes on this device, in the order in which they were made. */
export function PendingList({ session, today }: PendingListProps) {
  const { t } = useTranslation();
  const id = useId();
  const { waiting, sendingId } = usePendingChanges();
  const [editing, setEditing] = useState<PendingChange<OfflineHours>>();
  const [removing, setRemoving] = useState<PendingChange>();
  if (waiting.length === 0) return null;
  return (
    <section aria-labelledby={id} className="mt-2 mb-4 flex flex-col gap-2 print:hidden">
      <h2 id={id} className="px-1 font-semibold">
        {t('web:notSentYet', { count: waiting.length })}
      </h2>
      <ul className="divide-y divide-line rounded-card border border-line bg-card">
        {waiting.map((one) => (
          <Row
            key={one.id}
            waiting={one}
            isSending={one.id === sendingId}
            session={session}
            onEdit={isHours(one) ? () => setEditing(one) : undefined}
            onRemove={() => setRemoving(one)}
          />
        ))}
      </ul>
      <EditOfflineHoursDialog
        waiting={editing}
        today={today}
        onSave={(what) => storeChange(session, editing?.id, { what, isEdited: true, refusal: undefined })}
        onClose={() => setEditing(undefined)}
      />
      <ConfirmRemove
        title={t('web:removeTitle')}
        question={removing && t(removing.isTried ? 'web:removePerhapsSent' : 'web:removeNeverSent')}
        confirmText={t('web:removeKept')}
        onConfirm={() => removePending(session, removing).then(() => setRemoving(undefined))}
        onClose={() => setRemoving(undefined)}
      />
    </section>
  );
}

type RowProps = {
  waiting: PendingChange;
  isSending: boolean;
  session: OfflineSession;
  onEdit: (() => void) | undefined;
  onRemove: () => void;
};

function Row({ waiting, isSending, session, onEdit, onRemove }: RowProps) {
  const { t } = useTranslation();
  const { title, name, detail, dot } = useFacts(waiting);
  const { refusal } = waiting;
  return (
    <li className="flex flex-col py-1.5 pr-1.5 pl-4 sm:pr-2">
      <div className="flex flex-wrap items-center justify-end gap-x-3">
        {dot}
        <span className="min-w-0 grow basis-16 py-2 font-medium wrap-anywhere">{title}</span>
        <span className="figures shrink-0 text-dense">{detail}</span>
        <span className="-ml-1.5 flex shrink-0">
          {isOfflinePhoto(waiting) && refusal !== undefined && (
            <IconButton
              label={t('photos:saveWaiting', { name: waiting.what.name })}
              icon={<Download aria-hidden="true" className="size-5" />}
              onPress={() => void saveFile(session, waiting)}
            />
          )}
          {onEdit !== undefined && (
            <IconButton
              label={t('time-entries:edit', name)}
              icon={<Pencil aria-hidden="true" className="size-5" />}
              onPress={onEdit}
              isDisabled={isSending}
            />
          )}
          <IconButton
            label={t('web:remove', { name: `${name.activity} ${name.hours} ${name.date}`.trim() })}
            icon={<Trash2 aria-hidden="true" className="size-5" />}
            onPress={onRemove}
            isDisabled={isSending}
          />
        </span>
      </div>
      {isSending && <p className="pb-2 text-dense text-soft">{t('web:onItsWay')}</p>}
      {refusal !== undefined && !isSending && (
        <div className="flex flex-wrap items-center gap-x-3 gap-y-1 pr-3 pb-2">
          <p
            className={`min-w-0 grow basis-24 text-dense wrap-anywhere ${refusal.isQuestion ? '' : 'text-danger'}`}
          >
            {refusal.isQuestion
              ? t('web:askBeforeSending', { question: refusal.said })
              : t('web:couldNotSend', { reason: refusal.said })}
          </p>
          <Button
            icon={<RotateCw aria-hidden="true" className="size-4" />}
            label={t(refusal.isQuestion ? 'web:sendAnywayFor' : 'web:trySendingAgain', { what: title })}
            onPress={() => void sendAgain(session, waiting)}
          >
            {refusal.isQuestion ? t('web:sendAnyway') : t('web:tryAgain')}
          </Button>
        </div>
      )}
    </li>
  );
}

// Returns the text of a row and the names of its buttons.
function useFacts(waiting: PendingChange): {
  title: string;
  detail: string;
  name: { activity: string; hours: string; date: string };
  dot?: ReactNode;
} {
  const { t, language } = useTranslation();
  if (isHours(waiting)) {
    const { activity, body } = waiting.what;
    const hours = t('time-entries:shortHours', { hours: formatHours(Number(body.hours), language) });
    const date = formatDayShort(body.entryDate, language);
    return {
      title: activity.name,
      detail: `${hours} · ${date}`,
      name: { activity: activity.name, hours, date },
      dot: <CategoryDot color={activity.category.color} />,
    };
  }
  const name = isOfflinePhoto(waiting) ? waiting.what.name : '';
  return {
    title: t('photos:waitingPhoto', { name }),
    detail: '',
    name: { activity: name, hours: '', date: '' },
  };
}
