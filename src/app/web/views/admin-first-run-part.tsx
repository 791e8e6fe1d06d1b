/** The first steps of a new district with their texts, loaded for its administrators. */
export { FirstSteps } from '#rooms/system/web/admin-first-run.tsx';
