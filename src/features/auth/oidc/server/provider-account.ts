import { messages as accountMessages } from '#features/users/contract.ts';
import { isInvited } from '#features/users/invitations/server/actions.ts';
import { recordRegistration } from '#features/users/registration/server/audit.ts';
import { insertUser } from '#features/users/server/store.ts';
import type { Trx } from '#server/db/database.ts';
import type { Deps } from '#server/deps.ts';
import type { Request } from '#server/http/viewer.ts';
import { defaultLanguage } from '#server/i18n/recipient-language.ts';
import { refuse } from '#shared/errors.ts';
import { linksOf } from './link-store.ts';
import { isOf, type Proven } from './provider-identity.ts';

/**
 * Makes the account of somebody whom a provider named. In the mode `invite` there must be an invitation to the address; it
 * is not used up, since what it gives comes with its code alone. Schools are chosen afterwards, in Settings. Returns its id;
 * a unique violation means that somebody made it a moment ago.
 */
export async function makeProviderAccount(
  trx: Trx,
  deps: Deps,
  request: Request,
  { email, firstName, lastName }: Proven,
): Promise<number> {
  const { at } = request;
  if (deps.config.registration === 'invite' && !(await isInvited(trx, email, at))) {
    throw refuse.forbidden(accountMessages.registrationClosed(deps.config.supportEmail));
  }
  const said = { email, firstName, lastName, role: 'user', isActive: true } as const;
  // As an account that is made on a page.
  const asked = deps.speech.listener()?.language;
  const language = asked === undefined || asked === defaultLanguage(deps) ? {} : { language: asked };
  const id = await insertUser(trx, { ...said, ...language, passwordHash: null, at, isVerified: true });
  await recordRegistration(trx, request, id);
  return id;
}

/** Whether a provider with domains has let this person in, so that nobody need approve what they join. */
export async function isApprovedByProvider(
  trx: Trx,
  deps: Deps,
  user: { id: number; email: string },
): Promise<boolean> {
  const links = await linksOf(trx, user.id);
  return deps.config.providers.some(
    ({ name, domains }) =>
      domains !== undefined && isOf(domains, user.email) && links.some(({ provider }) => provider === name),
  );
}
