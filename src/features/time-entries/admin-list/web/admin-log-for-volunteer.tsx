import type { PublicSchool } from '#features/schools/contract.ts';
import type { NamedUser } from '#features/users/web/admin-api.ts';
import { UserPicker } from '#features/users/web/admin-user-picker.tsx';
import type { CalendarDate } from '#shared/calendar-date.ts';
import { formatHours } from '#shared/hours.ts';
import type { Id } from '#shared/id.ts';
import { call } from '#web/api/call.ts';
import { useTranslation } from '#web/i18n/translate.ts';
import { PanelForm } from '#web/ui/admin/panel-form.tsx';
import { Button } from '#web/ui/button.tsx';
import { FieldError } from '#web/ui/labeled-field.tsx';
import { createTimeEntryFor } from '../../contract.ts';
import { ClosedReason } from '../../web/closed-period-reason.tsx';
import { DayField, HoursField, NotesField } from '../../web/entry-form-fields.tsx';
import { ActivitySelect, DuplicateWarning, useDuplicateWarning, useEntryForm } from './admin-entry-form.tsx';

type LogForFormProps = { school: PublicSchool; today: CalendarDate; onClose: () => void };

type LogForValues = {
  userId: Id | undefined;
  person: NamedUser | undefined;
  activityId: Id | undefined;
  hours: number | undefined;
  entryDate: string | null;
  notes: string;
  reason: string;
  schoolId: Id;
};

/** Logs hours on behalf of a volunteer of the school. */
export function LogForForm({ school, today, onClose }: LogForFormProps) {
  const { t, language } = useTranslation();
  const initial: LogForValues = {
    userId: undefined,
    person: undefined,
    activityId: undefined,
    hours: undefined,
    entryDate: null,
    notes: '',
    reason: '',
    schoolId: school.id,
  };
  const { form, activities, activity, isClosed } = useEntryForm({
    schema: createTimeEntryFor.parts.body,
    initial,
    school,
    today,
    draft: `log for somebody at ${school.id}`,
    log: (body) => call(createTimeEntryFor, { body }),
    onClose,
  });
  const { person } = form.values;
  const userError = form.field('userId').error;
  function choose(next: NamedUser | undefined) {
    form.set('person', next);
    form.set('userId', next?.id);
  }
  const { hours, entryDate } = form.values;
  const already = useDuplicateWarning({
    adding: person === undefined ? [] : [{ userId: person.id, name: person.name, hours }],
    activity,
    entryDate,
    today,
  });
  return (
    <PanelForm
      question={<DuplicateWarning question={already.question} />}
      form={{ ...form, onSubmit: already.before(form.onSubmit) }}
      saveText={
        already.question === undefined
          ? t('time-entries:logHours')
          : t('time-entries:logMore', { hours: formatHours(hours ?? 0, language) })
      }
      onCancel={onClose}
    >
      <div className="flex flex-col gap-1.5" data-at-fault={userError === undefined ? undefined : ''}>
        <p className="font-medium">{t('time-entries:user')}</p>
        {person === undefined ? (
          <UserPicker schoolId={school.id} onPick={choose} />
        ) : (
          <div
            ref={focusChange}
            className="flex items-center justify-between gap-3 rounded-xl bg-wash py-1 pr-1 pl-4"
          >
            <span className="min-w-0 font-medium wrap-anywhere">{person.name}</span>
            <Button kind="plain" onPress={() => choose(undefined)}>
              {t('time-entries:change')}
            </Button>
          </div>
        )}
        {userError !== undefined && <FieldError id="log-for-person" text={userError} />}
      </div>
      <ActivitySelect field={form.field('activityId')} activities={activities} />
      <HoursField field={form.field('hours')} />
      <DayField today={today} field={form.field('entryDate')} />
      <NotesField activity={activity} field={form.field('notes')} />
      <ClosedReason field={form.field('reason')} isClosed={isClosed} />
    </PanelForm>
  );
}

// The list that had the focus is gone, so the button takes it.
function focusChange(box: HTMLElement | null): void {
  box?.querySelector('button')?.focus();
}
