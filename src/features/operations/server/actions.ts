import { runningImports } from '#features/imports/people/server/running-imports.ts';
import { appliedSteps } from '#server/db/migrate.ts';
import { type Deps, withConnectionPool } from '#server/deps.ts';
import { countEmailFiles } from '#server/email/email-files.ts';
import { countUnsent } from '#server/email/outbox.ts';
import { text } from '#server/http/error-replies.ts';
import type { FailedRequests } from '#server/http/failed-requests.ts';
import { VERSION } from '#server/version.ts';
import type { Instant } from '#shared/calendar-date.ts';
import { fullName } from '#shared/person-name.ts';
import type { System } from '../contract.ts';
import { readJobs, type ServerJob } from './background-jobs.ts';
import { readBackup } from './backup.ts';
import { isHealthy, runQuickChecks } from './health-checks.ts';
import { diskSpace } from './queue-lengths.ts';
import { readRelease } from './release-check.ts';
import {
  countPhotos,
  namesOf,
  runningExports,
  runningHoursImports,
  runningSyncs,
  sizeOfDatabase,
} from './store.ts';

/** What a running server knows about itself. */
export type Running = Readonly<{
  jobs: readonly ServerJob[];
  failures: FailedRequests;
  startedAt: Instant;
}>;

/** How the server is, for an administrator. */
export async function readSystem(given: Deps, { jobs, failures, startedAt }: Running): Promise<System> {
  const deps = withConnectionPool(given, 'jobs');
  const { database, config } = deps;
  const { db, engine } = database;
  const findings = await runQuickChecks(deps);
  return {
    version: VERSION,
    release: await readRelease(deps),
    startedAt,
    engine,
    database: {
      bytes: await sizeOfDatabase(db, engine).catch(() => null),
      migrations: (await appliedSteps(database)).length,
    },
    disk: { freeBytes: (await diskSpace(config.dataDir))?.free ?? null },
    photos: { ...(await countPhotos(db)), store: config.photoStoreUrl === undefined ? 'disk' : 's3' },
    mail: await countUnsent(db),
    ...(config.smtpUrl === undefined ? { mailFolder: { files: await countEmailFiles(deps) } } : {}),
    jobs: await readJobs(deps, jobs),
    backup: await readBackup(deps),
    warnings: findings
      .filter((finding) => !isHealthy(finding))
      .map(({ name, message, remedy }) => ({
        name,
        message: text(deps, message),
        remedy: remedy === null ? '' : text(deps, remedy),
      })),
    ...(await inProgress(deps)),
    failures: [...(await failures.list())],
  };
}

async function inProgress(
  deps: Deps,
): Promise<Pick<System, 'exports' | 'imports' | 'hoursImports' | 'syncs'>> {
  const { db } = deps.database;
  const imports = runningImports(deps);
  const names = await namesOf(
    db,
    imports.map(({ by }) => by),
  );
  return {
    exports: (await runningExports(db)).flatMap(({ startedAt, firstName, lastName, ...one }) =>
      startedAt === null ? [] : [{ ...one, startedAt, by: fullName({ firstName, lastName }) }],
    ),
    syncs: (await runningSyncs(db)).map(({ firstName, lastName, done, total, ...one }) => ({
      ...one,
      by: firstName === null || lastName === null ? null : fullName({ firstName, lastName }),
      done: Number(done),
      total: Number(total),
    })),
    hoursImports: (await runningHoursImports(db)).map(
      ({ id, state, startedAt, firstName, lastName, ...counts }) => ({
        id,
        startedAt,
        by: firstName === null || lastName === null ? null : fullName({ firstName, lastName }),
        isUndone: state === 'undoing',
        done: state === 'undoing' ? counts.undone : counts.made + counts.leftOut,
        total: state === 'undoing' ? counts.made : counts.planned,
      }),
    ),
    imports: imports.map(({ by, startedAt }) => ({ by: names.get(by) ?? '', startedAt })),
  };
}
