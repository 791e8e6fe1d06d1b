import { type FormEvent, useRef, useState } from 'react';
import type { Activity } from '#features/activities/contract.ts';
import { type CalendarDate, formatDay, isCalendarDate } from '#shared/calendar-date.ts';
import { formatHours, type Hours } from '#shared/hours.ts';
import type { Id } from '#shared/id.ts';
import { type Text, useTranslation } from '#web/i18n/translate.ts';
import { hoursAlready } from '../../contract.ts';
import { entriesOfDay } from './admin-api.ts';

/** Hours that are about to be logged for somebody. */
export type Adding = Readonly<{ userId: Id; name: string; hours: Hours | undefined }>;

type AboutToLog = Readonly<{
  adding: readonly Adding[];
  activity: Activity | undefined;
  entryDate: string | null;
  today: CalendarDate;
}>;

type Submit = (event: FormEvent<HTMLFormElement>) => Promise<void>;

/** As many people as a question names. */
const NAMED = 5;

/**
 * Asks once before hours are logged for people who have some for the same activity and day, as far as the server knows
 * at that moment; a change of people, hours, activity or day asks again. When it cannot be known, nothing is asked.
 */
export function useDuplicateWarning({ adding, activity, entryDate, today }: AboutToLog) {
  const text = useTranslation();
  const [asked, setAsked] = useState<{ key: string; question: string }>();
  const checked = useRef<string>(undefined);
  const isChecking = useRef(false);
  const date = entryDate !== null && isCalendarDate(entryDate) ? entryDate : today;
  const key = JSON.stringify([activity?.id, date, adding.map(({ userId, hours }) => [userId, hours])]);
  const isComplete = adding.length > 0 && adding.every(({ hours }) => hours !== undefined);

  async function check(form: HTMLFormElement, of: Activity): Promise<void> {
    isChecking.current = true;
    const already = await whoHas(adding, of, date).catch(() => []);
    isChecking.current = false;
    checked.current = key;
    if (already.length === 0) form.requestSubmit();
    else setAsked({ key, question: questionFor(already, { activity: of, date, today }, text) });
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

type Having = Adding & { already: Hours };

async function whoHas(adding: readonly Adding[], activity: Activity, date: CalendarDate): Promise<Having[]> {
  const [only, ...others] = adding;
  const entries = await entriesOfDay(activity, date, others.length === 0 ? only?.userId : undefined);
  return adding
    .map((one) => ({
      ...one,
      already: hoursAlready(
        entries.filter(({ user }) => user.id === one.userId),
        { activityId: activity.id, entryDate: date },
      ),
    }))
    .filter(({ already }) => already > 0);
}

function questionFor(
  already: readonly Having[],
  on: { activity: Activity; date: CalendarDate; today: CalendarDate },
  { t, language }: Text,
): string {
  const isToday = on.date === on.today;
  const words = { activity: on.activity.name, date: formatDay(on.date, language) };
  const [only, ...others] = already;
  if (only !== undefined && others.length === 0) {
    return t(isToday ? 'time-entries:hasToday' : 'time-entries:hasOn', {
      ...words,
      name: only.name,
      already: formatHours(only.already, language),
      hours: formatHours(only.hours ?? 0, language),
    });
  }
  const named = already
    .slice(0, NAMED)
    .map(({ name, already: had }) =>
      t('time-entries:nameWithHours', { name, hours: formatHours(had, language) }),
    );
  const left = already.length - named.length;
  const people = [...named, ...(left > 0 ? [t('time-entries:othersWithHours', { count: left })] : [])];
  return t(isToday ? 'time-entries:haveToday' : 'time-entries:haveOn', {
    ...words,
    people: people.join(', '),
  });
}
