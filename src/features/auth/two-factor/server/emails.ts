import { emailRecipientOf } from '#features/users/server/accounts.ts';
import { lockOwnAccount } from '#features/users/server/current-account.ts';
import { canEmail } from '#features/users/server/email-limits.ts';
import type { Trx } from '#server/db/database.ts';
import type { Row } from '#server/db/tables.ts';
import type { Deps } from '#server/deps.ts';
import { noticeExpiry, queueEmail } from '#server/email/outbox.ts';
import { emailTo, notYouNotice } from '#server/email/personal-email.ts';
import type { Acting } from '#server/http/viewer.ts';
import type { Instant } from '#shared/calendar-date.ts';
import { messageFactory } from '#shared/i18n/message.ts';
import type texts from '../../messages.server.en.json';
import { rejectAssignedPassword } from '../../passwords/server/assigned-password.ts';
import { findOwnCredentials } from '../../server/credentials-store.ts';
import type { Owner } from './actions.ts';

const say = messageFactory<typeof texts>('auth');

/** An event of a user's second factor that its owner gets an email about. */
export type TwoFactorChange = 'added' | 'removed' | 'codes' | 'used' | 'guessed' | 'reset';

const EMAIL_MESSAGES = {
  added: ['mailSecondAddedSubject', 'mailSecondAdded'],
  removed: ['mailSecondRemovedSubject', 'mailSecondRemoved'],
  codes: ['mailSecondCodesSubject', 'mailSecondCodes'],
  used: ['mailSecondUsedSubject', 'mailSecondUsed'],
  guessed: ['mailSecondGuessedSubject', 'mailSecondGuessed'],
  reset: ['mailSecondResetSubject', 'mailSecondReset'],
} as const satisfies Record<TwoFactorChange, readonly [string, string]>;

/** Emails an account's owner about an event of its second factor. */
export async function queueTwoFactorEmail(
  trx: Trx,
  deps: Deps,
  user: Row<'users'>,
  { change, at }: { change: TwoFactorChange; at: Instant },
): Promise<void> {
  const { districtName: district, supportEmail: email } = deps.config;
  const [subject, text] = EMAIL_MESSAGES[change];
  const letter = emailTo(deps, emailRecipientOf(user), {
    subject: say(subject),
    body: [
      say(text, { district }),
      change === 'guessed' ? say('mailSecondGuessedDo', { email }) : notYouNotice(deps),
    ],
  });
  await queueEmail(trx, deps, {
    kind: `second-proof-${change}`,
    userId: user.id,
    letter,
    at,
    expiresAt: noticeExpiry(at),
  });
}

/** The account whose second factor the viewer changes. */
export async function findTwoFactorOwner(deps: Deps, { viewer, request }: Acting): Promise<Owner> {
  const user = await findOwnCredentials(deps.database.db, viewer.userId);
  // Rate-limited, because an unconfirmed address may be a stranger's.
  const mayNotify =
    user.email_verified_at !== null || (await canEmail(deps, request, user.email, viewer.userId));
  return {
    email: user.email,
    requireMayAdd: () => rejectAssignedPassword(deps, user),
    lock: async (trx) => {
      const locked = await lockOwnAccount(trx, viewer);
      return async (change) => {
        if (mayNotify) await queueTwoFactorEmail(trx, deps, locked, { change, at: request.at });
      };
    },
  };
}
