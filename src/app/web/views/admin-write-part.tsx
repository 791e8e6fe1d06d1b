/** Writing to many people, with its texts. */
export { WriteToMany } from '#rooms/mailings/web/admin-write-to-many.tsx';
