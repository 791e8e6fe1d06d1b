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

/** The maximum length of a legal hold's reason, in characters. */
export const LIMITS = { reason: 500 } as const;

/** Messages about retention periods and legal holds. */
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

/** Hours until a shorter period takes effect. */
export const SHORTENING_DELAY_HOURS = 24;

/** Whether a period is shorter than another; null means forever. */
export function isShorter(period: number | null, before: number | null): boolean {
  return period !== null && (before === null || period < before);
}

/** Cancels shorter periods that are still pending. Returns 409 if there are none. */
export const cancelShorterRetention = endpoint('DELETE', '/admin/settings/retention-pending', {
  reply: z.object({ ...Settings.shape, message: z.string() }),
});

const KindName = z.enum(KIND_NAMES);

/** Returns when the cleanup last processed each kind and how many records it deleted; null if it never did. */
export const getRetention = endpoint('GET', '/admin/retention', {
  reply: z.object({
    kinds: z.array(
      z.object({ kind: KindName, lastRunAt: z.nullable(Instant), lastDeleted: z.nullable(z.int()) }),
    ),
  }),
});

/** Counts the records the next cleanup would delete with these periods. */
export const previewSettings = endpoint('POST', '/admin/settings/preview', {
  body: z.object({ retention: z.partial(Retention) }),
  reply: z.object({ deletes: z.array(z.object({ kind: KindName, count: z.int() })) }),
});

/** A legal hold. Nothing about its person or school is deleted until it is lifted. Holds themselves are never deleted. */
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

/** Lists legal holds, latest first. */
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

const holdReply = z.object({ hold: LegalHold, message: z.string() });

export const placeHold = endpoint('POST', '/admin/legal-holds', {
  body: NewHold,
  reply: holdReply,
  status: 201,
});

export const liftHold = endpoint('POST', '/admin/legal-holds/:id/lift', {
  freshProof: 'always',
  params: z.object({ id: IdText }),
  reply: holdReply,
});
