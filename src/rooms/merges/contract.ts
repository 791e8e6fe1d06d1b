import * as z from 'zod/mini';
import { Instant } from '#base/calendar-date.ts';
import { endpoint } from '#base/endpoint.ts';
import { Id, IdText, idOr } from '#base/id.ts';
import { sayFrom } from '#base/message.ts';
import { AdminUser } from '#rooms/users/admin-contract.ts';
import type text from './server-text.en.json';

const say = sayFrom<typeof text>('merges');

/** For how many days a merge can be undone. */
export const UNDO_DAYS = 30;

/** What the server says about merges. */
export const messages = {
  samePerson: say('samePerson'),
  ownAway: say('ownAway'),
  elsewhere: say('elsewhere'),
  walkInStays: say('walkInStays'),
  asksErasure: say('asksErasure'),
  merged: (name: string) => say('merged', { name }),
  parted: (name: string) => say('parted', { name }),
  mergeNotFound: say('mergeNotFound'),
  undoneAlready: say('undoneAlready'),
  tooOld: say('tooOld', { days: UNDO_DAYS }),
  laterFirst: say('laterFirst'),
  addressTaken: say('addressTaken'),
  keptApart: say('keptApart'),
} as const;

/** The fields of which one account's value stays. Memberships and roles are joined. */
export const CHOSEN = ['firstName', 'lastName', 'email'] as const;

const Side = z.enum(['from', 'into']);
/** Whose value stays, by field; `into` where nothing is said. */
export const Keep = z.partial(z.object({ firstName: Side, lastName: Side, email: Side }));
export type Keep = z.infer<typeof Keep>;

/** What one of the two accounts holds. */
export const Holding = z.object({
  user: AdminUser,
  /** Whether it has a password, a passkey or an account elsewhere to sign in with. */
  signsIn: z.boolean(),
  entries: z.int(),
  hours: z.number(),
  photos: z.int(),
  suggestions: z.int(),
  letters: z.int(),
});
export type Holding = z.infer<typeof Holding>;

/** Both accounts side by side; `problem` says why they cannot become one, or is null. */
export const previewMerge = endpoint('GET', '/admin/users/:id/merge', {
  params: z.object({ id: IdText }),
  query: z.object({ into: IdText }),
  reply: z.object({ from: Holding, into: Holding, problem: z.nullable(z.string()) }),
});

/** Makes the account of the path a part of `into`: everything of both is kept there. */
export const mergeUsers = endpoint('POST', '/admin/users/:id/merge', {
  params: z.object({ id: IdText }),
  body: z.object({ into: idOr(messages.samePerson), keep: z.optional(Keep) }),
  freshProof: 'always',
  isLong: true,
  reply: z.object({ user: AdminUser, merge: z.object({ id: Id }), message: z.string() }),
});

/** Parts two accounts again, within `UNDO_DAYS`; `user` is the one that had ended. */
export const undoMerge = endpoint('POST', '/admin/merges/:id/undo', {
  params: z.object({ id: IdText }),
  freshProof: 'always',
  isLong: true,
  reply: z.object({ user: AdminUser, merge: z.object({ id: Id }), message: z.string() }),
});

/** What became part of an account, the latest first. */
export const listMerges = endpoint('GET', '/admin/users/:id/merges', {
  params: z.object({ id: IdText }),
  reply: z.object({
    merges: z.array(
      z.object({
        id: Id,
        name: z.string(),
        mergedBy: z.nullable(z.string()),
        mergedAt: Instant,
        undoneAt: z.nullable(Instant),
        canUndo: z.boolean(),
      }),
    ),
  }),
});
