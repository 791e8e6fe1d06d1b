import * as z from 'zod/mini';
import { KIND_NAMES, Retention } from '#features/schools/district-settings/retention-periods.ts';
import { Settings } from '#features/schools/district-settings/settings-contract.ts';
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

/** After how many hours a shorter period takes effect. */
export const SHORTENING_DELAY_HOURS = 24;

/** Whether a period deletes sooner than another one; null is for ever. */
export function isShorter(period: number | null, before: number | null): boolean {
  return period !== null && (before === null || period < before);
}

/** Takes shorter periods back that do not hold yet. 409 when there are none. */
export const cancelShorterRetention = endpoint('DELETE', '/admin/settings/retention-pending', {
  reply: z.object({ ...Settings.shape, message: z.string() }),
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
