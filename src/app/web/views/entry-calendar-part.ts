/** The calendar of Recent Activity, with its texts. */
export { EntryCalendar } from '#rooms/time-entries/web/entry-calendar.tsx';
