/** What the form of Log Time adds where a school verifies hours. */
export { oddDays, oddities } from './odd-hours.ts';
export { SupervisorField } from './supervisor-field.tsx';
