import * as z from 'zod';
import { messages as accountMessages, emailKey, emailOr, LIMITS } from '#features/users/contract.ts';
import { storable } from '#server/http/storable-text.ts';
import { refuse } from '#shared/errors.ts';
import { clean } from '#shared/text-normalization.ts';
import { messages } from '../contract.ts';
import type { Identity, Provider } from './provider-client.ts';

/** A person with an address that a provider knows to be theirs. */
export type Proven = Readonly<{ title: string; email: string; firstName: string; lastName: string }>;

const Address = emailOr(accountMessages.emailRequired);
// For somebody whose provider tells no name; they change it in Settings.
const NO_NAME = '-';

/** The person that a provider names; refused without an address that it has confirmed, of the provider's domains. */
export function verifiedIdentity({ title, domains }: Provider['settings'], identity: Identity): Proven {
  const { data: email } = z.safeParse(Address, storable(identity.email));
  if (email === undefined) throw refuse.forbidden(messages.noAddress(title));
  if (!identity.isVerified) throw refuse.forbidden(messages.unverified(title, email));
  if (domains !== undefined && !isOf(domains, email)) {
    throw refuse.forbidden(messages.otherDomain(title, email, domains.join(', ')));
  }
  const firstName = nameIn(identity.firstName);
  const lastName = nameIn(identity.lastName);
  const [before = NO_NAME] = email.split('@');
  return {
    title,
    email,
    firstName: firstName ?? (lastName === undefined ? before.slice(0, LIMITS.name) : NO_NAME),
    lastName: lastName ?? NO_NAME,
  };
}

/** Whether an address is of one of these domains. */
export function isOf(domains: readonly string[], email: string): boolean {
  return domains.includes(emailKey(email).slice(emailKey(email).lastIndexOf('@') + 1));
}

function nameIn(given: string | undefined): string | undefined {
  const name = [...clean(String(storable(given ?? '')))].slice(0, LIMITS.name).join('').trim();
  return name === '' ? undefined : name;
}
