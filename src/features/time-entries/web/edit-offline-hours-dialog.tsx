import { type CalendarDate, isCalendarDate } from '#shared/calendar-date.ts';
import { useForm } from '#web/forms/use-form.ts';
import { useTranslation } from '#web/i18n/translate.ts';
import type { PendingChange } from '#web/offline/pending-changes.ts';
import { Dialog } from '#web/ui/dialog.tsx';
import { DialogForm } from '#web/ui/dialog-form.tsx';
import { NumberField } from '#web/ui/number-field.tsx';
import { HOURS, messages, updateTimeEntry } from '../contract.ts';
import { useClosedDays } from './closed-periods.ts';
import { DayField, entryProblems, NotesField } from './entry-form-fields.tsx';
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
  const { t, say } = useTranslation();
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
        defaultPrompt: say(messages.defaultPrompt),
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
      <NumberField
        {...form.field('hours')}
        label={t('time-entries:hoursField')}
        {...HOURS}
        isHours
        isRequired
      />
      <DayField today={today} field={form.field('entryDate')} />
      <NotesField activity={activity} field={form.field('notes')} />
    </DialogForm>
  );
}
