import { sweepSyncs } from '#rooms/drive-sync/server/actions.ts';
import { sweepDriveAttempts } from '#rooms/drive-sync/server/connection.ts';
import { nightlyDriveSync } from '#rooms/drive-sync/server/nightly.ts';
import { sweepTrash } from '#rooms/photos/server/actions.ts';
import { removeLeftovers } from '#rooms/photos/server/files.ts';
import { suggestionDigest } from '#rooms/suggestions/server/digest.ts';
import type { ServerJob } from '#rooms/system/server/jobs.ts';
import { sweepExports } from '#rooms/time-entries/server/exports/export.ts';
import { checkSums, checkSumsNightly } from '#rooms/time-entries/server/rollups/sums-check.ts';
import { sweepImports } from '#rooms/user-imports/server/imports.ts';
import { sweepConfirmations } from '#rooms/users/server/email-confirmation.ts';
import { sweepInvites } from '#rooms/users/server/invites.ts';
import { sweepKnownDevices } from '#rooms/users/server/known-device-store.ts';
import { sweepPasswordLinks } from '#rooms/users/server/password-reset.ts';
import { sweepSessions } from '#rooms/users/server/sessions.ts';
import { transaction } from '#server/db/connect.ts';
import { markDatabase } from '#server/db/mark-database.ts';
import { sweepReplies } from '#server/http/idempotency.ts';
import { sweepFailures } from '#server/http/recent-failures.ts';
import { sweepTries } from '#server/http/try-limits.ts';
import { sweepMail } from '#server/mail/outbox.ts';
import { blankOldAddresses } from '#server/old-addresses.ts';
import { removeDeadLink, scrubDatabase, sweepUpdateCopies } from './housekeeping.ts';

/** What is done every hour: first in a transaction each, then outside of any. */
export const SWEEPS = [
  sweepSessions,
  sweepKnownDevices,
  sweepPasswordLinks,
  sweepConfirmations,
  sweepInvites,
  sweepImports,
  sweepMail,
  sweepExports,
  sweepTrash,
  sweepDriveAttempts,
  sweepSyncs,
  sweepFailures,
];
export const CHORES = [
  removeLeftovers,
  blankOldAddresses,
  markDatabase,
  scrubDatabase,
  sweepUpdateCopies,
  removeDeadLink,
  checkSumsNightly,
];

/** What is done once a day. */
export const DAILY = [suggestionDigest, nightlyDriveSync];

/** Every job, as an administrator sees it and runs it by hand. */
export const SERVER_JOBS: readonly ServerJob[] = [
  ...DAILY.map(({ name, fromHour, run }) => ({
    name,
    fromHour,
    run: (deps: Parameters<ServerJob['run']>[0]) => transaction(deps.database, (trx) => run(trx, deps)),
  })),
  ...CHORES.map((chore) => ({
    name: chore.name,
    fromHour: undefined,
    run: chore === checkSumsNightly ? checkSums : chore,
  })),
  ...[sweepReplies, sweepTries, ...SWEEPS].map((sweep) => ({
    name: sweep.name,
    fromHour: undefined,
    run: (deps: Parameters<ServerJob['run']>[0]) =>
      transaction(deps.database, (trx) => sweep(trx, deps.clock.now())),
  })),
];
