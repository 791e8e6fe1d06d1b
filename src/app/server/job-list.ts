import { suggestionDigestJob } from '#features/activities/suggestions/server/suggestion-digest.ts';
import { sweepSignInLinks } from '#features/auth/magic-link/server/store.ts';
import { sweepProviderLogouts, sweepProviderReturns } from '#features/auth/oidc/server/store.ts';
import { sweepPasswordLinks } from '#features/auth/passwords/server/password-reset.ts';
import { sweepKnownDevices } from '#features/auth/server/known-device-store.ts';
import { sweepAnswered } from '#features/auth/two-factor/server/passkey-store.ts';
import { sweepChallenges } from '#features/auth/two-factor/server/pending-sign-in-store.ts';
import { sweepTotpOffers } from '#features/auth/two-factor/server/store.ts';
import { sweepMailings } from '#features/notifications/announcements/server/store.ts';
import { eventReminderJob } from '#features/notifications/reminders/server/event-reminders.ts';
import { weeklySummaryJob } from '#features/notifications/reminders/server/weekly-summary.ts';
import type { ServerJob } from '#features/operations/server/background-jobs.ts';
import { fetchLatestRelease, lookForRelease } from '#features/operations/server/release-check.ts';
import { sweepSyncs } from '#features/photos/google-drive/server/actions.ts';
import { sweepDriveAttempts } from '#features/photos/google-drive/server/connection.ts';
import { nightlyDriveSync } from '#features/photos/google-drive/server/nightly-sync.ts';
import { sweepTrash } from '#features/photos/server/actions.ts';
import { removeLeftovers } from '#features/photos/server/photo-files.ts';
import { deleteExpiredRecords, RETENTION_JOB } from '#features/privacy/retention/server/cleanup.ts';
import { checkSums, checkSumsNightly } from '#features/time-entries/rollups/server/rollups.ts';
import { sweepInvites } from '#features/users/invitations/server/actions.ts';
import { sweepMerges } from '#features/users/merging/server/unmerge.ts';
import { sweepConfirmations } from '#features/users/server/email-confirmation.ts';
import {
  externalVerifierEmailJob,
  sweepOutsideLetters,
} from '#features/verification/external-verifiers/server/emails.ts';
import { sweepDecisions } from '#features/verification/server/actions.ts';
import { weeklyReminderJob } from '#features/verification/weekly-reminder/server/emails.ts';
import { findRestoreTest } from '#server/backup/restore-test-record.ts';
import { transaction } from '#server/db/database.ts';
import { markDatabase } from '#server/db/sqlite/replace-database-mark.ts';
import { deleteOldFailedRequests } from '#server/http/failed-requests.ts';
import { sweepReplies } from '#server/http/idempotency.ts';
import type { DailyJob } from '#server/jobs/daily-jobs.ts';
import {
  type AfterCleanupJob,
  removeExpiredLink,
  removeOldUpdateCopies,
  scrubDatabase,
} from './cleanup-jobs.ts';

// At night, when there are few writes.
const RETENTION_FROM_HOUR = 3;

/** Hourly jobs: these run in a transaction each, the next list outside of one. */
export const CLEANUP_JOBS = [
  sweepKnownDevices,
  sweepProviderReturns,
  sweepProviderLogouts,
  sweepChallenges,
  sweepTotpOffers,
  sweepAnswered,
  sweepSignInLinks,
  sweepPasswordLinks,
  sweepConfirmations,
  sweepInvites,
  sweepTrash,
  sweepDriveAttempts,
  sweepSyncs,
  deleteOldFailedRequests,
  sweepOutsideLetters,
  sweepDecisions,
  sweepMerges,
  sweepMailings,
];
export const AFTER_CLEANUP_JOBS = [
  removeLeftovers,
  markDatabase,
  scrubDatabase,
  removeOldUpdateCopies,
  removeExpiredLink,
  checkSumsNightly,
  findRestoreTest,
  lookForRelease,
];

/** Jobs that skip most hourly runs, with what runs when an administrator starts them. */
const MANUAL_RUNS = new Map<AfterCleanupJob, AfterCleanupJob>([
  [checkSumsNightly, checkSums],
  [lookForRelease, fetchLatestRelease],
]);

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
  ...AFTER_CLEANUP_JOBS.map((cleanup) => ({
    name: cleanup.name,
    fromHour: undefined,
    run: MANUAL_RUNS.get(cleanup) ?? cleanup,
  })),
  ...[sweepReplies, ...CLEANUP_JOBS].map((cleanup) => ({
    name: cleanup.name,
    fromHour: undefined,
    run: (deps: Parameters<ServerJob['run']>[0]) =>
      transaction(deps.database, (trx) => cleanup(trx, deps.clock.now())),
  })),
];
