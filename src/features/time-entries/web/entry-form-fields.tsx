import type { ActivityRef } from '#features/activities/contract.ts';
import type { CalendarDate } from '#shared/calendar-date.ts';
import type { Message } from '#shared/i18n/message.ts';
import { invalidDayFields } from '#web/forms/day-field.ts';
import type { FieldBinding } from '#web/forms/use-form.ts';
import { say, useTranslation } from '#web/i18n/translate.ts';
import { DateField } from '#web/ui/date-field.tsx';
import { NumberField } from '#web/ui/number-field.tsx';
import { TextArea } from '#web/ui/text-area.tsx';
import { descriptionProblem, HOURS, LIMITS, messages } from '../contract.ts';
import type { ClosedDayReason } from './closed-periods.ts';

type DescriptionRules = Pick<ActivityRef, 'name' | 'requiresDescription' | 'descriptionPrompt'>;

/** The notes field. When the activity requires a description, its prompt is the label and the field is required. */
export function NotesField({
  activity,
  field,
}: {
  activity: DescriptionRules | undefined;
  field: FieldBinding<string>;
}) {
  const { t } = useTranslation();
  const prompt = activity?.requiresDescription
    ? (activity.descriptionPrompt ?? say(messages.defaultPrompt))
    : undefined;
  return (
    <TextArea
      {...field}
      label={prompt === undefined ? t('time-entries:notes') : capitalized(prompt)}
      max={LIMITS.notes}
      isRequired={prompt !== undefined}
    />
  );
}

/** The hours of an entry. */
export function HoursField({ field }: { field: FieldBinding<number | undefined> }) {
  const { t } = useTranslation();
  return <NumberField {...field} label={t('time-entries:hoursField')} {...HOURS} isHours isRequired />;
}

type DayFieldProps = { today: CalendarDate; field: FieldBinding<string | null> };

/** The day of an entry. Blank means today. Future days cannot be chosen. */
export function DayField({ today, field }: DayFieldProps) {
  const { t } = useTranslation();
  return (
    <DateField
      {...field}
      value={field.value ?? ''}
      onChange={(value) => field.onChange(value === '' ? null : value)}
      label={t('time-entries:date')}
      {...(field.value ? {} : { hint: t('time-entries:dateHint') })}
      max={today}
    />
  );
}

/** Errors that the schema cannot find: a future, half-typed or closed day, or a missing description. */
export function entryProblems(
  values: { entryDate: string | null; notes: string },
  given: {
    activity: DescriptionRules | undefined;
    today: CalendarDate;
    closedOn?: ClosedDayReason | undefined;
    form: HTMLFormElement;
  },
): { entryDate?: Message | string; notes?: Message } {
  const { activity, today, closedOn, form } = given;
  const day = values.entryDate ?? today;
  const missing = activity && descriptionProblem(activity, values.notes, say(messages.defaultPrompt));
  const date = day > today ? messages.future : closedOn?.(day);
  return {
    ...(date === undefined ? {} : { entryDate: date }),
    // A half-typed day must not be read as blank, which means today.
    ...invalidDayFields(form, ['entryDate']),
    ...(missing === undefined ? {} : { notes: missing }),
  };
}

function capitalized(prompt: string): string {
  const [first = '', ...rest] = prompt;
  return first.toUpperCase() + rest.join('');
}
