import { refuse } from '#base/refusal.ts';
import type { Trx } from '#server/db/connect.ts';
import type { Deps } from '#server/deps.ts';
import { firstLanguage } from '#server/for-reader.ts';
import type { Request } from '#server/http/viewer.ts';
import { messages as accountMessages } from '../contract.ts';
import { type OpenInvite, openInvitesTo } from './invite-store.ts';
import { spendInvite } from './invites.ts';
import { isOf, type Proven } from './provider-address.ts';
import { linksOf } from './provider-link-store.ts';
import { recordRegistration } from './registration-record.ts';
import { insertMemberships, insertUser } from './store.ts';

/**
 * Makes the account of somebody whom a provider named. Their invitations open the schools that they name; in the mode
 * `invite` there must be one. Schools are chosen afterwards, in Settings. Returns its id; a unique violation means that
 * somebody made it a moment ago.
 */
export async function makeProviderAccount(
  trx: Trx,
  deps: Deps,
  request: Request,
  { email, firstName, lastName }: Proven,
): Promise<number> {
  const { at } = request;
  const invites = await volunteersInvites(trx, request, email);
  if (deps.config.registration === 'invite' && invites.length === 0) {
    throw refuse.forbidden(accountMessages.registrationClosed(deps.config.supportEmail));
  }
  const said = { email, firstName, lastName, role: 'user', isActive: true } as const;
  // As an account that is made on a page.
  const asked = deps.speech.listener()?.language;
  const language = asked === undefined || asked === firstLanguage(deps) ? {} : { language: asked };
  const id = await insertUser(trx, { ...said, ...language, passwordHash: null, at, isVerified: true });
  for (const invite of invites) await spendInvite(trx, invite, id, at);
  const schoolIds = [...new Set(invites.flatMap((invite) => invite.schoolIds))];
  await insertMemberships(trx, id, schoolIds, { at, isApproved: true });
  await recordRegistration(trx, request, id);
  return id;
}

/** Whether a provider with domains has let this person in, so that nobody need approve what they join. */
export async function isLetInByProvider(
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

// One that gives a role is opened by its letter alone.
async function volunteersInvites(trx: Trx, request: Request, email: string): Promise<OpenInvite[]> {
  const invites = await openInvitesTo(trx, email, request.at);
  return invites.filter(({ role, grants }) => role === 'user' && grants.length === 0);
}
