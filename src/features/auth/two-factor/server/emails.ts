import { emailRecipientOf } from '#features/users/server/accounts.ts';
import type { Trx } from '#server/db/database.ts';
import type { Row } from '#server/db/tables.ts';
import type { Deps } from '#server/deps.ts';
import { queueEmail } from '#server/email/outbox.ts';
import { emailTo, notYouNotice } from '#server/email/personal-email.ts';
import type { Instant } from '#shared/calendar-date.ts';
import { messageFactory } from '#shared/i18n/message.ts';
import type texts from '../../messages.server.en.json';

const say = messageFactory<typeof texts>('auth');

const EMAIL_MESSAGES = {
  'second-proof-added': ['mailSecondAddedSubject', 'mailSecondAdded'],
  'second-proof-removed': ['mailSecondRemovedSubject', 'mailSecondRemoved'],
  'second-proof-codes': ['mailSecondCodesSubject', 'mailSecondCodes'],
  'second-proof-used': ['mailSecondUsedSubject', 'mailSecondUsed'],
  'second-proof-guessed': ['mailSecondGuessedSubject', 'mailSecondGuessed'],
  'second-proof-reset': ['mailSecondResetSubject', 'mailSecondReset'],
  'passkey-added': ['mailPasskeyAddedSubject', 'mailPasskeyAdded'],
  'passkey-removed': ['mailPasskeyRemovedSubject', 'mailPasskeyRemoved'],
  'passkey-cloned': ['mailPasskeyClonedSubject', 'mailPasskeyCloned'],
} as const;

/** Emails an account's owner about an event of its second factor. */
export async function queueTwoFactorEmail(
  trx: Trx,
  deps: Deps,
  user: Row<'users'>,
  { change, at }: { change: keyof typeof EMAIL_MESSAGES; at: Instant },
): Promise<void> {
  const { districtName: district, supportEmail: email } = deps.config;
  const [subject, text] = EMAIL_MESSAGES[change];
  const letter = emailTo(deps, emailRecipientOf(user), {
    subject: say(subject),
    body: [
      say(text, { district }),
      change === 'second-proof-guessed' ? say('mailSecondGuessedDo', { email }) : notYouNotice(deps),
    ],
  });
  await queueEmail(trx, deps, { kind: change, userId: user.id, letter, at });
}
