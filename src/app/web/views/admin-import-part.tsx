/** The import of users with its texts. */
export { Import } from '#rooms/user-imports/web/admin-import.tsx';
