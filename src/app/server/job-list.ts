import { suggestionDigest } from '#features/activities/suggestions/server/suggestion-digest.ts';
import { sweepSignInLinks } from '#features/auth/magic-link/server/store.ts';
import { sweepProviderLogouts } from '#features/auth/oidc/server/logout-store.ts';
import { sweepProviderReturns } from '#features/auth/oidc/server/pending-sign-in-store.ts';
import { sweepPasswordLinks } from '#features/auth/passwords/server/password-reset.ts';
import { sweepKnownDevices } from '#features/auth/server/known-device-store.ts';
import { sweepAnswered } from '#features/auth/two-factor/server/passkey-store.ts';
import { sweepChallenges } from '#features/auth/two-factor/server/pending-sign-in-store.ts';
import { sweepTotpOffers } from '#features/auth/two-factor/server/totp-store.ts';
import { sweepMailings } from '#features/notifications/announcements/server/store.ts';
import { eveningLetters } from '#features/notifications/reminders/server/event-reminders.ts';
import { mondayLetters } from '#features/notifications/reminders/server/weekly-summary.ts';
import type { ServerJob } from '#features/operations/server/background-jobs.ts';
import { askForRelease, lookForRelease } from '#features/operations/server/release-check.ts';
import { sweepSyncs } from '#features/photos/google-drive/server/actions.ts';
import { sweepDriveAttempts } from '#features/photos/google-drive/server/connection.ts';
import { nightlyDriveSync } from '#features/photos/google-drive/server/nightly-sync.ts';
import { sweepTrash } from '#features/photos/server/actions.ts';
import { removeLeftovers } from '#features/photos/server/photo-files.ts';
import { deleteOld, RETENTION_JOB } from '#features/privacy/retention/server/cleanup.ts';
import { checkSums, checkSumsNightly } from '#features/time-entries/rollups/server/rollup-check.ts';
import { sweepInvites } from '#features/users/invitations/server/actions.ts';
import { sweepMerges } from '#features/users/merging/server/unmerge.ts';
import { sweepConfirmations } from '#features/users/server/email-confirmation.ts';
import {
  outsideLetters,
  sweepOutsideLetters,
} from '#features/verification/external-verifiers/server/emails.ts';
import { sweepDecisions } from '#features/verification/server/actions.ts';
import { weeklyLetters } from '#features/verification/weekly-reminder/server/emails.ts';
import { lookForRestore } from '#server/backup/restore-test-record.ts';
import { transaction } from '#server/db/database.ts';
import { markDatabase } from '#server/db/sqlite/replace-database-mark.ts';
import { sweepFailures } from '#server/http/failed-requests.ts';
import { sweepReplies } from '#server/http/idempotency.ts';
import type { DailyJob } from '#server/jobs/daily-jobs.ts';
import { type Chore, removeDeadLink, scrubDatabase, sweepUpdateCopies } from './cleanup-jobs.ts';

// At night, when few people write.
const RETENTION_FROM_HOUR = 3;

/** What is done every hour: first in a transaction each, then outside of any. */
export const SWEEPS = [
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
  sweepFailures,
  sweepOutsideLetters,
  sweepDecisions,
  sweepMerges,
  sweepMailings,
];
export const CHORES = [
  removeLeftovers,
  markDatabase,
  scrubDatabase,
  sweepUpdateCopies,
  removeDeadLink,
  checkSumsNightly,
  lookForRestore,
  lookForRelease,
];

/** What runs less often than the chores, with what runs when somebody wants it. */
const AT_ONCE = new Map<Chore, Chore>([
  [checkSumsNightly, checkSums],
  [lookForRelease, askForRelease],
]);

/** What is done once a day. */
export const DAILY: readonly DailyJob[] = [
  suggestionDigest,
  weeklyLetters,
  outsideLetters,
  mondayLetters,
  eveningLetters,
  nightlyDriveSync,
  { name: RETENTION_JOB, fromHour: RETENTION_FROM_HOUR, runLong: deleteOld },
];

/** Every job, as an administrator sees it and runs it by hand. */
export const SERVER_JOBS: readonly ServerJob[] = [
  ...DAILY.map((job) => ({
    name: job.name,
    fromHour: job.fromHour,
    isWeekly: job.isWeekly,
    run: (deps: Parameters<ServerJob['run']>[0]) =>
      'run' in job ? transaction(deps.database, (trx) => job.run(trx, deps)) : job.runLong(deps, () => false),
  })),
  ...CHORES.map((chore) => ({
    name: chore.name,
    fromHour: undefined,
    run: AT_ONCE.get(chore) ?? chore,
  })),
  ...[sweepReplies, ...SWEEPS].map((sweep) => ({
    name: sweep.name,
    fromHour: undefined,
    run: (deps: Parameters<ServerJob['run']>[0]) =>
      transaction(deps.database, (trx) => sweep(trx, deps.clock.now())),
  })),
];
