import type * as z from 'zod/mini';
import type { Activity } from '#features/activities/contract.ts';
import { useActivities } from '#features/activities/web/api.ts';
import type { PublicSchool } from '#features/schools/contract.ts';
import type { CalendarDate } from '#shared/calendar-date.ts';
import type { Id } from '#shared/id.ts';
import { type FieldBinding, type FormOptions, useForm } from '#web/forms/use-form.ts';
import { useTranslation } from '#web/i18n/translate.ts';
import { Notice } from '#web/ui/notice.tsx';
import { Select } from '#web/ui/select.tsx';
import { notify } from '#web/ui/toasts.ts';
import { messages } from '../../contract.ts';
import { entryProblems } from '../../web/entry-form-fields.tsx';
import { useIsClosed } from './admin-closed-periods.ts';

type EntryValues = { activityId: Id | undefined; entryDate: string | null; notes: string; reason: string };

type EntryFormOptions<S extends z.core.$ZodType, Values> = Pick<
  FormOptions<S, Values>,
  'schema' | 'initial' | 'draft' | 'whenLeft'
> & {
  school: PublicSchool;
  today: CalendarDate;
  log: (body: z.core.output<S>) => Promise<{ message: string; undo?: () => void }>;
  onClose: () => void;
};

/**
 * The state of a panel form that logs hours for others: the school's active activities, the rules for an entry, and
 * whether the chosen day is closed, and
 * closing after success.
 */
export function useEntryForm<S extends z.core.$ZodType, Values extends EntryValues>(
  options: EntryFormOptions<S, Values>,
) {
  const { schema, initial, draft, school, today, log, onClose, whenLeft = 'ask' } = options;
  const { say } = useTranslation();
  const activities = (useActivities(school.id).data ?? []).filter(({ isActive }) => isActive);
  const activityOf = (values: Values) => activities.find(({ id }) => id === values.activityId);
  const isClosed = useIsClosed(school, today);
  const form = useForm<S, Values>({
    schema,
    initial,
    ...(draft === undefined ? {} : { draft }),
    whenLeft,
    check: (values, element) =>
      entryProblems(values, {
        activity: activityOf(values),
        today,
        defaultPrompt: say(messages.defaultPrompt),
        form: element,
      }),
    send: async (body) => {
      const { message, undo } = await log(body);
      notify.success(message, undo === undefined ? {} : { undo });
      onClose();
    },
  });
  const { entryDate } = form.values;
  return { form, activities, activity: activityOf(form.values), isClosed: isClosed(entryDate) };
}

type ActivitySelectProps = { field: FieldBinding<Id | undefined>; activities: readonly Activity[] };

/** Chooses the activity the hours are for. */
export function ActivitySelect({ field, activities }: ActivitySelectProps) {
  const { t } = useTranslation();
  return (
    <Select
      {...field}
      label={t('time-entries:activity')}
      prompt={t('time-entries:chooseActivity')}
      value={String(field.value ?? '')}
      onChange={(value) => field.onChange(value === '' ? undefined : Number(value))}
      choices={activities.map(({ id, name }) => ({ value: String(id), text: name }))}
    />
  );
}

/** The question before more hours are logged for the same activity and day (`useDuplicateWarning`). */
export function DuplicateWarning({ question }: { question: string | undefined }) {
  return (
    <div role="status" className="not-has-[p]:-mt-2">
      {question !== undefined && (
        <Notice>
          <p className="wrap-anywhere">{question}</p>
        </Notice>
      )}
    </div>
  );
}
