import { type CalendarDate, isCalendarDate } from '#shared/calendar-date.ts';
import { useForm } from '#web/forms/use-form.ts';
import { useTranslation } from '#web/i18n/translate.ts';
import type { PendingChange } from '#web/offline/pending-changes.ts';
import { Dialog } from '#web/ui/dialog.tsx';
import { DialogForm } from '#web/ui/dialog-form.tsx';
import { updateTimeEntry } from '../contract.ts';
import { useClosedDays } from './closed-periods.ts';
import { DayField, entryProblems, HoursField, NotesField } from './entry-form-fields.tsx';
import type { OfflineHours } from './offline-hours.ts';

type EditWaitingProps = {
  /** The hours to edit; undefined while the dialog is closed. */
  waiting: PendingChange<OfflineHours> | undefined;
  today: CalendarDate;
  onSave: (what: OfflineHours) => Promise<void>;
  onClose: () => void;
};

/** Edits hours that are queued on this device. */
export function EditOfflineHoursDialog(props: EditWaitingProps) {
  const { waiting, onClose } = props;
  const { t } = useTranslation();
  return (
    <Dialog title={t('time-entries:editWaitingTitle')} isOpen={waiting !== undefined} onClose={onClose}>
      {waiting !== undefined && <EditWaitingForm key={waiting.id} {...props} waiting={waiting} />}
    </Dialog>
  );
}

function EditWaitingForm({
  waiting,
  today,
  onSave,
  onClose,
}: EditWaitingProps & { waiting: PendingChange<OfflineHours> }) {
  const { what } = waiting;
  const { activity, body } = what;
  const closedOn = useClosedDays(activity.schoolId);
  const initial = {
    activityId: activity.id,
    hours: Number(body.hours) as number | undefined,
    entryDate: body.entryDate as string | null,
    notes: body.notes ?? '',
    reason: '',
  };
  const form = useForm({
    schema: updateTimeEntry.parts.body,
    initial,
    check: (values, element) =>
      entryProblems(values, {
        activity,
        today,
        closedOn,
        form: element,
      }),
    send: async ({ hours, entryDate, notes }) => {
      const chosen = entryDate ?? today;
      if (!isCalendarDate(chosen)) return;
      await onSave({ ...what, body: { ...body, hours, notes, entryDate: chosen } });
      onClose();
    },
  });
  return (
    <DialogForm form={form} onCancel={onClose}>
      <p className="font-medium wrap-anywhere">{activity.name}</p>
      <HoursField field={form.field('hours')} />
      <DayField today={today} field={form.field('entryDate')} />
      <NotesField activity={activity} field={form.field('notes')} />
    </DialogForm>
  );
}
