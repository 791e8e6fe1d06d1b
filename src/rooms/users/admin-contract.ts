import * as z from 'zod/mini';
import { endpoint } from '#base/endpoint.ts';
import { Id, IdText, idOr } from '#base/id.ts';
import { sayFrom } from '#base/message.ts';
import { pageQuery, pageReply, searchQuery } from '#base/page.ts';
import { requiredText } from '#base/text.ts';
import type text from './admin-text.en.json';
import { messages as accountMessages, emailOr, Invite, LIMITS, Role, User } from './contract.ts';

const say = sayFrom<typeof text>('users');

/** Sentences of what administrators do with accounts (specification sections 5 and 8). */
export const messages = {
  emailRequired: say('userEmailRequired'),
  schoolRequired: say('userSchoolRequired'),
  failedToLoad: say('failedToLoadUsers'),
  created: say('userCreated'),
  updated: say('userUpdated'),
  deleted: say('userDeleted'),
  inUse: (name: string, things: string) => say('userInUse', { name, things }),
  countedTimeEntries: (count: number) => say('countedTimeEntries', { count }),
  countedPhotos: (count: number) => say('countedPhotos', { count }),
  countedSuggestions: (count: number) => say('countedSuggestions', { count }),
  ownRole: say('ownRole'),
  ownActivity: say('ownActivity'),
  ownPassword: say('ownPassword'),
  cannotDeleteSelf: say('cannotDeleteSelf'),
  inviteResent: (email: string) => say('inviteResent', { email }),
  inviteWaits: (email: string) => say('inviteWaits', { email }),
  failedToLoadRequests: say('failedToLoadRequests'),
  failedToLoadInvites: say('failedToLoadInvites'),
} as const;

/** An account as administrators see it: as its owner does, with its memberships in the specification's form. */
export const AdminUser = z.object({
  ...User.shape,
  version: z.int(),
  userSchools: z.array(z.object({ school: z.object({ id: Id, name: z.string() }) })),
});
export type AdminUser = z.infer<typeof AdminUser>;

// A form's blank password is none: on a change it stays, a new account gets a link to choose one.
const BlankablePassword = z.nullish(z.string(accountMessages.passwordTooShort(6)));

/** A new account (specification section 5: e-mail, first name, last name and, but for administrators, a school). */
export const UserInput = z.object({
  email: emailOr(messages.emailRequired),
  firstName: requiredText(LIMITS.name, accountMessages.namesRequired),
  lastName: requiredText(LIMITS.name, accountMessages.namesRequired),
  schoolIds: z
    .array(idOr(messages.schoolRequired), messages.schoolRequired)
    .check(z.maxLength(500, messages.schoolRequired)),
  password: BlankablePassword,
  role: z.optional(Role),
  isActive: z.optional(z.boolean()),
});
export type UserInput = z.infer<typeof UserInput>;

/** Changes of an account: absent fields stay. */
export const UserChange = z.partial(UserInput);
export type UserChange = z.infer<typeof UserChange>;

/** Accounts by last and first name: of one school or all, found by name or address; erased ones are left out. */
export const listUsers = endpoint('GET', '/admin/users', {
  query: z.object({ schoolId: z.optional(IdText), ...pageQuery, ...searchQuery }),
  reply: z.object({ users: z.array(AdminUser), total: z.int(), ...pageReply }),
});

const oneUser = z.object({ user: AdminUser, message: z.string() });

export const createUser = endpoint('POST', '/admin/users', {
  body: UserInput,
  reply: oneUser,
  status: 201,
  isLong: true,
});

export const updateUser = endpoint('PUT', '/admin/users/:id', {
  isLong: true,
  params: z.object({ id: IdText }),
  body: UserChange,
  reply: oneUser,
});

export const deleteUser = endpoint('DELETE', '/admin/users/:id', {
  params: z.object({ id: IdText }),
  reply: z.object({ message: z.string() }),
});

/** How many wait for an administrator: requests to join a school and to be deleted; and how many invitations are open. */
export const countWaiting = endpoint('GET', '/admin/waiting', {
  reply: z.object({
    waiting: z.object({ memberships: z.int(), erasureRequests: z.int(), openInvites: z.int() }),
    /** No mail server is set: letters are files on the server, and reach nobody. */
    lettersInFolder: z.boolean(),
  }),
});

/** Mails an invitation once more with a fresh link, for as long as a new one; the old link is dead. */
export const resendInvite = endpoint('POST', '/admin/invites/:id/resend', {
  params: z.object({ id: IdText }),
  reply: z.object({ invite: Invite, message: z.string(), link: z.nullable(z.string()) }),
});
