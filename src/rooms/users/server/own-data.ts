import { baseMessages } from '#base/messages.ts';
import { refuse } from '#base/refusal.ts';
import type { Trx } from '#server/db/connect.ts';
import type { Deps } from '#server/deps.ts';
import { text } from '#server/http/errors.ts';
import { forgive } from '#server/http/try-limits.ts';
import type { Viewer } from '#server/http/viewer.ts';
import { dropWaiting } from '#server/mail/outbox.ts';
import type { Person } from '#server/person.ts';
import { newToken } from '#server/secret.ts';
import { messages } from '../contract.ts';
import { holdAdministrators } from './admin-users-store.ts';
import { passwordCounter } from './guessing.ts';
import { inviteKind } from './invites.ts';
import { forgetMarks } from './known-device-store.ts';
import type { Addressee } from './letters.ts';
import { anonymise, deleteInvitesOf, deleteTracesOf, wasErased } from './own-data-store.ts';
import { addresseeOf, holdUser } from './store.ts';

/**
 * Holds somebody who is to be erased until the transaction ends. Answers whom the last letter goes to; nothing when
 * they were erased before, and 404 when there never was such an account. The last administrator stays.
 */
export async function holdForErasure(trx: Trx, viewer: Viewer, id: number): Promise<Addressee | undefined> {
  // Two administrators who remove each other at the same moment wait for each other here, and the second one is none
  // any more.
  const administrators = await holdAdministrators(trx);
  if (!administrators.includes(viewer.userId)) throw refuse.forbidden(baseMessages.adminRequired);
  if (administrators.every((administrator) => administrator === id)) {
    throw refuse.conflict(messages.lastAdministrator);
  }
  const user = await holdUser(trx, id);
  if (user !== undefined) return addresseeOf(user);
  if (await wasErased(trx, id)) return undefined;
  throw refuse.notFound(messages.userNotFound);
}

/** Whom a letter to an account goes to, held until the transaction ends; nothing when there is none or it was erased. */
export async function holdAddressee(trx: Trx, id: number): Promise<Addressee | undefined> {
  const user = await holdUser(trx, id);
  return user === undefined ? undefined : addresseeOf(user);
}

/** Takes a person out of the account for good: what is left of it is 'Former volunteer', whom the hours belong to. */
export async function forgetPerson(trx: Trx, deps: Deps, person: Person): Promise<number[]> {
  await deleteTracesOf(trx, person);
  await forgetMarks(trx, person.id);
  await forgive(trx, [passwordCounter(person.id)], []);
  const inviteIds = await deleteInvitesOf(trx, person);
  await dropWaiting(trx, null, inviteIds.map(inviteKind), person.at);
  await anonymise(trx, person, {
    firstName: text(deps, messages.formerFirstName),
    lastName: text(deps, messages.formerLastName),
    // Nobody can have mail there (RFC 2606), and nobody can guess it.
    email: `former-${newToken()}@erased.invalid`,
  });
  return inviteIds;
}
