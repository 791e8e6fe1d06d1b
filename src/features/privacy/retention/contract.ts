import * as z from 'zod/mini';
import { TwoFactorRequirementFields } from '#features/auth/two-factor/contract.ts';
import {
  DistrictChanged,
  DistrictShown,
  TestMail,
} from '#features/schools/district-settings/settings-contract.ts';
import { PersonRef } from '#features/users/contract.ts';
import { Instant } from '#shared/calendar-date.ts';
import { endpoint } from '#shared/endpoint.ts';
import { messageFactory } from '#shared/i18n/message.ts';
import { Id, IdText } from '#shared/id.ts';
import { pageQuery, pageReply } from '#shared/list-query.ts';
import { requiredText } from '#shared/text-normalization.ts';
import type text from './messages.staff.en.json';

const say = messageFactory<typeof text>('retention');

/** How long a hold's reason may be, in characters. */
export const LIMITS = { reason: 500 } as const;

/** Messages of how long things are kept, and of legal holds. */
export const messages = {
  failedToLoad: say('failedToLoad'),
  failedToLoadHolds: say('failedToLoadHolds'),
  months: (least: number, most: number) => say('periodMonths', { least, most }),
  days: (least: number, most: number) => say('periodDays', { least, most }),
  saved: say('saved'),
  savedPending: (at: string) => say('savedPending', { at }),
  nothingPending: say('nothingPending'),
  canceled: say('canceled'),
  forever: say('forever'),
  period: {
    months: (count: number) => say('months', { count }),
    days: (count: number) => say('days', { count }),
  },
  kind: {
    entries: say('entries'),
    photos: say('photos'),
    audit: say('audit'),
    addresses: say('addresses'),
    mails: say('mails'),
    sessions: say('sessions'),
    signInFailures: say('signInFailures'),
    exports: say('exports'),
    imports: say('imports'),
  },
  reasonRequired: say('reasonRequired'),
  subjectRequired: say('subjectRequired'),
  personGone: say('personGone'),
  schoolGone: say('schoolGone'),
  heldAlready: say('heldAlready'),
  placed: say('placed'),
  lifted: say('lifted'),
  liftedAlready: say('liftedAlready'),
  holdNotFound: say('holdNotFound'),
} as const;

type Period = Readonly<{ unit: 'months' | 'days'; standard: number | null; least: number; most: number }>;

/**
 * Everything that is kept for a period: in which unit, for how long until a district sets another (`standard`; null is
 * for ever), and what may be set. Those kept in months may be kept for ever. An import is kept as long as it can be undone.
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

/** Whether a kind may be kept for ever. */
export function isRetainedForever(kind: Kind): boolean {
  return KINDS[kind].unit === 'months';
}

/** A period of a kind: a whole number of its unit; null is for ever. */
export function periodOf(kind: Kind) {
  const { unit, least, most } = KINDS[kind];
  const fault = messages[unit](least, most);
  const whole = z.number(fault).check(z.int(fault), z.minimum(least, fault), z.maximum(most, fault));
  return z.nullable(whole).check(z.refine((period) => period !== null || isRetainedForever(kind), fault));
}

/** How long each kind is kept; null is for ever. */
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

/** After how many hours a shorter period takes effect. */
export const SHORTENING_DELAY_HOURS = 24;

/** Periods that are shorter than those that hold, and since when they will hold. */
export const RetentionPending = z.object({ values: z.partial(Retention), effectiveAt: Instant });
export type RetentionPending = z.infer<typeof RetentionPending>;

/** Whether a period deletes sooner than another one; null is for ever. */
export function isShorter(period: number | null, before: number | null): boolean {
  return period !== null && (before === null || period < before);
}

/**
 * The district's settings; `setByServer` names those that the environment sets, `retentionPending` is what was shortened
 * and does not hold yet.
 */
const Settings = z.object({
  settings: z.object({ ...DistrictShown, retention: Retention, ...TwoFactorRequirementFields }),
  setByServer: z.array(z.string()),
  retentionPending: z.nullable(RetentionPending),
});

export const getSettings = endpoint('GET', '/admin/settings', { reply: Settings });

/**
 * Changes settings; what is left out stays. A shorter period holds after `SHORTENING_DELAY_HOURS`; all district administrators
 * get an email about it. Naming the period that holds now takes a shorter one back.
 */
export const changeSettings = endpoint('PUT', '/admin/settings', {
  freshProof: {
    when: 'it changes who may register, the mail server, the support address or who needs two-step sign-in, shows photos to more people or shortens a period',
  },
  body: z.object({
    ...DistrictChanged,
    retention: z.optional(z.partial(Retention)),
    secondFactor: z.optional(TwoFactorRequirementFields.secondFactor),
    secondFactorGraceDays: z.optional(TwoFactorRequirementFields.secondFactorGraceDays),
  }),
  reply: z.object({ ...Settings.shape, message: z.string() }),
});

/** Takes shorter periods back that do not hold yet. 409 when there are none. */
export const cancelShorterRetention = endpoint('DELETE', '/admin/settings/retention-pending', {
  reply: z.object({ ...Settings.shape, message: z.string() }),
});

/** Sends a letter at once, by the mail server that is set. 409 says what is wrong with it. */
export const testMailServer = endpoint('POST', '/admin/settings/test-mail', {
  isLong: true,
  body: TestMail,
  reply: z.object({ message: z.string() }),
});

const KindName = z.enum(KIND_NAMES);

/** When each kind was last looked through, and how many were deleted then; null while it never was. */
export const getRetention = endpoint('GET', '/admin/retention', {
  reply: z.object({
    kinds: z.array(
      z.object({ kind: KindName, lastRunAt: z.nullable(Instant), lastDeleted: z.nullable(z.int()) }),
    ),
  }),
});

/** How many of the named kinds the next run would delete if these were their periods. */
export const previewSettings = endpoint('POST', '/admin/settings/preview', {
  body: z.object({ retention: z.partial(Retention) }),
  reply: z.object({ deletes: z.array(z.object({ kind: KindName, count: z.int() })) }),
});

/** Nothing about a person, or of a school, is deleted until the hold is lifted. A hold itself is never deleted. */
export const LegalHold = z.object({
  id: Id,
  person: z.nullable(PersonRef),
  school: z.nullable(z.object({ id: Id, name: z.string() })),
  reason: z.nullable(z.string()),
  placedAt: Instant,
  placedBy: PersonRef,
  liftedAt: z.nullable(Instant),
  liftedBy: z.nullable(PersonRef),
});
export type LegalHold = z.infer<typeof LegalHold>;

/** Holds, the latest first. */
export const listHolds = endpoint('GET', '/admin/legal-holds', {
  query: z.object(pageQuery),
  reply: z.object({ holds: z.array(LegalHold), ...pageReply }),
});

/** A hold for one person or one school. */
export const NewHold = z
  .object({
    userId: z.optional(z.nullable(Id)),
    schoolId: z.optional(z.nullable(Id)),
    reason: requiredText(LIMITS.reason, messages.reasonRequired),
  })
  .check(
    z.refine((hold) => (typeof hold.userId === 'number') !== (typeof hold.schoolId === 'number'), {
      error: messages.subjectRequired,
      path: ['userId'],
    }),
  );
export type NewHold = z.infer<typeof NewHold>;

const told = z.object({ hold: LegalHold, message: z.string() });

export const placeHold = endpoint('POST', '/admin/legal-holds', { body: NewHold, reply: told, status: 201 });

export const liftHold = endpoint('POST', '/admin/legal-holds/:id/lift', {
  freshProof: 'always',
  params: z.object({ id: IdText }),
  reply: told,
});
