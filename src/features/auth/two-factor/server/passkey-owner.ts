import { emailRecipientOf, findUser, lockUser } from '#features/users/server/accounts.ts';
import { lockOwnAccount } from '#features/users/server/current-account.ts';
import { canEmail } from '#features/users/server/email-limits.ts';
import type { Trx } from '#server/db/database.ts';
import type { Row } from '#server/db/tables.ts';
import type { Deps } from '#server/deps.ts';
import { noticeExpiry, queueEmail } from '#server/email/outbox.ts';
import { emailTo, notYouNotice } from '#server/email/personal-email.ts';
import type { Acting, Request } from '#server/http/viewer.ts';
import type { Instant } from '#shared/calendar-date.ts';
import { messageFactory } from '#shared/i18n/message.ts';
import { fullName } from '#shared/person-name.ts';
import type texts from '../../messages.server.en.json';
import { providerLinksOf } from '../../oidc/server/store.ts';
import { rejectAssignedPassword } from '../../passwords/server/assigned-password.ts';
import { findOwnCredentials } from '../../server/credentials-store.ts';
import type { PasskeyChange, PasskeyOwner } from './passkeys.ts';

const say = messageFactory<typeof texts>('auth');

const EMAIL_MESSAGES = {
  added: ['mailPasskeyAddedSubject', 'mailPasskeyAdded'],
  removed: ['mailPasskeyRemovedSubject', 'mailPasskeyRemoved'],
  cloned: ['mailPasskeyClonedSubject', 'mailPasskeyCloned'],
} as const satisfies Record<PasskeyChange, readonly [string, string]>;

/** Emails an account's owner about an event of one of its passkeys. */
export async function queuePasskeyEmail(
  trx: Trx,
  deps: Deps,
  user: Row<'users'>,
  { change, at }: { change: PasskeyChange; at: Instant },
): Promise<void> {
  const { districtName: district } = deps.config;
  const [subject, text] = EMAIL_MESSAGES[change];
  const letter = emailTo(deps, emailRecipientOf(user), {
    subject: say(subject),
    body: [say(text, { district }), notYouNotice(deps)],
  });
  const expiresAt = noticeExpiry(at);
  await queueEmail(trx, deps, { kind: `passkey-${change}`, userId: user.id, letter, at, expiresAt });
}

/** Returns a callback that warns the account's owner by email that a cloned passkey was used. */
export function warnOfClonedPasskey(deps: Deps, request: Request) {
  return async (trx: Trx, userId: number): Promise<void> => {
    const user = await lockUser(trx, userId);
    if (user !== undefined) await queuePasskeyEmail(trx, deps, user, { change: 'cloned', at: request.at });
  };
}

/** The account whose passkeys the viewer changes. */
export async function findPasskeyOwner(deps: Deps, { viewer, request }: Acting): Promise<PasskeyOwner> {
  const { db } = deps.database;
  const user = await findOwnCredentials(db, viewer.userId);
  const shown = await findUser(db, viewer.userId);
  // Rate-limited, because an unconfirmed address may be a stranger's.
  const mayNotify =
    user.email_verified_at !== null || (await canEmail(deps, request, user.email, viewer.userId));
  return {
    email: user.email,
    requireMayAdd: () => rejectAssignedPassword(deps, user),
    name: shown === undefined ? user.email : fullName(shown),
    lock: async (trx) => {
      const locked = await lockOwnAccount(trx, viewer);
      return {
        notify: async (change) => {
          if (mayNotify) await queuePasskeyEmail(trx, deps, locked, { change, at: request.at });
        },
        hasOtherWayIn: async () =>
          locked.password_hash !== null || (await hasProviderHere(trx, deps, viewer.userId)),
      };
    },
  };
}

/** Whether the user can sign in with a provider that is configured here. */
async function hasProviderHere(trx: Trx, { config }: Deps, userId: number): Promise<boolean> {
  const links = await providerLinksOf(trx, userId);
  return links.some((link) => config.providers.some(({ name }) => name === link.provider));
}
