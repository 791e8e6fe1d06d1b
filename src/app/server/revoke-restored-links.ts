import { deleteExpiredMagicLinks } from '#features/auth/magic-link/server/store.ts';
import {
  deleteExpiredProviderLogouts,
  deleteExpiredProviderSignIns,
} from '#features/auth/oidc/server/store.ts';
import { deleteOldPasswordLinks } from '#features/auth/passwords/server/password-link-store.ts';
import { deleteExpiredSessions } from '#features/auth/sessions/server/actions.ts';
import { deleteExpiredPendingSignIns } from '#features/auth/two-factor/server/pending-sign-in-store.ts';
import { deleteExpiredTotpSetups, endAllRecoveryCodes } from '#features/auth/two-factor/server/store.ts';
import { deleteUnfinishedAnnouncements } from '#features/notifications/announcements/server/store.ts';
import { deleteExpiredDriveAttempts } from '#features/photos/google-drive/server/connection-store.ts';
import { RETENTION_JOB } from '#features/privacy/retention/server/cleanup.ts';
import { deleteOldLetterFiles } from '#features/reports/service-letters/server/letter-file-store.ts';
import { deleteOldExports } from '#features/time-entries/export/server/actions.ts';
import { endAllHouseholdCodes } from '#features/users/households/server/store.ts';
import { deleteOldInvitations } from '#features/users/invitations/server/actions.ts';
import { deleteExpiredConfirmations } from '#features/users/server/email-confirmation.ts';
import { expireAllVerifierEmails } from '#features/verification/external-verifiers/server/store.ts';
import type { Trx } from '#server/db/database.ts';
import { deleteAllServerState } from '#server/db/server-state.ts';
import { deleteOldEmails } from '#server/email/outbox.ts';
import { deleteExpiredReplies } from '#server/http/idempotency.ts';
import { claimDailyJob } from '#server/jobs/daily-jobs.ts';
import { type CalendarDate, instantOf } from '#shared/calendar-date.ts';

const ENDED_IN_TIME = [
  deleteExpiredSessions,
  deleteOldPasswordLinks,
  deleteExpiredConfirmations,
  deleteOldInvitations,
  deleteExpiredProviderSignIns,
  deleteExpiredProviderLogouts,
  deleteExpiredPendingSignIns,
  deleteExpiredTotpSetups,
  deleteExpiredMagicLinks,
  deleteOldExports,
  deleteOldLetterFiles,
  deleteExpiredDriveAttempts,
  deleteExpiredReplies,
  deleteOldEmails,
];

// The year 2999, when everything with an expiry has expired.
const LONG_AFTER = instantOf(32_472_144_000_000);

/** Revokes what must not come back with a backup (see `revokeLinks`), and clears the servers' stored state. */
export async function revokeRestoredLinks(trx: Trx, today: CalendarDate): Promise<void> {
  await revokeLinks(trx);
  // The restored server has another photo folder.
  await deleteAllServerState(trx);
  // Someone who restores to get deleted records back needs time to change the retention period, or place a
  // hold, before the retention job deletes them again.
  await claimDailyJob(trx, { name: RETENTION_JOB }, today);
}

/**
 * Revokes sessions, emailed and one-time links, stored replies, and emails that are pending or go to many,
 * since most contain such a link and some may have been sent; also recovery codes and household codes.
 */
export async function revokeLinks(trx: Trx): Promise<void> {
  for (const cleanUp of ENDED_IN_TIME) await cleanUp(trx, LONG_AFTER);
  // Codes used since the backup would work again.
  await endAllRecoveryCodes(trx);
  await endAllHouseholdCodes(trx);
  await expireAllVerifierEmails(trx, LONG_AFTER);
  await deleteUnfinishedAnnouncements(trx);
}
