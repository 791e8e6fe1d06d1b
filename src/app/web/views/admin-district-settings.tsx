/** The Settings screen with its texts, loaded when somebody opens it. */
export { AdminSettings } from '#rooms/retention/web/admin-settings.tsx';
