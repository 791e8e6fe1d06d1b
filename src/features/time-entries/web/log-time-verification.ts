/** What the form of Log Time adds where a school verifies hours. */

export { ExternalVerifierField } from './external-verifier-field.tsx';
export { findUnusualDays, findUnusualHours } from './unusual-hours.ts';
