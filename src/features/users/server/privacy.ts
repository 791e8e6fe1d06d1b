import { redactAuditedValues } from '#server/audit-log.ts';
import type { Db, Trx } from '#server/db/database.ts';
import type { Deps } from '#server/deps.ts';
import { deleteEmailsOfKinds } from '#server/email/outbox.ts';
import type { PersonRecipient } from '#server/email/personal-email.ts';
import type { Viewer } from '#server/http/viewer.ts';
import { inDistrictLanguage } from '#server/i18n/recipient-language.ts';
import { translate } from '#server/i18n/translator.ts';
import type { Column, Person, Section } from '#server/personal-data/data-export.ts';
import { newToken } from '#server/secrets.ts';
import { commonMessages } from '#shared/common-messages.ts';
import { errors } from '#shared/errors.ts';
import { messages } from '../contract.ts';
import { inviteKind } from '../invitations/server/actions.ts';
import { requireOtherAdministrator } from './admin-users.ts';
import { lockAdministrators } from './admin-users-store.ts';
import { forgetPastAddresses, pastAddressesOf } from './email-change-store.ts';
import {
  accountOf,
  addressesOfOthers,
  anonymizeAccount,
  deleteInvitesOf,
  deleteMembershipsAndConfirmations,
  invitesOf,
  membershipsOf,
  rolesOf,
  wasDeleted,
} from './privacy-store.ts';
import { emailRecipientOf, findUser, lockUser } from './store.ts';

/**
 * Locks the row of a person who is to be erased until the transaction ends. Returns the recipient of the last email, or
 * undefined if the person was already erased. Throws 403 if the viewer is no longer a district administrator, 409 for the last
 * one, 404 for an unknown account.
 */
export async function lockForDeletion(
  trx: Trx,
  viewer: Viewer,
  id: number,
): Promise<PersonRecipient | undefined> {
  // If two administrators erase each other at the same moment, the second waits here and is then no longer an administrator.
  const administrators = await lockAdministrators(trx);
  if (!administrators.includes(viewer.userId)) throw errors.forbidden(commonMessages.adminRequired);
  requireOtherAdministrator(administrators.filter((administrator) => administrator !== id));
  const user = await lockUser(trx, id);
  if (user !== undefined) return emailRecipientOf(user);
  if (await wasDeleted(trx, id)) return undefined;
  throw errors.notFound(messages.userNotFound);
}

/**
 * Returns the recipient of an email to an account, and locks its row until the transaction ends; undefined if the account does
 * not exist or was erased.
 */
export async function lockEmailRecipient(trx: Trx, id: number): Promise<PersonRecipient | undefined> {
  const user = await lockUser(trx, id);
  return user === undefined ? undefined : emailRecipientOf(user);
}

export { pastAddressesOf } from './email-change-store.ts';
export { addressOf } from './privacy-store.ts';

/** Returns these addresses without those that now belong to another account, whose emails are not this person's. */
export async function withoutAddressesOfOthers(
  db: Db,
  id: number,
  addresses: readonly string[],
): Promise<string[]> {
  if (addresses.length === 0) return [];
  const taken = await addressesOfOthers(db, id, addresses);
  return addresses.filter((address) => !taken.includes(address));
}

/** The account's part of a person's data export. */
export function exportPersonalData(db: Db, { id }: Person): readonly Section[] {
  return [
    { name: 'profile', read: () => findUser(db, id) },
    { name: 'account', read: () => accountOf(db, id) },
    { name: 'memberships', read: () => membershipsOf(db, id) },
    { name: 'grants', read: () => rolesOf(db, id) },
    { name: 'invitations', read: () => invitesOf(db, id) },
    { name: 'pastAddresses', read: () => pastAddressesOf(db, id) },
  ];
}

/** Permanently erases a person. The account becomes 'Former volunteer', and its hours stay. */
export async function deletePersonalData(trx: Trx, deps: Deps, person: Person): Promise<void> {
  await deleteMembershipsAndConfirmations(trx, person);
  await forgetPastAddresses(trx, person.id);
  const stored = inDistrictLanguage(deps);
  const inviteIds = await deleteInvitesOf(trx, person);
  await deleteEmailsOfKinds(trx, inviteIds.map(inviteKind));
  await redactAuditedValues(trx, 'invite', inviteIds);
  await anonymizeAccount(trx, person, {
    // Lists show all deleted accounts with the same name.
    firstName: translate(stored, messages.formerFirstName),
    lastName: translate(stored, messages.formerLastName),
    // An address that cannot be guessed, at a domain that receives no mail (RFC 2606).
    email: `former-${newToken()}@erased.invalid`,
  });
}

export const DELETED_COLUMNS = [
  'users.email',
  'users.email_key',
  'users.contact_email',
  'users.vouched_by',
  'users.language',
  'users.password_hash',
  'users.password_given_by',
  'users.first_name',
  'users.last_name',
  'users.sort_key',
  'users.search_key',
  'users.role',
  'user_schools.user_id',
  'user_schools.status',
  'user_grants.user_id',
  'user_grants.role',
  'past_addresses.user_id',
  'past_addresses.email_key',
  'email_confirmations.user_id',
  'email_confirmations.token_hash',
  'email_confirmations.email',
  'email_confirmations.email_key',
  'email_confirmations.first_name',
  'email_confirmations.last_name',
  'email_confirmations.school_ids',
  'invites.token_hash',
  'invites.email',
  'invites.email_key',
  'invites.role',
  'invites.used_by',
  'invite_grants.role',
] as const satisfies readonly Column[];

export const RETAINED_COLUMNS = {
  'invites.invited_by': "an invitation to somebody else; its sender is shown as 'Former volunteer'",
} as const satisfies Partial<Record<Column, string>>;
