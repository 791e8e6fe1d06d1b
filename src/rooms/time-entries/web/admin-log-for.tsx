import type { CalendarDate } from '#base/calendar-date.ts';
import type { Id } from '#base/id.ts';
import { useActivities } from '#rooms/activities/web/api.ts';
import type { PublicSchool } from '#rooms/schools/contract.ts';
import type { NamedUser } from '#rooms/users/web/admin-api.ts';
import { UserPicker } from '#rooms/users/web/admin-user-picker.tsx';
import { notify } from '#web/lib/notify.ts';
import { useText } from '#web/lib/text.ts';
import { useForm } from '#web/lib/use-form.ts';
import { PanelForm } from '#web/ui/admin/panel-form.tsx';
import { Button } from '#web/ui/button.tsx';
import { FieldError } from '#web/ui/labelled.tsx';
import { NumberField } from '#web/ui/number-field.tsx';
import { Select } from '#web/ui/select.tsx';
import { HOURS, messages, TimeEntryForInput } from '../contract.ts';
import { useLogFor } from './admin-api.ts';
import { DayField, entryProblems, NotesField } from './entry-fields.tsx';

type LogForFormProps = { school: PublicSchool; today: CalendarDate; onClose: () => void };

type LogForValues = {
  userId: Id | undefined;
  person: NamedUser | undefined;
  activityId: Id | undefined;
  hours: number | undefined;
  entryDate: string | null;
  notes: string;
  schoolId: Id;
};

/** Logs hours on behalf of a volunteer of the school. */
export function LogForForm({ school, today, onClose }: LogForFormProps) {
  const { t, say } = useText();
  const log = useLogFor();
  const activities = (useActivities(school.id).data ?? []).filter(({ isActive }) => isActive);
  const initial: LogForValues = {
    userId: undefined,
    person: undefined,
    activityId: undefined,
    hours: undefined,
    entryDate: null,
    notes: '',
    schoolId: school.id,
  };
  const form = useForm({
    schema: TimeEntryForInput,
    initial,
    check: (values) =>
      entryProblems(values, {
        activity: activities.find(({ id }) => id === values.activityId),
        today,
        defaultPrompt: say(messages.defaultPrompt),
        form: document.querySelector<HTMLFormElement>('[role="dialog"] form'),
      }),
    send: async (body) => {
      const { message } = await log.mutateAsync(body);
      notify.success(message);
      onClose();
    },
  });
  const { person, activityId } = form.values;
  const activity = form.field('activityId');
  const userError = form.field('userId').error;
  function choose(next: NamedUser | undefined) {
    form.set('person', next);
    form.set('userId', next?.id);
  }
  return (
    <PanelForm form={form} saveText={t('time-entries:logHours')} onCancel={onClose}>
      <div className="flex flex-col gap-1.5" data-at-fault={userError === undefined ? undefined : ''}>
        <p className="font-medium">{t('time-entries:user')}</p>
        {person === undefined ? (
          <UserPicker schoolId={school.id} onPick={choose} />
        ) : (
          <div className="flex items-center justify-between gap-3 rounded-xl bg-wash py-1 pr-1 pl-4">
            <span className="min-w-0 font-medium wrap-anywhere">{person.name}</span>
            <Button kind="plain" onPress={() => choose(undefined)}>
              {t('time-entries:change')}
            </Button>
          </div>
        )}
        {userError !== undefined && <FieldError id="log-for-person" text={userError} />}
      </div>
      <Select
        {...activity}
        label={t('time-entries:activity')}
        prompt={t('time-entries:chooseActivity')}
        value={String(activity.value ?? '')}
        onChange={(value) => activity.onChange(value === '' ? undefined : Number(value))}
        choices={activities.map(({ id, name }) => ({ value: String(id), text: name }))}
      />
      <NumberField {...form.field('hours')} label={t('time-entries:hoursField')} {...HOURS} isRequired />
      <DayField today={today} field={form.field('entryDate')} />
      <NotesField activity={activities.find(({ id }) => id === activityId)} field={form.field('notes')} />
    </PanelForm>
  );
}
