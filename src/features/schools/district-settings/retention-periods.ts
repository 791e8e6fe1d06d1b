import * as z from 'zod/mini';
import type text from '#features/privacy/retention/messages.staff.en.json';
import { Instant } from '#shared/calendar-date.ts';
import { messageFactory } from '#shared/i18n/message.ts';

const say = messageFactory<typeof text>('retention');

const outOfRange = {
  months: (least: number, most: number) => say('periodMonths', { least, most }),
  days: (least: number, most: number) => say('periodDays', { least, most }),
} as const;

type Period = Readonly<{ unit: 'months' | 'days'; standard: number | null; least: number; most: number }>;

/**
 * Every kind of record that is deleted after a period: its unit, its default period (`standard`) and its limits. A null period
 * keeps the records forever, which only kinds in months allow. An import can be undone as long as it is stored.
 */
export const KINDS = {
  entries: { unit: 'months', standard: null, least: 12, most: 1200 },
  photos: { unit: 'months', standard: null, least: 1, most: 1200 },
  audit: { unit: 'months', standard: 84, least: 12, most: 1200 },
  addresses: { unit: 'days', standard: 90, least: 1, most: 366 },
  mails: { unit: 'days', standard: 30, least: 14, most: 366 },
  sessions: { unit: 'days', standard: 30, least: 1, most: 366 },
  signInFailures: { unit: 'days', standard: 1, least: 1, most: 30 },
  exports: { unit: 'days', standard: 1, least: 1, most: 366 },
  imports: { unit: 'days', standard: 30, least: 30, most: 3660 },
} as const satisfies Readonly<Record<string, Period>>;
export type Kind = keyof typeof KINDS;

/** The names of all kinds, in the order of the screen. */
export const KIND_NAMES = Object.keys(KINDS) as [Kind, ...Kind[]];

/** Whether records of a kind may be stored forever. */
export function isRetainedForever(kind: Kind): boolean {
  return KINDS[kind].unit === 'months';
}

/** Returns the schema of a kind's period: a whole number of its unit, or null to keep the records forever. */
export function periodOf(kind: Kind) {
  const { unit, least, most } = KINDS[kind];
  const error = outOfRange[unit](least, most);
  const whole = z.number(error).check(z.int(error), z.minimum(least, error), z.maximum(most, error));
  return z.nullable(whole).check(z.refine((period) => period !== null || isRetainedForever(kind), error));
}

/** The period of each kind. A null period keeps its records forever. */
export const Retention = z.object({
  entries: periodOf('entries'),
  photos: periodOf('photos'),
  audit: periodOf('audit'),
  addresses: periodOf('addresses'),
  mails: periodOf('mails'),
  sessions: periodOf('sessions'),
  signInFailures: periodOf('signInFailures'),
  exports: periodOf('exports'),
  imports: periodOf('imports'),
});
export type Retention = Readonly<Record<Kind, number | null>>;
export type RetentionChange = Readonly<{ [K in Kind]?: number | null | undefined }>;

/** Shorter periods that do not apply yet, and when they will. */
export const RetentionPending = z.object({ values: z.partial(Retention), effectiveAt: Instant });
export type RetentionPending = z.infer<typeof RetentionPending>;
