/** What the Log Time form adds where a school verifies hours. Loaded on demand. */

export { ExternalVerifierField } from './external-verifier-field.tsx';
export { findUnusualDays, findUnusualHours } from './unusual-hours.ts';
