import { type CalendarDate, isCalendarDate } from '#base/calendar-date.ts';
import { baseMessages } from '#base/messages.ts';
import type { FieldBinding } from './use-form.ts';

/** A day in a form as the field of the device has it: a text, empty for none. */
export function dayBinding(
  field: FieldBinding<CalendarDate | null>,
  onChange: (date: CalendarDate | null) => void,
): FieldBinding<string> {
  return {
    ...field,
    value: field.value ?? '',
    onChange: (value) => onChange(isCalendarDate(value) ? value : null),
  };
}

/** A browser gives no value for a day that is half typed or does not exist; it must not be taken for none. */
export function halfTypedDays<Name extends string>(form: HTMLFormElement, names: readonly Name[]) {
  const isHalfTyped = (name: string) => {
    const field = form.elements.namedItem(name);
    return field instanceof HTMLInputElement && field.validity.badInput;
  };
  const faults = names.filter(isHalfTyped).map((name) => [name, baseMessages.date]);
  return Object.fromEntries(faults) as Partial<Record<Name, typeof baseMessages.date>>;
}
