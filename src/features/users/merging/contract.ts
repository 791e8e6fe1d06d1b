import * as z from 'zod/mini';
import { Instant } from '#shared/calendar-date.ts';
import { endpoint } from '#shared/endpoint.ts';
import { messageFactory } from '#shared/i18n/message.ts';
import { Id, IdText, idOr } from '#shared/id.ts';
import { pageQuery, pageReply, searchQuery } from '#shared/list-query.ts';
import { AdminUser, Unconfirmed } from '../admin-contract.ts';
import type text from './messages.server.en.json';
import type screenText from './messages.staff.en.json';

const say = messageFactory<typeof text>('merging');

/** How many days a merge can be undone. */
export const UNDO_DAYS = 30;

/** Messages of the server about merges. */
export const messages = {
  samePerson: say('samePerson'),
  ownAway: say('ownAway'),
  walkInStays: say('walkInStays'),
  asksErasure: say('asksErasure'),
  merged: (name: string) => say('merged', { name }),
  parted: (name: string) => say('parted', { name }),
  partedWithout: (name: string, things: string) => say('partedWithout', { name, things }),
  endedSince: (name: string, things: string) => say('endedSince', { name, things }),
  leftOut: {
    active: say('leftOutActive'),
    admin: say('leftOutAdmin'),
    auditorOfAll: say('leftOutAuditorOfAll'),
    member: (school: string) => say('leftOutMember', { school }),
    'school-admin': (school: string) => say('leftOutSchoolAdmin', { school }),
    coordinator: (school: string) => say('leftOutCoordinator', { school }),
    auditor: (school: string) => say('leftOutAuditor', { school }),
  },
  mergeNotFound: say('mergeNotFound'),
  undoneAlready: say('undoneAlready'),
  tooOld: say('tooOld', { days: UNDO_DAYS }),
  laterFirst: say('laterFirst'),
  addressTaken: say('addressTaken'),
  keptApart: say('keptApart'),
  sayWhether: say('sayWhether'),
  saidApart: (one: string, other: string) => say('saidApart', { one, other }),
  saidAlike: (one: string, other: string) => say('saidAlike', { one, other }),
} as const;

const show = messageFactory<typeof screenText>('merging');

/** Messages on the screens about merges. */
export const screenMessages = {
  failedToCompare: show('failedToCompare'),
  failedToLoadPast: show('failedToLoadPast'),
  countedEntries: (count: number) => show('countedEntries', { count }),
  countedPhotos: (count: number) => show('countedPhotos', { count }),
  countedSuggestions: (count: number) => show('countedSuggestions', { count }),
  countedLetters: (count: number) => show('countedLetters', { count }),
} as const;

/** The fields whose value a merge takes from one of the two accounts. Memberships and roles are combined. */
export const CHOSEN = ['firstName', 'lastName', 'email'] as const;

const Side = z.enum(['from', 'into']);
/** For each of these fields, the account whose value is used; `into` by default. */
export const Keep = z.partial(z.object({ firstName: Side, lastName: Side, email: Side }));
export type Keep = z.infer<typeof Keep>;

/** What the preview of a merge shows of one account. Deleted items do not count. */
export const Holding = z.object({
  user: AdminUser,
  /** Whether it has a password, a passkey or a linked provider account. */
  signsIn: z.boolean(),
  entries: z.int(),
  hours: z.number(),
  photos: z.int(),
  suggestions: z.int(),
  letters: z.int(),
});
export type Holding = z.infer<typeof Holding>;

/** Returns both accounts side by side. `problem` is the reason why they cannot be merged, or null. */
export const previewMerge = endpoint('GET', '/admin/users/:id/merge', {
  params: z.object({ id: IdText }),
  query: z.object({ into: IdText }),
  reply: z.object({ from: Holding, into: Holding, problem: z.nullable(z.string()) }),
});

/** Merges the account in the path into `into`, which then has the data of both. */
export const mergeUsers = endpoint('POST', '/admin/users/:id/merge', {
  params: z.object({ id: IdText }),
  body: z.object({ into: idOr(messages.samePerson), keep: z.optional(Keep), ...Unconfirmed }),
  freshProof: 'always',
  reply: z.object({ user: AdminUser, merge: z.object({ id: Id }), message: z.string() }),
});

/**
 * Separates two merged accounts, within `UNDO_DAYS`; `user` is the restored one. `leftOut` names the roles, memberships and
 * active status that are not restored because the surviving account has lost them since. If that account gets its own address
 * back, `leftOut` also names the rights that are removed because they were granted since.
 */
export const undoMerge = endpoint('POST', '/admin/merges/:id/undo', {
  params: z.object({ id: IdText }),
  freshProof: 'always',
  reply: z.object({
    user: AdminUser,
    merge: z.object({ id: Id }),
    leftOut: z.array(z.string()),
    message: z.string(),
  }),
});

/** A merge of two accounts; `into` is the surviving account as it is today, `name` the former name of the other one. */
export const Merge = z.object({
  id: Id,
  name: z.string(),
  into: z.object({ id: Id, name: z.string() }),
  mergedBy: z.nullable(z.string()),
  mergedAt: Instant,
  undoneAt: z.nullable(Instant),
  canUndo: z.boolean(),
});
export type Merge = z.infer<typeof Merge>;

/** The merges of the last `UNDO_DAYS`, newest first. */
export const listMerges = endpoint('GET', '/admin/merges', {
  query: z.object(pageQuery),
  reply: z.object({ merges: z.array(Merge), ...pageReply }),
});

/**
 * Why two people may be duplicates, strongest reason first: the same address, or a name that is the same, swapped or similar,
 * at a common school; 'walkIn' if one of them is a guest volunteer. 'elsewhere' means the same name without a common school.
 */
export const REASONS = ['address', 'walkIn', 'name', 'swapped', 'alike', 'elsewhere'] as const;
export type Reason = (typeof REASONS)[number];

/** One of two possible duplicates, with their logged hours. */
export const PossibleDuplicate = z.object({ user: AdminUser, entries: z.int(), hours: z.number() });
export type PossibleDuplicate = z.infer<typeof PossibleDuplicate>;

/** Pairs of possible duplicates, strongest reason first; with `userId`, only those of one user. */
export const listDuplicates = endpoint('GET', '/admin/duplicates', {
  query: z.object({ ...pageQuery, ...searchQuery, userId: z.optional(IdText) }),
  isLong: true,
  reply: z.object({
    pairs: z.array(z.object({ one: PossibleDuplicate, other: PossibleDuplicate, reason: z.enum(REASONS) })),
    total: z.int(),
    ...pageReply,
  }),
});

/** Marks two people as different, or reverts that. Different people are not listed as duplicates. */
export const markNotDuplicate = endpoint('PUT', '/admin/users/:id/apart', {
  params: z.object({ id: IdText }),
  body: z.object({ other: idOr(messages.samePerson), areTwo: z.boolean(messages.sayWhether) }),
  reply: z.object({ message: z.string() }),
});
