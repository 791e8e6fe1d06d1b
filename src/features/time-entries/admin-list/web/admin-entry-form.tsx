import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useRef, useState } from 'react';
import type * as z from 'zod/mini';
import type { Activity } from '#features/activities/contract.ts';
import { useActivities } from '#features/activities/web/api.ts';
import type { PublicSchool } from '#features/schools/contract.ts';
import { type CalendarDate, formatDay, isCalendarDate } from '#shared/calendar-date.ts';
import { formatHours, type Hours } from '#shared/hours.ts';
import type { Id } from '#shared/id.ts';
import { type FieldBinding, type FormOptions, useForm } from '#web/forms/use-form.ts';
import { type Text, useTranslation } from '#web/i18n/translate.ts';
import { Notice } from '#web/ui/notice.tsx';
import { Select } from '#web/ui/select.tsx';
import { notify } from '#web/ui/toasts.ts';
import { sumExistingHours } from '../../contract.ts';
import { entryProblems } from '../../web/entry-form-fields.tsx';
import { fetchEntriesOfDay } from './admin-api.ts';
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
 * whether the chosen day is closed. Closes the panel after success.
 */
export function useEntryForm<S extends z.core.$ZodType, Values extends EntryValues>({
  school,
  today,
  log,
  onClose,
  ...options
}: EntryFormOptions<S, Values>) {
  const client = useQueryClient();
  // A mutation, because its failures can mean that the viewer's permissions have changed.
  const { mutateAsync } = useMutation({ mutationFn: log });
  const activities = (useActivities(school.id).data ?? []).filter(({ isActive }) => isActive);
  const activityOf = (values: Values) => activities.find(({ id }) => id === values.activityId);
  const isClosed = useIsClosed(school, today);
  const form = useForm<S, Values>({
    ...options,
    check: (values, element) =>
      entryProblems(values, {
        activity: activityOf(values),
        today,
        form: element,
      }),
    send: async (body) => {
      const { message, undo } = await mutateAsync(body);
      void client.invalidateQueries({ queryKey: ['time-entries'] });
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

/** Asks before more hours are logged for the same activity and day (`useDuplicateWarning`). */
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

/** Hours that are about to be logged for a volunteer. */
export type PendingHours = Readonly<{ userId: Id; name: string; hours: Hours | undefined }>;

type DuplicateCheck = Readonly<{
  adding: readonly PendingHours[];
  activity: Activity | undefined;
  entryDate: string | null;
  today: CalendarDate;
}>;

type Submit = (event: FormEvent<HTMLFormElement>) => Promise<void>;

/** The most names in a question. */
const MAX_NAMED = 5;

/**
 * Asks once before logging hours for volunteers who already have some for the same activity and day, according to the server at
 * that moment. Asks again after a change of volunteers, hours, activity or day. Asks nothing when the check fails.
 */
export function useDuplicateWarning({ adding, activity, entryDate, today }: DuplicateCheck) {
  const text = useTranslation();
  const [asked, setAsked] = useState<{ key: string; question: string }>();
  const checked = useRef<string>(undefined);
  const isChecking = useRef(false);
  const date = entryDate !== null && isCalendarDate(entryDate) ? entryDate : today;
  const key = JSON.stringify([activity?.id, date, adding.map(({ userId, hours }) => [userId, hours])]);
  const isComplete = adding.length > 0 && adding.every(({ hours }) => hours !== undefined);

  async function check(form: HTMLFormElement, of: Activity): Promise<void> {
    isChecking.current = true;
    const already = await findExistingHours(adding, of, date).catch(() => []);
    isChecking.current = false;
    checked.current = key;
    if (already.length === 0) form.requestSubmit();
    else setAsked({ key, question: duplicateQuestion(already, { activity: of, date, today }, text) });
  }

  return {
    question: asked?.key === key ? asked.question : undefined,
    before:
      (submit: Submit): Submit =>
      async (event) => {
        if (activity === undefined || !isComplete || checked.current === key) return submit(event);
        event.preventDefault();
        if (!isChecking.current) await check(event.currentTarget, activity);
      },
  };
}

type ExistingHours = PendingHours & { already: Hours };

async function findExistingHours(
  adding: readonly PendingHours[],
  activity: Activity,
  date: CalendarDate,
): Promise<ExistingHours[]> {
  const [only, ...others] = adding;
  const entries = await fetchEntriesOfDay(activity, date, others.length === 0 ? only?.userId : undefined);
  return adding
    .map((one) => ({
      ...one,
      already: sumExistingHours(
        entries.filter(({ user }) => user.id === one.userId),
        { activityId: activity.id, entryDate: date },
      ),
    }))
    .filter(({ already }) => already > 0);
}

function duplicateQuestion(
  already: readonly ExistingHours[],
  on: { activity: Activity; date: CalendarDate; today: CalendarDate },
  { t, language }: Text,
): string {
  const isToday = on.date === on.today;
  const values = { activity: on.activity.name, date: formatDay(on.date, language) };
  const [only, ...others] = already;
  if (only !== undefined && others.length === 0) {
    return t(isToday ? 'time-entries:hasToday' : 'time-entries:hasOn', {
      ...values,
      name: only.name,
      already: formatHours(only.already, language),
      hours: formatHours(only.hours ?? 0, language),
    });
  }
  const named = already
    .slice(0, MAX_NAMED)
    .map(({ name, already: had }) =>
      t('time-entries:nameWithHours', { name, hours: formatHours(had, language) }),
    );
  const left = already.length - named.length;
  const people = [...named, ...(left > 0 ? [t('time-entries:othersWithHours', { count: left })] : [])];
  return t(isToday ? 'time-entries:haveToday' : 'time-entries:haveOn', {
    ...values,
    people: people.join(', '),
  });
}
