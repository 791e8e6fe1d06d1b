import { lockUser } from '#features/users/server/accounts.ts';
import { recordEvent } from '#server/audit-log.ts';
import { type Trx, transaction } from '#server/db/database.ts';
import type { Deps } from '#server/deps.ts';
import { type Acting, actorOf, type Viewer } from '#server/http/viewer.ts';
import { translate } from '#server/i18n/translator.ts';
import { commonMessages } from '#shared/common-messages.ts';
import { errors } from '#shared/errors.ts';
import { messages as passwordMessages } from '../../contract.ts';
import { reauthenticationTicket } from '../../oidc/server/redirects.ts';
import { providerLinksOf } from '../../oidc/server/store.ts';
import { requireOwnPassword } from '../../passwords/server/password-change.ts';
import { findOwnCredentials } from '../../server/credentials-store.ts';
import { resetAttemptCounter, sessionAttemptSource, withinLimits } from '../../server/login-throttling.ts';
import { recordSessionReauthentication } from '../../sessions/server/store.ts';
import { hasPasskeyHere } from '../../two-factor/server/passkeys.ts';
import { messages } from '../contract.ts';

/** Returns the ways in which the viewer can re-authenticate. */
export async function reauthenticationMethodsOf(deps: Deps, viewer: Viewer) {
  const { db } = deps.database;
  const user = await findOwnCredentials(db, viewer.userId);
  const linked = new Set((await providerLinksOf(db, viewer.userId)).map(({ provider }) => provider));
  return {
    password: user.password_hash !== null,
    passkey: await hasPasskeyHere(db, deps, viewer.userId),
    providers: deps.config.providers
      .filter(({ name }) => linked.has(name))
      .map(({ name, title }) => ({ name, title, ticket: reauthenticationTicket(deps, viewer.sessionId) })),
  };
}

/** Re-authenticates this session with the viewer's password. Wrong passwords are throttled like sign-ins. */
export function reauthenticateByPassword(
  deps: Deps,
  { viewer, request }: Acting,
  password = '',
): Promise<{ message: string }> {
  if (password === '') {
    const missing = passwordMessages.currentPasswordRequired;
    throw errors.invalid(missing, { password: missing });
  }
  const place = sessionAttemptSource(deps, viewer.userId);
  const wrong = () => errors.invalid(messages.wrongPassword, { password: messages.wrongPassword });
  return withinLimits(deps, request, place, async () => {
    const checked = await requireOwnPassword(deps, { viewer, request }, { place, password, wrong });
    return transaction(deps.database, async (trx) => {
      const user = await lockUser(trx, viewer.userId);
      // Another request changed the password since the check.
      if (user === undefined || user.password_hash !== checked.password_hash) throw wrong();
      await resetAttemptCounter(trx, place);
      return recordReauthentication(trx, deps, { viewer, request });
    });
  });
}

/** Records that the viewer's session, which must still exist, was re-authenticated. */
export async function recordReauthentication(trx: Trx, deps: Deps, { viewer, request }: Acting) {
  if (!(await recordSessionReauthentication(trx, viewer.sessionId, request.at))) {
    throw errors.unauthenticated(commonMessages.authenticationRequired);
  }
  await recordEvent(trx, actorOf(viewer, request), {
    action: 'session.prove',
    subject: 'user',
    subjectId: viewer.userId,
  });
  return { message: translate(deps, messages.confirmed) };
}
