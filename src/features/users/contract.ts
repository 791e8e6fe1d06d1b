import * as z from 'zod/mini';
import { PublicSchool } from '#features/schools/contract.ts';
import { Instant } from '#shared/calendar-date.ts';
import { ADDRESS, cleanEmail } from '#shared/email-address.ts';
import { endpoint } from '#shared/endpoint.ts';
import { LANGUAGES } from '#shared/i18n/languages.ts';
import { type Message, messageFactory } from '#shared/i18n/message.ts';
import { Id, IdText, idOr } from '#shared/id.ts';
import { pageQuery, pageReply, searchQuery } from '#shared/list-query.ts';
import { SCHOOL_ROLES } from '#shared/permissions.ts';
import { requiredLine } from '#shared/text-normalization.ts';
import type text from './messages.en.json';
import type serverText from './messages.server.en.json';
import type staffText from './messages.staff.en.json';

const say = messageFactory<typeof text>('users');
// Messages that only the server uses. They are in a separate file, so that browsers do not load them.
const ofServer = messageFactory<typeof serverText>('users');
const ofStaff = messageFactory<typeof staffText>('users');

/** Maximum lengths in characters. An email address has at most 254 (RFC 5321). */
export const LIMITS = { name: 60, email: 254, password: 200 } as const;

/**
 * Lifetimes of emailed links: a password reset (security 2.3), an address confirmation, an invitation, and the link of a new
 * account to choose a password.
 */
export const LINKS = { resetMinutes: 60, confirmHours: 24, inviteDays: 14, welcomeHours: 72 } as const;

/** Messages of this feature (specification sections 2, 5 and 8). */
export const messages = {
  emailAndPasswordRequired: say('emailAndPasswordRequired'),
  emailRequired: say('emailRequired'),
  emailInvalid: say('emailInvalid'),
  namesRequired: say('namesRequired'),
  schoolRequired: say('schoolRequired'),
  passwordTooShort: (min: number) => say('passwordTooShort', { min }),
  passwordTooLong: say('passwordTooLong', { max: LIMITS.password }),
  passwordTooCommon: ofServer('passwordTooCommon'),
  passwordsDiffer: say('passwordsDiffer'),
  passwordHint: (min: number) => say('passwordHint', { min }),
  emailTaken: ofServer('emailTaken'),
  registered: (firstName: string) => ofServer('registered', { firstName }),
  registrationClosed: (email: string) => say('registrationClosed', { email }),
  registrationFailed: say('registrationFailed'),
  wrongInvite: say('wrongInvite'),
  inviteForAnother: say('inviteForAnother'),
  checkMail: (email: string) => ofServer('checkMail', { email, hours: LINKS.confirmHours }),
  emailConfirmed: ofServer('emailConfirmed'),
  accountConfirmed: ofServer('accountConfirmed'),
  failedToConfirm: say('confirmFailed'),
  addressUnconfirmed: (email: string) => ofServer('addressUnconfirmed', { email }),
  invalidConfirmation: say('invalidConfirmation'),
  registeredPending: (firstName: string) => ofServer('registeredPending', { firstName }),
  addressAsked: (email: string) => ofServer('addressAsked', { email, hours: LINKS.confirmHours }),
  profileUpdated: ofServer('profileUpdated'),
  languageUnknown: ofServer('languageUnknown'),
  passwordFirst: (title: string) => ofServer('passwordFirst', { title }),
  lastSchool: say('lastSchool'),
  joinNeedsInvite: (schools: string, email: string) => ofServer('joinNeedsInvite', { schools, email }),
  joinNeedsConfirmedEmail: (schools: string, email: string) =>
    ofServer('joinNeedsConfirmedEmail', { schools, email }),
  invited: (email: string) => ofServer('invited', { email }),
  inviteRevoked: ofServer('inviteRevoked'),
  inviteNotFound: ofServer('inviteNotFound'),
  inviteUsed: ofServer('inviteUsed'),
  inviteEmailRequired: say('inviteEmailRequired'),
  membershipApproved: (firstName: string, lastName: string, school: string) =>
    ofServer('membershipApproved', { firstName, lastName, school }),
  membershipDeclined: (firstName: string, lastName: string, school: string) =>
    ofServer('membershipDeclined', { firstName, lastName, school }),
  membershipDecided: ofServer('membershipDecided'),
  userNotFound: ofServer('userNotFound'),
  lastAdministrator: ofServer('lastAdministrator'),
  formerFirstName: ofServer('formerFirstName'),
  formerLastName: ofServer('formerLastName'),
} as const;

/** The roles of an account: administrators run the district, users volunteer (specification section 6). */
export const ROLES = ['user', 'admin'] as const;
export const Role = z.enum(ROLES);
export type Role = z.infer<typeof Role>;

/** A role at a school; null means all schools, which only an auditor can have. */
export const Grant = z.object({
  role: z.enum(SCHOOL_ROLES),
  school: z.nullable(z.object({ id: Id, name: z.string() })),
});
export type Grant = z.infer<typeof Grant>;

/**
 * An account as its owner sees it. The owner belongs to `schools`, and awaits approval at `pendingSchools`.
 * `erasureRequestedAt` is when the owner requested deletion; `language` is null if the account follows the browser's. Every
 * reply with a whole `user` has at least these fields.
 */
export const User = z.object({
  id: Id,
  email: z.string(),
  firstName: z.string(),
  lastName: z.string(),
  role: Role,
  isActive: z.boolean(),
  createdAt: Instant,
  lastLogin: z.nullable(Instant),
  schools: z.array(PublicSchool),
  pendingSchools: z.array(PublicSchool),
  grants: z.array(Grant),
  erasureRequestedAt: z.nullable(Instant),
  language: z.nullable(z.enum(LANGUAGES)),
});
export type User = z.infer<typeof User>;

/** The person named with an entry, a photo or a suggestion. */
export const PersonRef = z.object({ id: Id, firstName: z.string(), lastName: z.string() });
export type PersonRef = z.infer<typeof PersonRef>;

/**
 * Returns what is wrong with a new password, or undefined. `min` is the district's setting (specification section 5: 6). The
 * server also rejects the ten thousand most common ones, and normalizes passwords to Unicode NFKC, so that every keyboard
 * produces the same one.
 */
export function passwordProblem(password: string, min: number) {
  if ([...password].length < min) return messages.passwordTooShort(min);
  if (password.length > LIMITS.password) return messages.passwordTooLong;
  return undefined;
}

/** Normalizes an email address for comparison, ignoring case. */
export function emailKey(email: string): string {
  return cleanEmail(email).toLowerCase();
}

/** The schema of an email address. `missing` is the error for an absent or blank one. */
export function emailOr(missing: Message) {
  return z.pipe(
    z.string(missing),
    z.pipe(
      z.transform(cleanEmail),
      z
        .string()
        .check(
          z.minLength(1, { error: missing, abort: true }),
          z.maxLength(LIMITS.email, { error: messages.emailInvalid, abort: true }),
          z.regex(ADDRESS, messages.emailInvalid),
        ),
    ),
  );
}

const SchoolIds = z
  .array(idOr(messages.schoolRequired), messages.schoolRequired)
  .check(z.maxLength(100, messages.schoolRequired));

export const RequiredPassword = z
  .string(messages.emailAndPasswordRequired)
  .check(z.minLength(1, messages.emailAndPasswordRequired));

/** The language of the new account, if it differs from the district's first one. */
const OwnLanguage = z.optional(z.enum(LANGUAGES, messages.languageUnknown));

/** A new volunteer. The minimum password length is the district's setting; `passwordProblem` checks it. */
export const RegisterInput = z.object({
  email: emailOr(messages.emailAndPasswordRequired),
  password: RequiredPassword,
  firstName: requiredLine(LIMITS.name, messages.namesRequired),
  lastName: requiredLine(LIMITS.name, messages.namesRequired),
  schoolIds: SchoolIds.check(z.minLength(1, messages.schoolRequired)),
  /** The code of an emailed invitation (`?invite=`). It admits to the invitation's schools in every registration mode. */
  inviteCode: z.optional(z.string(messages.wrongInvite)),
  language: OwnLanguage,
});
export type RegisterInput = z.infer<typeof RegisterInput>;

/**
 * Changes to the viewer's own account; absent fields do not change. `schoolIds` lists all wanted schools, including those that
 * await approval; the registration mode decides which are joined immediately. Other fields are ignored.
 */
export const ProfileInput = z.object({
  firstName: z.optional(requiredLine(LIMITS.name, messages.namesRequired)),
  lastName: z.optional(requiredLine(LIMITS.name, messages.namesRequired)),
  email: z.optional(emailOr(messages.emailRequired)),
  schoolIds: z.optional(SchoolIds),
  inviteCode: z.optional(z.string(messages.wrongInvite)),
  language: z.optional(z.nullable(z.enum(LANGUAGES, messages.languageUnknown))),
});
export type ProfileInput = z.infer<typeof ProfileInput>;

/** An emailed invitation to schools, which one account can use. `usedAt` is null if it was not used, even if it expired. */
export const Invite = z.object({
  id: Id,
  email: z.string(),
  role: Role,
  schools: z.array(PublicSchool),
  grants: z.array(Grant),
  invitedBy: z.nullable(PersonRef),
  createdAt: Instant,
  expiresAt: Instant,
  usedAt: z.nullable(Instant),
});
export type Invite = z.infer<typeof Invite>;

/** A role at a school. */
export const GivenRole = z.enum(SCHOOL_ROLES, ofStaff('grantRoleRequired'));

const GivenGrant = z
  .object({
    role: GivenRole,
    schoolId: z.nullable(idOr(ofStaff('grantSchoolRequired'))),
  })
  .check(
    z.refine(({ role, schoolId }) => schoolId !== null || role === 'auditor', {
      error: ofStaff('grantSchoolRequired'),
      path: ['schoolId'],
    }),
  );

/** The roles at schools that a user should get. */
export const Grants = z.array(GivenGrant).check(z.maxLength(500));

export const InviteInput = z.object({
  email: emailOr(messages.inviteEmailRequired),
  schoolIds: SchoolIds.check(z.minLength(1, messages.schoolRequired)),
  role: z.optional(Role),
  grants: z.optional(Grants),
});
export type InviteInput = z.infer<typeof InviteInput>;

/** The person who made a request, with their email address. */
export const PersonContact = z.object({ ...PersonRef.shape, email: z.string() });
export type PersonContact = z.infer<typeof PersonContact>;

/** A pending request to join a school. */
export const PendingMembership = z.object({
  user: PersonContact,
  /** Whether the user confirmed the email address. */
  isEmailConfirmed: z.boolean(),
  school: PublicSchool,
  requestedAt: Instant,
});
export type PendingMembership = z.infer<typeof PendingMembership>;

/** The decision on a request. `unconfirmed` approves a user whose address is unconfirmed. */
export const MembershipDecision = z.object({
  userId: Id,
  schoolId: Id,
  unconfirmed: z.optional(z.boolean()),
  grants: z.optional(Grants),
});

export const SignedInReply = z.object({ user: User, token: z.string(), message: z.string() });
export const MessageReply = z.object({ message: z.string() });

/**
 * Creates an account and signs the user in (201). In `verify-email` mode without an invitation code, returns 202 with only a
 * message, the same whether or not the address has an account; the emailed link then creates the account.
 */
export const register = endpoint('POST', '/auth/register', {
  isLong: true,
  body: RegisterInput,
  reply: z.union([SignedInReply, MessageReply]),
  status: 201,
});

/**
 * The token of an emailed link (`?verify=`) with, for a new account, its password, names and language. The password is chosen
 * here, because the person who entered the address in the registration form may not own it.
 */
export const ConfirmInput = z.object({
  token: z.string(messages.invalidConfirmation),
  newPassword: z.optional(z.string(messages.passwordTooShort(6))),
  firstName: z.optional(requiredLine(LIMITS.name, messages.namesRequired)),
  lastName: z.optional(requiredLine(LIMITS.name, messages.namesRequired)),
  language: OwnLanguage,
});

/** A registration that still needs a password. */
export const Registration = z.object({ email: z.string(), firstName: z.string(), lastName: z.string() });
export type Registration = z.infer<typeof Registration>;

/**
 * Confirms an address, once. For a new account, a call without a password only returns the registration; a call with one
 * creates the account.
 */
export const verifyEmail = endpoint('POST', '/auth/verify-email', {
  isLong: true,
  body: ConfirmInput,
  reply: z.union([MessageReply, z.object({ registration: Registration })]),
});

/** The invitation with this code (`?invite=`), to prefill the registration form. */
export const verifyInvite = endpoint('GET', '/auth/invites/:code', {
  params: z.object({ code: z.string() }),
  reply: z.object({ invite: z.object({ email: z.string(), role: Role, schools: z.array(PublicSchool) }) }),
});

/** Returns the viewer's account. `may`, which only this call returns, lists the viewer's capabilities at any school. */
export const getProfile = endpoint('GET', '/profile', {
  isForSettingUp: true,
  reply: z.object({ user: z.object({ ...User.shape, may: z.optional(z.array(z.string())) }) }),
});

export const updateProfile = endpoint('PUT', '/profile', {
  body: ProfileInput,
  reply: z.object({ user: User, message: z.string() }),
  freshProof: { when: 'the email address changes' },
});

/**
 * Invites a person by email; other open invitations to the address stay valid. `link` is the link to pass on if no mail server
 * is configured; otherwise null.
 */
export const createInvite = endpoint('POST', '/admin/invites', {
  body: InviteInput,
  reply: z.object({ invite: Invite, message: z.string(), link: z.nullable(z.string()) }),
  status: 201,
  freshProof: { when: 'it gives a role or shows a link that opens an account' },
});

/** Invitations, newest first; `status=open` excludes used and expired ones. */
export const listInvites = endpoint('GET', '/admin/invites', {
  query: z.object({ status: z.optional(z.enum(['open', 'all'])), ...pageQuery, ...searchQuery }),
  reply: z.object({ invites: z.array(Invite), total: z.int(), ...pageReply }),
});

export const revokeInvite = endpoint('DELETE', '/admin/invites/:id', {
  params: z.object({ id: IdText }),
  reply: MessageReply,
});

/** Pending requests to join a school, oldest first. */
export const listPendingMemberships = endpoint('GET', '/admin/memberships', {
  query: z.object({ status: z.optional(z.enum(['pending'])), ...pageQuery, ...searchQuery }),
  reply: z.object({ memberships: z.array(PendingMembership), total: z.int(), ...pageReply }),
});

/** Approves a request. `grants` are added to the user's roles. Throws 403 if the viewer may not grant them. */
export const approveMembership = endpoint('POST', '/admin/memberships/approve', {
  body: MembershipDecision,
  reply: MessageReply,
  freshProof: { when: 'it gives a role' },
});

export const declineMembership = endpoint('POST', '/admin/memberships/decline', {
  body: MembershipDecision,
  reply: MessageReply,
});
