import * as z from 'zod';
import { messages as accountMessages, emailKey, emailOr, LIMITS } from '#features/users/contract.ts';
import { isInvited } from '#features/users/invitations/server/actions.ts';
import { recordRegistration } from '#features/users/registration/server/audit.ts';
import { insertUser } from '#features/users/server/accounts.ts';
import type { Trx } from '#server/db/database.ts';
import type { Deps } from '#server/deps.ts';
import { makeStorable } from '#server/http/blank-fields.ts';
import type { Request } from '#server/http/viewer.ts';
import { defaultLanguage } from '#server/i18n/recipient-language.ts';
import { errors } from '#shared/errors.ts';
import { normalizeText } from '#shared/text-normalization.ts';
import { messages } from '../contract.ts';
import type { Identity, Provider } from './provider-client.ts';
import { providerLinksOf } from './store.ts';

/** A person whose address the provider has verified. */
export type Proven = Readonly<{ title: string; email: string; firstName: string; lastName: string }>;

const Address = emailOr(accountMessages.emailRequired);
// The last name if the provider sends none. The user can change it in Settings.
const NO_NAME = '-';

/** Returns the person that a provider identifies. Throws without a verified address in the provider's domains. */
export function verifiedIdentity({ title, domains }: Provider['settings'], identity: Identity): Proven {
  const { data: email } = z.safeParse(Address, makeStorable(identity.email));
  if (email === undefined) throw errors.forbidden(messages.noAddress(title));
  if (!identity.isVerified) throw errors.forbidden(messages.unverified(title, email));
  if (domains !== undefined && !isOf(domains, email)) {
    throw errors.forbidden(messages.otherDomain(title, email, domains.join(', ')));
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

/** Whether an address is in one of these domains. */
export function isOf(domains: readonly string[], email: string): boolean {
  return domains.includes(emailKey(email).slice(emailKey(email).lastIndexOf('@') + 1));
}

function nameIn(given: string | undefined): string | undefined {
  const name = [...normalizeText(String(makeStorable(given ?? '')))].slice(0, LIMITS.name).join('').trim();
  return name === '' ? undefined : name;
}

/**
 * Creates an account for a person whom a provider identified. In invitation mode there must be an invitation to the address. It
 * is not used up, because only its code grants what it offers. Schools are chosen later, in Settings. Returns the ID; a unique
 * violation means that another request created the account a moment ago.
 */
export async function createProviderAccount(
  trx: Trx,
  deps: Deps,
  request: Request,
  { email, firstName, lastName }: Proven,
): Promise<number> {
  const { at } = request;
  if (deps.config.registration === 'invite' && !(await isInvited(trx, email, at))) {
    throw errors.forbidden(accountMessages.registrationClosed(deps.config.supportEmail));
  }
  const said = { email, firstName, lastName, role: 'user', isActive: true } as const;
  // Stores the browser's language unless it is the district's default, as the registration form does.
  const asked = deps.translators.locale()?.language;
  const language = asked === undefined || asked === defaultLanguage(deps) ? {} : { language: asked };
  const id = await insertUser(trx, { ...said, ...language, passwordHash: null, at, isVerified: true });
  await recordRegistration(trx, request, id);
  return id;
}

/** Whether a provider with configured domains admitted this user, so that their schools need no approval. */
export async function isApprovedByProvider(
  trx: Trx,
  deps: Deps,
  user: { id: number; email: string },
): Promise<boolean> {
  const links = await providerLinksOf(trx, user.id);
  return deps.config.providers.some(
    ({ name, domains }) =>
      domains !== undefined && isOf(domains, user.email) && links.some(({ provider }) => provider === name),
  );
}
