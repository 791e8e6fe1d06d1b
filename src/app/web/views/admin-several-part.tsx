/** Adding several activities at once, with its texts. */
export { Several } from '#rooms/activities/web/admin-several.tsx';
