import { type CalendarDate, instantOf } from '#base/calendar-date.ts';
import { sweepDriveAttempts } from '#rooms/drive-sync/server/connection.ts';
import { endAllHouseholdCodes } from '#rooms/households/server/store.ts';
import { sweepLetterFiles } from '#rooms/letters/server/files.ts';
import { forgetRunningMailings } from '#rooms/mailings/server/store.ts';
import { RETENTION_JOB } from '#rooms/retention/server/deletion.ts';
import { sweepChallenges } from '#rooms/second-proof/server/challenge-store.ts';
import { endAllRecoveryCodes } from '#rooms/second-proof/server/recovery-code-store.ts';
import { sweepTotpOffers } from '#rooms/second-proof/server/totp-store.ts';
import { sweepExports } from '#rooms/time-entries/server/exports/export.ts';
import { sweepConfirmations } from '#rooms/users/server/email-confirmation.ts';
import { sweepInvites } from '#rooms/users/server/invites.ts';
import { sweepPasswordLinks } from '#rooms/users/server/password-reset.ts';
import { sweepProviderLogouts } from '#rooms/users/server/provider-logout-store.ts';
import { sweepProviderReturns } from '#rooms/users/server/provider-return-store.ts';
import { sweepSessions } from '#rooms/users/server/sessions.ts';
import { sweepSignInLinks } from '#rooms/users/server/sign-in-link-store.ts';
import { endAllLetters } from '#rooms/verification/server/outside-store.ts';
import { take } from '#server/daily.ts';
import type { Trx } from '#server/db/connect.ts';
import { sweepReplies } from '#server/http/idempotency.ts';
import { sweepMail } from '#server/mail/outbox.ts';
import { forgetAllState } from '#server/server-state.ts';

const ENDED_IN_TIME = [
  sweepSessions,
  sweepPasswordLinks,
  sweepConfirmations,
  sweepInvites,
  sweepProviderReturns,
  sweepProviderLogouts,
  sweepChallenges,
  sweepTotpOffers,
  sweepSignInLinks,
  sweepExports,
  sweepLetterFiles,
  sweepDriveAttempts,
  sweepReplies,
  sweepMail,
];

// The year 2999, by which everything with an expiry has expired.
const LONG_AFTER = instantOf(32_472_144_000_000);

/**
 * Ends what must not come back with a backup, as `endLinks` says, and what servers noted.
 */
export async function endLinksOfBackup(trx: Trx, today: CalendarDate): Promise<void> {
  await endLinks(trx);
  // The restored server has another photo folder.
  await forgetAllState(trx);
  // Whoever restores to have back what was deleted can change the period, or place a hold, before it goes again.
  await take(trx, { name: RETENTION_JOB }, today);
}

/**
 * Ends sessions, mailed and one-time links, stored replies, and emails that wait or go to many, since most of them hold
 * such a link and some may have been sent; recovery codes, and codes of households.
 */
export async function endLinks(trx: Trx): Promise<void> {
  for (const sweep of ENDED_IN_TIME) await sweep(trx, LONG_AFTER);
  // Those that were used since the backup would work again.
  await endAllRecoveryCodes(trx);
  await endAllHouseholdCodes(trx);
  await endAllLetters(trx, LONG_AFTER);
  await forgetRunningMailings(trx);
}
