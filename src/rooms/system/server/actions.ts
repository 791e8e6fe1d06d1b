import type { Instant } from '#base/calendar-date.ts';
import { fullName } from '#base/person-name.ts';
import { runningImports } from '#rooms/user-imports/server/running.ts';
import { appliedSteps } from '#server/db/migrate.ts';
import { type Deps, inLane } from '#server/deps.ts';
import { text } from '#server/http/errors.ts';
import type { RecentFailures } from '#server/http/recent-failures.ts';
import { countLetterFiles } from '#server/mail/letter-files.ts';
import { countUnsent } from '#server/mail/outbox.ts';
import { VERSION } from '#server/version.ts';
import type { System } from '../contract.ts';
import { readBackup } from './backup.ts';
import { isFine, quickFindings } from './findings.ts';
import { readJobs, type ServerJob } from './jobs.ts';
import { diskSpace } from './queues.ts';
import { readRelease } from './release.ts';
import {
  countPhotos,
  namesOf,
  runningExports,
  runningHoursImports,
  runningSyncs,
  sizeOfDatabase,
} from './system-store.ts';

/** What a running server knows about itself. */
export type Running = Readonly<{
  jobs: readonly ServerJob[];
  failures: RecentFailures;
  startedAt: Instant;
}>;

/** How the server is, for an administrator. */
export async function readSystem(given: Deps, { jobs, failures, startedAt }: Running): Promise<System> {
  const deps = inLane(given, 'jobs');
  const { database, config } = deps;
  const { db, engine } = database;
  const findings = await quickFindings(deps);
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
    ...(config.smtpUrl === undefined ? { mailFolder: { files: await countLetterFiles(deps) } } : {}),
    jobs: await readJobs(deps, jobs),
    backup: await readBackup(deps),
    warnings: findings
      .filter((finding) => !isFine(finding))
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
