import { setTimeout } from 'node:timers/promises';
import { sql } from 'kysely';
import { type Migration, type MigrationResultSet, Migrator } from 'kysely/migration';
import type { Instant } from '#shared/calendar-date.ts';
import { VERSION } from '../version.ts';
import type { Engine } from './column-types.ts';
import { type Database, DatabaseError, transaction, UpdateFailed } from './database.ts';
import { databaseFailure, isLockTimeout, isTemporaryFailure } from './database-errors.ts';
import { up as start } from './migrations/0001-start.ts';
import { up as accounts } from './migrations/0002-accounts.ts';
import { up as entryRollups } from './migrations/0003-entry-rollups.ts';
import { up as recordAndLogos } from './migrations/0004-record-and-logos.ts';
import { up as photos } from './migrations/0005-photos.ts';
import { up as userImports } from './migrations/0006-user-imports.ts';
import { up as exports } from './migrations/0007-exports.ts';
import { up as suggestions } from './migrations/0008-suggestions.ts';
import { up as monthPeople } from './migrations/0009-month-people.ts';
import { up as drive } from './migrations/0010-drive.ts';
import { up as plainRecord } from './migrations/0011-plain-record.ts';
import { up as serverState } from './migrations/0014-server-state.ts';
import { up as knownDevices } from './migrations/0015-known-devices.ts';
import { up as passwordAfterLink } from './migrations/0016-password-after-link.ts';
import { up as photoReviewRound } from './migrations/0017-photo-review-round.ts';
import { up as operating } from './migrations/0018-operating.ts';
import { up as retention } from './migrations/0019-retention.ts';
import { up as grants } from './migrations/0020-grants.ts';
import { up as providers } from './migrations/0021-providers.ts';
import { up as signInLinks } from './migrations/0022-sign-in-links.ts';
import { up as verification } from './migrations/0023-verification.ts';
import { up as sessionProof } from './migrations/0024-session-proof.ts';
import { up as letters } from './migrations/0025-letters.ts';
import { up as secondProof } from './migrations/0026-second-proof.ts';
import { up as passkeys } from './migrations/0027-passkeys.ts';
import { up as outsideVerifiers } from './migrations/0028-outside-verifiers.ts';
import { up as freshReturns } from './migrations/0029-fresh-returns.ts';
import { up as verifierLetters } from './migrations/0030-verifier-letters.ts';
import { up as deciders } from './migrations/0031-deciders.ts';
import { up as activityBatches } from './migrations/0033-activity-batches.ts';
import { up as timeEntryImports } from './migrations/0034-time-entry-imports.ts';
import { up as walkIns } from './migrations/0035-walk-ins.ts';
import { up as peopleBySignIn } from './migrations/0037-people-by-sign-in.ts';
import { up as goals } from './migrations/0039-goals.ts';
import { up as reminders } from './migrations/0040-reminders.ts';
import { up as approvedMembers } from './migrations/0041-approved-members.ts';
import { up as merges } from './migrations/0042-merges.ts';
import { up as households } from './migrations/0043-households.ts';
import { up as mailings } from './migrations/0044-mailings.ts';
import { up as personLanguage } from './migrations/0045-person-language.ts';
import { up as contentTranslations } from './migrations/0046-content-translations.ts';
import { up as lastingKeys } from './migrations/0047-lasting-keys.ts';
import { up as peopleMonths } from './migrations/0048-people-months.ts';
import { up as standby } from './migrations/0049-standby.ts';
import { up as photosForScreens } from './migrations/0050-photos-for-screens.ts';
import { up as foldedNames } from './migrations/0051-folded-names.ts';
import { up as provenAndVouched } from './migrations/0052-proven-and-vouched.ts';
import { up as pastAddresses } from './migrations/0053-past-addresses.ts';
import { up as knownAddresses } from './migrations/0054-known-addresses.ts';
import { up as deactivatedByDistrict } from './migrations/0055-deactivated-by-district.ts';
import { up as givenPasswords } from './migrations/0056-given-passwords.ts';
import { getServerState, setServerState } from './server-state.ts';

const RECORD = 'schema_migrations';
// No step depends on the system clock.
const NEVER = '1970-01-01T00:00:00.000Z' as Instant;

type Step = ((db: Parameters<Migration['up']>[0], engine: Engine) => Promise<void>) & {
  /** Servers of the previous version keep running: it only adds what they do not see. */
  rolls?: true;
};

/** A rolling step: servers of the previous version tolerate it, so they can be updated one after another. */
const rolling = (step: Step): Step =>
  Object.assign((...given: Parameters<Step>) => step(...given), { rolls: true } as const);

/** The key of the newest step that every server of the database must know. */
const MUST_KNOW = 'must-know';
// The first step after which the database stores that.
const KEPT_SINCE = '0049-standby';
// While a rolling step waits for a table lock, every other user of that table queues behind it, so it waits
// briefly and retries.
const LOCK_WAIT = { seconds: 2, times: 30, pauseMs: 500 } as const;

/** The numbered, forward-only migrations. */
const STEPS: Readonly<Record<string, Step>> = {
  '0001-start': start,
  '0002-accounts': accounts,
  '0003-entry-rollups': entryRollups,
  '0004-record-and-logos': recordAndLogos,
  '0005-photos': photos,
  '0006-user-imports': userImports,
  '0007-exports': exports,
  '0008-suggestions': suggestions,
  '0009-month-people': monthPeople,
  '0010-drive': drive,
  '0011-plain-record': plainRecord,
  '0014-server-state': serverState,
  '0015-known-devices': knownDevices,
  '0016-password-after-link': passwordAfterLink,
  '0017-photo-review-round': photoReviewRound,
  '0018-operating': operating,
  '0019-retention': retention,
  '0020-grants': grants,
  '0021-providers': providers,
  '0022-sign-in-links': signInLinks,
  '0023-verification': verification,
  '0024-session-proof': sessionProof,
  '0025-letters': letters,
  '0026-second-proof': secondProof,
  '0027-passkeys': passkeys,
  '0028-outside-verifiers': outsideVerifiers,
  '0029-fresh-returns': freshReturns,
  '0030-verifier-letters': verifierLetters,
  '0031-deciders': deciders,
  '0033-activity-batches': activityBatches,
  '0034-time-entry-imports': timeEntryImports,
  '0035-walk-ins': walkIns,
  '0037-people-by-sign-in': peopleBySignIn,
  '0039-goals': goals,
  '0040-reminders': reminders,
  '0041-approved-members': approvedMembers,
  '0042-merges': merges,
  '0043-households': households,
  '0044-mailings': mailings,
  '0045-person-language': personLanguage,
  '0046-content-translations': contentTranslations,
  '0047-lasting-keys': lastingKeys,
  '0048-people-months': peopleMonths,
  '0049-standby': rolling(standby),
  '0050-photos-for-screens': rolling(photosForScreens),
  '0051-folded-names': foldedNames,
  '0052-proven-and-vouched': provenAndVouched,
  '0053-past-addresses': rolling(pastAddresses),
  '0054-known-addresses': rolling(knownAddresses),
  '0055-deactivated-by-district': rolling(deactivatedByDistrict),
  '0056-given-passwords': rolling(givenPasswords),
};

/** The names of all migrations, in order. */
export const MIGRATIONS: readonly string[] = Object.keys(STEPS);

/** The rolling migrations. */
export const ROLLING: readonly string[] = MIGRATIONS.filter((name) => STEPS[name]?.rolls === true);

/** Whether all of these steps may run while servers of the previous version work. */
export function canRollUpdate(names: readonly string[]): boolean {
  return names.every((name) => ROLLING.includes(name));
}

/**
 * Migrates to the newest step (or to the named one, for tests) under a lock, in one transaction. Returns the
 * applied steps; throws `DatabaseError`. A start copies the database first: `app/server/update.ts`.
 */
export async function migrate(
  database: Database,
  options: { upTo?: string } = {},
): Promise<readonly string[]> {
  const run = (db: Database['db']) => {
    const migrator = new Migrator({
      db,
      provider: { getMigrations: async () => stepsFor(database.engine) },
      migrationTableName: RECORD,
      migrationLockTableName: 'schema_migrations_lock',
    });
    return options.upTo === undefined ? migrator.migrateToLatest() : migrator.migrateTo(options.upTo);
  };
  if (await isNewer(database)) return [];
  // Kysely starts no transaction on SQLite, where transactions share commits.
  const attempt = () => (database.engine === 'sqlite' ? inTransaction(database, run) : run(database.db));
  let { error, results = [] } = await attempt();
  for (let times = 1; isLockTimeout(error) && times < LOCK_WAIT.times; times += 1) {
    await setTimeout(LOCK_WAIT.pauseMs);
    ({ error, results = [] } = await attempt());
  }
  if (error !== undefined) {
    // An unreachable database or a lock may be gone on a retry; anything else would fail the same way.
    const Kind = isTemporaryFailure(databaseFailure(error)) ? DatabaseError : UpdateFailed;
    throw new Kind(
      `The update to ${VERSION} failed; nothing was changed (${reasonOf(error)}). Start the version before.`,
    );
  }
  return results.map((result) => result.migrationName);
}

async function inTransaction(database: Database, run: (db: Database['db']) => Promise<MigrationResultSet>) {
  let outcome: MigrationResultSet = {};
  const work = transaction(database, async (trx) => {
    outcome = await run(trx);
    if (outcome.error !== undefined) throw outcome.error;
  });
  await work.catch((error: unknown) => {
    outcome = { ...outcome, error };
  });
  return outcome;
}

function stepsFor(engine: Engine): Record<string, Migration> {
  return Object.fromEntries(
    Object.entries(STEPS).map(([name, step]) => [
      name,
      {
        up: async (db) => {
          const isKept = name >= KEPT_SINCE;
          if (isKept && engine === 'postgres')
            await sql`select set_config('lock_timeout', ${step.rolls === true ? `${LOCK_WAIT.seconds}s` : '0'}, true)`.execute(
              db,
            );
          await step(db, engine);
          if (isKept) await setServerState(db, MUST_KNOW, mustKnowAfter(name), NEVER);
        },
      },
    ]),
  );
}

function mustKnowAfter(name: string): string {
  const sofar = MIGRATIONS.slice(0, MIGRATIONS.indexOf(name) + 1);
  return sofar.findLast((one) => !ROLLING.includes(one)) ?? name;
}

/** Throws `DatabaseError` for a database of another program version: only a start migrates. */
export async function requireUpToDate(database: Database): Promise<void> {
  if (await isNewer(database)) return;
  const applied = await appliedSteps(database);
  if (MIGRATIONS.every((name) => applied.includes(name))) return;
  throw new DatabaseError('The database waits for an update: run npm start once, then this again.');
}

/**
 * Whether a newer version changed the tables in a way that this version tolerates. Throws `DatabaseError`
 * when it does not, or when no step has recorded it, as after a restore: this version would write wrong rows.
 */
export async function isNewer(database: Pick<Database, 'db'>): Promise<boolean> {
  const applied = await appliedSteps(database);
  const unknown = applied.filter((name) => !MIGRATIONS.includes(name));
  if (unknown.length === 0) return false;
  const isComplete = MIGRATIONS.every((name) => applied.includes(name));
  const mustKnow = isComplete ? await getServerState(database.db, MUST_KNOW) : undefined;
  if (mustKnow !== undefined && MIGRATIONS.includes(mustKnow)) return true;
  throw new UpdateFailed(
    `The database was made by a newer version of this program (${unknown.join(', ')}). Start that version, or restore a backup from before the update.`,
  );
}

/**
 * Whether a newer version changed the tables since this server started, in a way that this version does not
 * tolerate.
 */
export async function isOutdated(db: Database['db']): Promise<boolean> {
  const mustKnow = await getServerState(db, MUST_KNOW);
  return mustKnow !== undefined && !MIGRATIONS.includes(mustKnow);
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** The applied migrations in order; empty for an empty database. */
export async function appliedSteps({ db }: Pick<Database, 'db'>): Promise<readonly string[]> {
  const tables = await db.introspection.getTables({ withInternalKyselyTables: true });
  if (!tables.some((table) => table.name === RECORD)) return [];
  const rows = await sql<{ name: string }>`select name from ${sql.table(RECORD)} order by name`.execute(db);
  return rows.rows.map((row) => row.name);
}
