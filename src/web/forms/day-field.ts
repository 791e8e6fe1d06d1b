import { type CalendarDate, isCalendarDate } from '#shared/calendar-date.ts';
import { commonMessages } from '#shared/common-messages.ts';
import type { FieldBinding } from './use-form.ts';

/** Binds a day to the browser's date input, whose value is a string, empty for none. */
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

/**
 * Returns the named fields whose date is incomplete or does not exist. The browser reports them as empty, but they must
 * not count as blank.
 */
export function invalidDayFields<Name extends string>(form: HTMLFormElement, names: readonly Name[]) {
  const isHalfTyped = (name: string) => {
    const field = form.elements.namedItem(name);
    return field instanceof HTMLInputElement && field.validity.badInput;
  };
  const faults = names.filter(isHalfTyped).map((name) => [name, commonMessages.date]);
  return Object.fromEntries(faults) as Partial<Record<Name, typeof commonMessages.date>>;
}
