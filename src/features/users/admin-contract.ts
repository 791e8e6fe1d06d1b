import * as z from 'zod/mini';
import { endpoint } from '#shared/endpoint.ts';
import { messageFactory } from '#shared/i18n/message.ts';
import { Id, IdText, idOr } from '#shared/id.ts';
import { listExport, pageQuery, pageReply, searchQuery } from '#shared/list-query.ts';
import { SCHOOL_ROLES } from '#shared/permissions.ts';
import { requiredLine } from '#shared/text-normalization.ts';
import {
  messages as accountMessages,
  emailOr,
  Grants,
  Invite,
  LIMITS,
  ROLES,
  Role,
  User,
} from './contract.ts';
import type text from './messages.staff.en.json';

const say = messageFactory<typeof text>('users');

/** The maximum number of accounts in one bulk call. */
const MANY_USERS = 500;

/** Messages of the administrators' account screens (specification sections 5 and 8). */
export const messages = {
  emailRequired: say('userEmailRequired'),
  schoolRequired: say('userSchoolRequired'),
  failedToLoad: say('failedToLoadUsers'),
  created: say('userCreated'),
  updated: say('userUpdated'),
  deleted: say('userDeleted'),
  passwordEnded: say('passwordEnded'),
  passwordEndedHere: say('passwordEndedHere'),
  invitesEnded: (count: number) => say('invitesEnded', { count }),
  invitedToSchools: (count: number) => say('invitedToSchools', { count }),
  inUse: (name: string, things: string) => say('userInUse', { name, things }),
  countedTimeEntries: (count: number) => say('countedTimeEntries', { count }),
  countedPhotos: (count: number) => say('countedPhotos', { count }),
  countedSuggestions: (count: number) => say('countedSuggestions', { count }),
  countedDecisions: (count: number) => say('countedDecisions', { count }),
  walkInFirst: say('walkInFirst'),
  walkInNeedsAddress: say('walkInNeedsAddress'),
  notAWalkIn: say('notAWalkIn'),
  newLinkSent: (email: string) => say('newLinkSent', { email }),
  newLinkMade: say('newLinkMade'),
  walkInInvited: (email: string) => say('walkInInvited', { email }),
  ownRole: say('ownRole'),
  ownActivity: say('ownActivity'),
  ownPassword: say('ownPassword'),
  cannotDeleteSelf: say('cannotDeleteSelf'),
  deactivatedByDistrict: (name: string) => say('deactivatedByDistrict', { name }),
  chooseUsers: say('chooseUsers'),
  tooManyUsers: say('tooManyUsers', { max: MANY_USERS }),
  otherCount: say('otherCount'),
  many: {
    deactivate: (count: number) => say('manyDeactivated', { count }),
    activate: (count: number) => say('manyActivated', { count }),
    join: (count: number) => say('manyJoined', { count }),
    leave: (count: number) => say('manyLeft', { count }),
    approve: (count: number) => say('manyApproved', { count }),
  },
  inviteResent: (email: string) => say('inviteResent', { email }),
  inviteWaits: (email: string) => say('inviteWaits', { email }),
  failedToLoadRequests: say('failedToLoadRequests'),
  failedToLoadInvites: say('failedToLoadInvites'),
} as const;

/**
 * The parts of an account that can be locked for a viewer: its rights exceed the viewer's, it is also tied to other schools, or
 * the district deactivated it.
 */
export const RESTRICTED_ACTIONS = [
  'everything',
  'name',
  'email',
  'password',
  'isActive',
  'deletion',
] as const;
export type RestrictedAction = (typeof RESTRICTED_ACTIONS)[number];

/**
 * An account as administrators see it: the fields its owner sees, the memberships also as `userSchools` (the specification's
 * form), and in `closed` the parts that the viewer may not change.
 */
export const AdminUser = z.object({
  ...User.shape,
  version: z.int(),
  closed: z.array(z.enum(RESTRICTED_ACTIONS)),
  /**
   * Whether the owner confirmed the address through an emailed link or a provider. Entry by an administrator does not count.
   */
  isEmailConfirmed: z.boolean(),
  /** A guest volunteer, who cannot sign in. `email` is then the address on the sign-in sheet, blank if there was none. */
  isWalkIn: z.boolean(),
  /** Present if the user has no password and never signed in, and so needs a link. */
  needsLink: z.optional(z.literal(true)),
  userSchools: z.array(z.object({ school: z.object({ id: Id, name: z.string() }) })),
  /** In lists, if the district shows photos to approved members only: the schools whose photos the user cannot see yet. */
  photosHiddenAt: z.optional(z.array(z.object({ id: Id, name: z.string() }))),
});
export type AdminUser = z.infer<typeof AdminUser>;

/**
 * An account with all of its data, including the schools it is tied to, the administrator who vouched for its address, and
 * whether the district deactivated it.
 */
export type Account = Omit<AdminUser, 'closed'> &
  Readonly<{ ties: readonly number[]; vouchedBy: number | null; isDeactivatedByDistrict: boolean }>;

/** Confirms that an account may get rights or an approval although its address is unconfirmed. */
export const Unconfirmed = { unconfirmed: z.optional(z.nullable(z.boolean())) };

// A blank password sets none: an update keeps the current one, and the owner of a new account is emailed a link to set one.
const BlankablePassword = z.nullish(z.string(accountMessages.passwordTooShort(6)));

/** A new account (specification section 5: email, first name, last name and, except for administrators, a school). */
export const UserInput = z.object({
  ...Unconfirmed,
  email: emailOr(messages.emailRequired),
  firstName: requiredLine(LIMITS.name, accountMessages.namesRequired),
  lastName: requiredLine(LIMITS.name, accountMessages.namesRequired),
  schoolIds: z
    .array(idOr(messages.schoolRequired), messages.schoolRequired)
    .check(z.maxLength(500, messages.schoolRequired)),
  password: BlankablePassword,
  role: z.optional(Role),
  isActive: z.optional(z.boolean()),
  grants: z.optional(Grants),
});
export type UserInput = z.infer<typeof UserInput>;

/** Changes to an account; absent fields keep their values. */
export const UserChange = z.partial(UserInput);
export type UserChange = z.infer<typeof UserChange>;

/** Role filters of the user list: the account's own role, a role at a school, or volunteers without a role. */
export const LISTED_ROLES = [...ROLES, ...SCHOOL_ROLES, 'volunteer'] as const;
export type ListedRole = (typeof LISTED_ROLES)[number];

/** Whether a user may sign in. */
export const STATES = ['active', 'inactive'] as const;
export type State = (typeof STATES)[number];

/** Filters by last sign-in: never (null), or not within this number of days. The latter include users who never signed in. */
export const SIGN_INS = { never: null, notForMonth: 30, notForYear: 365 } as const;
export const SIGN_IN_CHOICES = ['never', 'notForMonth', 'notForYear'] as const;
export type SignInChoice = keyof typeof SIGN_INS;

/** Sort keys of the user list, in both directions. Users who never signed in sort as if they had signed in longest ago. */
export const USER_SORTS = ['name', 'email', 'lastLogin'] as const;
export type UserSort = (typeof USER_SORTS)[number];
export const USER_ORDERS = ['asc', 'desc'] as const;
export type UserOrder = (typeof USER_ORDERS)[number];

/**
 * Lists accounts, by last and first name unless another order is requested. Filters them by school (membership or role), role,
 * status, last sign-in or hidden photos; `search` matches names and addresses. Erased accounts are excluded.
 */
export const listUsers = endpoint('GET', '/admin/users', {
  query: z.object({
    schoolId: z.optional(IdText),
    role: z.optional(z.enum(LISTED_ROLES)),
    state: z.optional(z.enum(STATES)),
    lastSignIn: z.optional(z.enum(SIGN_IN_CHOICES)),
    photos: z.optional(z.enum(['hidden'])),
    sortBy: z.optional(z.enum(USER_SORTS)),
    sortOrder: z.optional(z.enum(USER_ORDERS)),
    ...pageQuery,
    ...searchQuery,
  }),
  reply: z.object({
    users: z.array(AdminUser),
    total: z.int(),
    photosSeenBy: z.enum(['members', 'approved']),
    ...pageReply,
  }),
});

/**
 * Exports a file of the accounts that `listUsers` returns, in the same order. Includes addresses only for viewers who may
 * export them.
 */
export const exportUsers = endpoint('POST', '/admin/users/export', {
  body: z.object({
    ...listExport,
    role: z.nullish(z.enum(LISTED_ROLES)),
    state: z.nullish(z.enum(STATES)),
    lastSignIn: z.nullish(z.enum(SIGN_IN_CHOICES)),
    photos: z.nullish(z.enum(['hidden'])),
    sortBy: z.nullish(z.enum(USER_SORTS)),
    sortOrder: z.nullish(z.enum(USER_ORDERS)),
  }),
  file: true,
  freshProof: 'always',
});

const oneUser = z.object({ user: AdminUser, message: z.string() });

/**
 * `link` lets the user choose a password. It is null unless the user needs one and no mail server is configured, so that the
 * administrator has to pass it on.
 */
export const createUser = endpoint('POST', '/admin/users', {
  body: UserInput,
  reply: z.object({ ...oneUser.shape, link: z.nullable(z.string()) }),
  status: 201,
  isLong: true,
  freshProof: { when: 'it gives a role or shows a link that opens the account' },
});

export const updateUser = endpoint('PUT', '/admin/users/:id', {
  isLong: true,
  freshProof: {
    when: 'a role, the email address or the password changes, or it deactivates or reactivates a district administrator',
  },
  params: z.object({ id: IdText }),
  body: UserChange,
  reply: oneUser,
});

/**
 * Creates an account for a guest volunteer and emails a link to choose a password; `link` is as in `createUser`. For an account
 * that was never used, it sends a new link instead, and the old one becomes invalid.
 */
export const inviteWalkIn = endpoint('POST', '/admin/users/:id/invite', {
  params: z.object({ id: IdText }),
  body: z.object({ email: z.nullish(emailOr(messages.emailRequired)) }),
  reply: z.object({ ...oneUser.shape, link: z.nullable(z.string()) }),
  freshProof: { when: 'the account has a role, or a link that opens it is shown' },
});

export const deleteUser = endpoint('DELETE', '/admin/users/:id', {
  freshProof: 'always',
  params: z.object({ id: IdText }),
  reply: z.object({ message: z.string() }),
});

/**
 * Bulk actions; all but 'approve' can be undone by their opposite for the accounts that changed. 'approve' lets users see the
 * photos of those of their schools that the viewer manages.
 */
const MANY_DEEDS = ['deactivate', 'activate', 'join', 'leave', 'approve'] as const;
export type BulkAction = (typeof MANY_DEEDS)[number];

const ManyIds = z
  .array(idOr(messages.chooseUsers), messages.chooseUsers)
  .check(z.minLength(1, messages.chooseUsers), z.maxLength(MANY_USERS, messages.tooManyUsers));

/**
 * Changes all of the given accounts or none. `count` is the number of accounts that the viewer confirmed, `schoolId` the school
 * to join or leave. Returns the IDs of the accounts that changed.
 */
export const changeUsersInBulk = endpoint('POST', '/admin/users/many', {
  freshProof: { when: 'it deactivates or reactivates a district administrator' },
  body: z.object({
    userIds: ManyIds,
    count: z.int(),
    deed: z.enum(MANY_DEEDS),
    schoolId: z.optional(z.nullable(idOr(messages.schoolRequired))),
    ...Unconfirmed,
  }),
  reply: z.object({ changed: z.array(Id), message: z.string() }),
});

/** Counts for administrators: pending requests to join a school, pending deletion requests, and open invitations. */
export const countWaiting = endpoint('GET', '/admin/waiting', {
  reply: z.object({
    waiting: z.object({ memberships: z.int(), erasureRequests: z.int(), openInvites: z.int() }),
    /** True if no mail server is configured: emails are written to files on the server and reach nobody. */
    lettersInFolder: z.boolean(),
  }),
});

/** Emails an invitation again with a new link and a new expiry. The old link becomes invalid. */
export const resendInvite = endpoint('POST', '/admin/invites/:id/resend', {
  freshProof: { when: 'it shows a link that opens an account' },
  params: z.object({ id: IdText }),
  reply: z.object({ invite: Invite, message: z.string(), link: z.nullable(z.string()) }),
});
