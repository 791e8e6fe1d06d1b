import type { CalendarDate } from '#base/calendar-date.ts';
import type { Id } from '#base/id.ts';
import type { PublicSchool } from '#rooms/schools/contract.ts';
import { UserPicker } from '#rooms/users/web/admin-user-picker.tsx';
import { useText } from '#web/lib/text.ts';
import { NumberRow } from '#web/ui/admin/number-row.tsx';
import { PanelForm } from '#web/ui/admin/panel-form.tsx';
import { FieldError } from '#web/ui/labelled.tsx';
import { NumberField } from '#web/ui/number-field.tsx';
import { HOURS } from '../contract.ts';
import { logRoster } from '../roster-contract.ts';
import { useAlreadyHas } from './admin-already-has.ts';
import { useLogRoster } from './admin-api.ts';
import { ActivitySelect, AlreadyHas, useEntryForm } from './admin-entry-form.tsx';
import { ClosedReason } from './closed-reason.tsx';
import { DayField, NotesField } from './entry-fields.tsx';

type RosterFormProps = { school: PublicSchool; today: CalendarDate; onClose: () => void };

type RosterRow = Readonly<{ userId: Id; name: string; hours: number | undefined }>;

type RosterValues = {
  activityId: Id | undefined;
  entryDate: string | null;
  hours: number | undefined;
  entries: RosterRow[];
  notes: string;
  reason: string;
  schoolId: Id;
};

/** Logs one event for many volunteers: the same activity, day and note, with separate hours for each. */
export function RosterForm({ school, today, onClose }: RosterFormProps) {
  const { t } = useText();
  const log = useLogRoster();
  const initial: RosterValues = {
    activityId: undefined,
    entryDate: null,
    hours: 1,
    entries: [],
    notes: '',
    reason: '',
    schoolId: school.id,
  };
  const { form, activities, activity, isClosed } = useEntryForm({
    schema: logRoster.parts.body,
    initial,
    school,
    today,
    log: log.mutateAsync,
    onClose,
  });
  const { entries, hours } = form.values;
  const entriesError = form.field('entries').error;
  // Volunteers who had the common hours get the new ones; hours set individually stay.
  function setHours(next: number | undefined) {
    form.set(
      'entries',
      entries.map((row) => (row.hours === hours ? { ...row, hours: next } : row)),
    );
    form.set('hours', next);
  }
  const already = useAlreadyHas({ adding: entries, activity, entryDate: form.values.entryDate, today });
  return (
    <PanelForm
      form={{ ...form, onSubmit: already.before(form.onSubmit) }}
      saveText={
        already.question !== undefined
          ? t('time-entries:logAllTheSame')
          : entries.length === 0
            ? t('time-entries:logHours')
            : t('time-entries:logForCount', { count: entries.length })
      }
      onCancel={onClose}
    >
      <ActivitySelect field={form.field('activityId')} activities={activities} />
      <DayField today={today} field={form.field('entryDate')} />
      <NumberField
        {...form.field('hours')}
        onChange={setHours}
        label={t('time-entries:hoursEach')}
        hint={t('time-entries:hoursEachHint')}
        {...HOURS}
      />
      <div className="flex flex-col gap-2" data-at-fault={entriesError === undefined ? undefined : ''}>
        <p className="font-medium">{t('time-entries:volunteers', { count: entries.length })}</p>
        {entries.length > 0 && (
          <ul className="divide-y divide-line rounded-xl border border-line">
            {entries.map((row, at) => (
              <NumberRow
                key={row.userId}
                name={row.name}
                label={t('time-entries:hoursOf', { name: row.name })}
                removeLabel={t('web:remove', { name: row.name })}
                value={row.hours}
                error={form.rowError('entries', at)}
                {...HOURS}
                onChange={(next) =>
                  form.set(
                    'entries',
                    entries.map((one) => (one === row ? { ...one, hours: next } : one)),
                  )
                }
                onRemove={() =>
                  form.set(
                    'entries',
                    entries.filter((one) => one !== row),
                  )
                }
              />
            ))}
          </ul>
        )}
        <UserPicker
          schoolId={school.id}
          without={new Set(entries.map(({ userId }) => userId))}
          onPick={({ id, name }) => form.set('entries', [...entries, { userId: id, name, hours }])}
        />
        {entriesError !== undefined && <FieldError id="roster-volunteers" text={entriesError} />}
      </div>
      <NotesField activity={activity} field={form.field('notes')} />
      <ClosedReason field={form.field('reason')} isClosed={isClosed} />
      <AlreadyHas question={already.question} />
    </PanelForm>
  );
}
