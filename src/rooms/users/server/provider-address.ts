import * as z from 'zod';
import { refuse } from '#base/refusal.ts';
import { clean } from '#base/text.ts';
import { storable } from '#server/http/storable.ts';
import type { Identity, Provider } from '#server/oidc/provider.ts';
import { messages as accountMessages, emailKey, emailOr, LIMITS } from '../contract.ts';
import { messages } from '../provider-contract.ts';

/** A person with an address that a provider knows to be theirs. */
export type Proven = Readonly<{ title: string; email: string; firstName: string; lastName: string }>;

const Address = emailOr(accountMessages.emailRequired);
// For somebody whose provider tells no name; they change it in Settings.
const NO_NAME = '-';

/** The person that a provider names; refused without an address that it has confirmed, of the provider's domains. */
export function provenIn({ title, domains }: Provider['settings'], identity: Identity): Proven {
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
