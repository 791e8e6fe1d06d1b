/** The import of hours with its texts. */
export { HoursImport } from '#rooms/time-entry-imports/web/admin-import-hours.tsx';
