import { type CalendarDate, day, schoolYearStart } from '#shared/calendar-date.ts';

/** A month and the same month a year before, each as its first day. */
export type MonthOfYear = Readonly<{ month: CalendarDate; lastYear: CalendarDate }>;

/**
 * The twelve months of the school year that contains a day. `yearStart` is the month and day on which one begins
 * ('07-01'); a whole month belongs to the school year that begins in it.
 */
export function schoolYearMonths(date: CalendarDate, yearStart: string): MonthOfYear[] {
  const first = schoolYearStart(date, yearStart);
  const [year, month] = [Number(first.slice(0, 4)), Number(first.slice(5, 7))];
  const at = (index: number, yearsBefore: number) => {
    const months = month - 1 + index;
    const inYear = year - yearsBefore + Math.floor(months / 12);
    return day(`${inYear}-${String((months % 12) + 1).padStart(2, '0')}-01`);
  };
  return Array.from({ length: 12 }, (_, index) => ({ month: at(index, 0), lastYear: at(index, 1) }));
}
