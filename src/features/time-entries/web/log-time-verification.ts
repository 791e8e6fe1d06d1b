/** What the form of Log Time adds where a school verifies hours. */

export { SupervisorField } from './external-verifier-field.tsx';
export { oddDays, oddities } from './unusual-hours.ts';
