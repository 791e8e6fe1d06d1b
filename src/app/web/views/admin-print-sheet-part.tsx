/** What a sign-in sheet is printed with, with its texts. */
export { PrintSheetForm } from '#rooms/time-entries/web/admin-print-sheet.tsx';
