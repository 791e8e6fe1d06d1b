import { suggestionDigestJob } from '#features/activities/suggestions/server/suggestion-digest.ts';
import { deleteExpiredMagicLinks } from '#features/auth/magic-link/server/store.ts';
import {
  deleteExpiredProviderLogouts,
  deleteExpiredProviderSignIns,
} from '#features/auth/oidc/server/store.ts';
import { deleteOldPasswordLinks } from '#features/auth/passwords/server/password-link-store.ts';
import { deleteOldKnownDevices } from '#features/auth/server/known-device-store.ts';
import { deleteExpiredChallenges } from '#features/auth/two-factor/server/passkey-store.ts';
import { deleteExpiredPendingSignIns } from '#features/auth/two-factor/server/pending-sign-in-store.ts';
import { deleteExpiredTotpSetups } from '#features/auth/two-factor/server/store.ts';
import { deleteOldAnnouncements } from '#features/notifications/announcements/server/store.ts';
import { eventReminderJob } from '#features/notifications/reminders/server/event-reminders.ts';
import { weeklySummaryJob } from '#features/notifications/reminders/server/weekly-summary.ts';
import type { ServerJob } from '#features/operations/server/background-jobs.ts';
import { checkForRelease, fetchLatestRelease } from '#features/operations/server/release-check.ts';
import { deleteExpiredDriveAttempts } from '#features/photos/google-drive/server/connection-store.ts';
import { nightlyDriveSync } from '#features/photos/google-drive/server/nightly-sync.ts';
import { deleteOldSyncs } from '#features/photos/google-drive/server/sync-store.ts';
import { purgeDeletedPhotos } from '#features/photos/server/actions.ts';
import { removeLeftovers } from '#features/photos/server/photo-files.ts';
import { deleteExpiredRecords, RETENTION_JOB } from '#features/privacy/retention/server/cleanup.ts';
import { checkSums, checkSumsNightly } from '#features/time-entries/rollups/server/rollups.ts';
import { deleteOldInvitations } from '#features/users/invitations/server/actions.ts';
import { cleanUpMerges } from '#features/users/merging/server/unmerge.ts';
import { deleteExpiredConfirmations } from '#features/users/server/email-confirmation.ts';
import {
  cleanUpVerifierEmails,
  externalVerifierEmailJob,
} from '#features/verification/external-verifiers/server/emails.ts';
import { deleteOldDecisionSnapshots } from '#features/verification/server/actions.ts';
import { weeklyReminderJob } from '#features/verification/weekly-reminder/server/emails.ts';
import { findRestoreTest } from '#server/backup/restore-test-record.ts';
import { transaction } from '#server/db/database.ts';
import { markDatabase } from '#server/db/sqlite/replace-database-mark.ts';
import { deleteOldFailedRequests } from '#server/http/failed-requests.ts';
import { deleteExpiredReplies } from '#server/http/idempotency.ts';
import type { DailyJob } from '#server/jobs/daily-jobs.ts';
import {
  type AfterCleanupJob,
  type CleanupJob,
  removeExpiredLink,
  removeOldUpdateCopies,
  scrubDatabase,
} from './cleanup-jobs.ts';

// At night, when there are few writes.
const RETENTION_FROM_HOUR = 3;

/**
 * Hourly jobs that run in one transaction each. A job's name stays the same when its function is renamed: it is stored, and
 * monitoring uses it.
 */
export const CLEANUP_JOBS: readonly CleanupJob[] = [
  { name: 'sweepReplies', run: deleteExpiredReplies },
  { name: 'sweepKnownDevices', run: deleteOldKnownDevices },
  { name: 'sweepProviderReturns', run: deleteExpiredProviderSignIns },
  { name: 'sweepProviderLogouts', run: deleteExpiredProviderLogouts },
  { name: 'sweepChallenges', run: deleteExpiredPendingSignIns },
  { name: 'sweepTotpOffers', run: deleteExpiredTotpSetups },
  { name: 'sweepAnswered', run: deleteExpiredChallenges },
  { name: 'sweepSignInLinks', run: deleteExpiredMagicLinks },
  { name: 'sweepPasswordLinks', run: deleteOldPasswordLinks },
  { name: 'sweepConfirmations', run: deleteExpiredConfirmations },
  { name: 'sweepInvites', run: deleteOldInvitations },
  { name: 'sweepTrash', run: purgeDeletedPhotos },
  { name: 'sweepDriveAttempts', run: deleteExpiredDriveAttempts },
  { name: 'sweepSyncs', run: deleteOldSyncs },
  { name: 'deleteOldFailedRequests', run: deleteOldFailedRequests },
  { name: 'sweepOutsideLetters', run: cleanUpVerifierEmails },
  { name: 'sweepDecisions', run: deleteOldDecisionSnapshots },
  { name: 'sweepMerges', run: cleanUpMerges },
  { name: 'sweepMailings', run: deleteOldAnnouncements },
];

/** Hourly jobs that run outside a transaction. */
export const AFTER_CLEANUP_JOBS: readonly AfterCleanupJob[] = [
  { name: 'removeLeftovers', run: removeLeftovers },
  { name: 'markDatabase', run: markDatabase },
  { name: 'scrubDatabase', run: scrubDatabase },
  { name: 'removeOldUpdateCopies', run: removeOldUpdateCopies },
  { name: 'removeExpiredLink', run: removeExpiredLink },
  { name: 'checkSumsNightly', run: checkSumsNightly, runNow: checkSums },
  { name: 'findRestoreTest', run: findRestoreTest },
  { name: 'lookForRelease', run: checkForRelease, runNow: fetchLatestRelease },
];

/** Daily jobs. */
export const DAILY_JOBS: readonly DailyJob[] = [
  suggestionDigestJob,
  weeklyReminderJob,
  externalVerifierEmailJob,
  weeklySummaryJob,
  eventReminderJob,
  nightlyDriveSync,
  { name: RETENTION_JOB, fromHour: RETENTION_FROM_HOUR, runLong: deleteExpiredRecords },
];

/** All jobs, as an administrator sees and runs them. */
export const SERVER_JOBS: readonly ServerJob[] = [
  ...DAILY_JOBS.map((job) => ({
    name: job.name,
    fromHour: job.fromHour,
    isWeekly: job.isWeekly,
    run: (deps: Parameters<ServerJob['run']>[0]) =>
      'run' in job ? transaction(deps.database, (trx) => job.run(trx, deps)) : job.runLong(deps, () => false),
  })),
  ...AFTER_CLEANUP_JOBS.map(({ name, run, runNow }) => ({ name, fromHour: undefined, run: runNow ?? run })),
  ...CLEANUP_JOBS.map(({ name, run }) => ({
    name,
    fromHour: undefined,
    run: (deps: Parameters<ServerJob['run']>[0]) =>
      transaction(deps.database, (trx) => run(trx, deps.clock.now())),
  })),
];
