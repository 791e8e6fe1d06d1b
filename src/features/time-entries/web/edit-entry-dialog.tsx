import { useActivities } from '#features/activities/web/api.ts';
import type { CalendarDate } from '#shared/calendar-date.ts';
import type { Id } from '#shared/id.ts';
import { foldForSearch } from '#shared/text-normalization.ts';
import { useForm } from '#web/forms/use-form.ts';
import { useTranslation } from '#web/i18n/translate.ts';
import { Dialog } from '#web/ui/dialog.tsx';
import { DialogForm } from '#web/ui/dialog-form.tsx';
import { Select } from '#web/ui/select.tsx';
import { notify } from '#web/ui/toasts.ts';
import { type TimeEntry, updateTimeEntry } from '../contract.ts';
import { useEditEntry } from './api.ts';
import { ClosedReason } from './closed-period-reason.tsx';
import type { ClosedDayReason } from './closed-periods.ts';
import { DayField, entryProblems, HoursField, NotesField } from './entry-form-fields.tsx';
import { EntryFacts } from './entry-row.tsx';

export type EditEntryDialogProps = {
  /** The entry to edit; undefined while the dialog is closed. */
  entry: TimeEntry | undefined;
  today: CalendarDate;
  /** Whether a day's hours are known to be closed; null means today. */
  isClosed?: ((date: string | null) => boolean) | undefined;
  /** The closed days, where closed hours cannot be changed. */
  closedOn?: ClosedDayReason | undefined;
  onClose: () => void;
  /** Loads the current entry after another user has changed it. */
  onReload: () => void;
};

/** Edits an entry in a dialog, shown as a bottom sheet on phones. */
export function EditEntryDialog(props: EditEntryDialogProps) {
  const { entry, onClose } = props;
  const { t } = useTranslation();
  return (
    <Dialog title={t('time-entries:editTitle')} isOpen={entry !== undefined} onClose={onClose}>
      {entry !== undefined && <EditEntryForm key={`${entry.id} ${entry.version}`} {...props} entry={entry} />}
    </Dialog>
  );
}

/** The same fields as for a new entry, prefilled. */
export function EditEntryForm({
  entry,
  today,
  isClosed,
  closedOn,
  onClose,
  onReload,
}: EditEntryDialogProps & { entry: TimeEntry }) {
  const { t } = useTranslation();
  const edit = useEditEntry();
  const activities = useActivities(entry.schoolId);
  // An entry may keep an activity that was deactivated since; other inactive activities cannot be picked.
  const choices = [entry.activity, ...(activities.data ?? []).filter(({ id }) => id !== entry.activityId)]
    .filter((activity) => activity.isActive || activity.id === entry.activityId)
    .toSorted((a, b) => (foldForSearch(a.name) < foldForSearch(b.name) ? -1 : 1));
  const activityOf = (id: Id | undefined) => choices.find((activity) => activity.id === id);
  const initial: EditValues = {
    activityId: entry.activityId,
    hours: entry.hours,
    entryDate: entry.entryDate,
    notes: entry.notes ?? '',
    reason: '',
  };
  const form = useForm({
    schema: updateTimeEntry.parts.body,
    initial,
    draft: `entry ${entry.id}`,
    check: (values, element) =>
      entryProblems(values, {
        activity: activityOf(values.activityId),
        today,
        closedOn,
        form: element,
      }),
    send: async (body) => {
      const { message } = await edit.mutateAsync({ entry, body });
      notify.success(message);
      onClose();
    },
  });
  const activityField = form.field('activityId');
  return (
    <DialogForm form={form} onCancel={onClose} onReload={onReload}>
      <EntryFacts entry={entry} />
      <Select
        {...activityField}
        label={t('time-entries:activity')}
        value={String(activityField.value ?? '')}
        onChange={(value) => activityField.onChange(value === '' ? undefined : Number(value))}
        choices={choices.map(({ id, name }) => ({ value: String(id), text: name }))}
      />
      <HoursField field={form.field('hours')} />
      <DayField today={today} field={form.field('entryDate')} />
      <NotesField activity={activityOf(form.values.activityId)} field={form.field('notes')} />
      <ClosedReason
        field={form.field('reason')}
        isClosed={[entry.entryDate, form.values.entryDate].some((date) => isClosed?.(date) ?? false)}
      />
    </DialogForm>
  );
}

type EditValues = {
  activityId: Id | undefined;
  hours: number | undefined;
  entryDate: string | null;
  notes: string;
  reason: string;
};
