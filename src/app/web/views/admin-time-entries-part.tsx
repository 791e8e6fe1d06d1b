/** A school's time entries. */
export { AdminTimeEntries } from '#rooms/time-entries/web/admin-time-entries.tsx';
