import { sweepSyncs } from '#rooms/drive-sync/server/actions.ts';
import { sweepDriveAttempts } from '#rooms/drive-sync/server/connection.ts';
import { nightlyDriveSync } from '#rooms/drive-sync/server/nightly.ts';
import { sweepMailings } from '#rooms/mailings/server/store.ts';
import { sweepMerges } from '#rooms/merges/server/undo.ts';
import { sweepTrash } from '#rooms/photos/server/actions.ts';
import { removeLeftovers } from '#rooms/photos/server/files.ts';
import { eveningLetters } from '#rooms/reminders/server/evening.ts';
import { mondayLetters } from '#rooms/reminders/server/mondays.ts';
import { deleteOld, RETENTION_JOB } from '#rooms/retention/server/deletion.ts';
import { sweepChallenges } from '#rooms/second-proof/server/challenge-store.ts';
import { sweepAnswered } from '#rooms/second-proof/server/passkey-store.ts';
import { sweepTotpOffers } from '#rooms/second-proof/server/totp-store.ts';
import { suggestionDigest } from '#rooms/suggestions/server/digest.ts';
import type { ServerJob } from '#rooms/system/server/jobs.ts';
import { askForRelease, lookForRelease } from '#rooms/system/server/release.ts';
import { checkSums, checkSumsNightly } from '#rooms/time-entries/server/rollups/sums-check.ts';
import { sweepConfirmations } from '#rooms/users/server/email-confirmation.ts';
import { sweepInvites } from '#rooms/users/server/invites.ts';
import { sweepKnownDevices } from '#rooms/users/server/known-device-store.ts';
import { sweepPasswordLinks } from '#rooms/users/server/password-reset.ts';
import { sweepProviderLogouts } from '#rooms/users/server/provider-logout-store.ts';
import { sweepProviderReturns } from '#rooms/users/server/provider-return-store.ts';
import { sweepSignInLinks } from '#rooms/users/server/sign-in-link-store.ts';
import { sweepDecisions } from '#rooms/verification/server/actions.ts';
import { outsideLetters, sweepOutsideLetters } from '#rooms/verification/server/outside-letters.ts';
import { weeklyLetters } from '#rooms/verification/server/weekly-letters.ts';
import { lookForRestore } from '#server/backup/restore-test.ts';
import type { DailyJob } from '#server/daily.ts';
import { transaction } from '#server/db/connect.ts';
import { markDatabase } from '#server/db/mark-database.ts';
import { sweepReplies } from '#server/http/idempotency.ts';
import { sweepFailures } from '#server/http/recent-failures.ts';
import { type Chore, removeDeadLink, scrubDatabase, sweepUpdateCopies } from './housekeeping.ts';

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
