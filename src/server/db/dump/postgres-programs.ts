import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import pg from 'pg';
import { withErrorListener } from '../../process/error-listener.ts';
import { DatabaseError } from '../database.ts';

const DEBIAN = '/usr/lib/postgresql';
const USUAL_FOLDERS = ['/usr/local/bin', '/usr/bin', '/opt/homebrew/bin'];

/** A running PostgreSQL program. `finished` rejects with `DatabaseError` when it fails. */
export type PostgresProgram = Readonly<{ stdin: Writable; stdout: Readable; finished: Promise<void> }>;

/**
 * Runs a PostgreSQL program. The database URL is passed in the environment, because every user of the machine
 * can read a password on the command line. Throws `DatabaseError` when the program is not installed.
 */
export function runPostgresProgram(
  name: 'pg_dump' | 'pg_restore' | 'psql',
  args: readonly string[],
  databaseUrl?: string,
): PostgresProgram {
  const environment = databaseUrl === undefined ? {} : environmentOf(databaseUrl);
  const child = withErrorListener(
    spawn(findProgram(name), args, {
      env: { PATH: '/usr/bin:/bin', LC_ALL: 'C.UTF-8', ...environment },
      stdio: 'pipe',
    }),
  );
  // A program that exits early closes its input; its exit code explains why.
  withErrorListener(child.stdin);
  return { stdin: child.stdin, stdout: child.stdout, finished: finished(name, child) };
}

function finished(name: string, child: ChildProcessByStdio<Writable, Readable, Readable>): Promise<void> {
  let complaint = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    complaint = (complaint + text).slice(-2_000);
  });
  const end = new Promise<void>((resolve, reject) => {
    child.once('error', (error) =>
      reject(new DatabaseError(`${name} could not be started (${error.message})`)),
    );
    child.once('close', (code) => {
      if (code === 0) resolve();
      else
        reject(
          new DatabaseError(`${name} failed: ${complaint.trim().split('\n')[0] ?? `exit code ${code}`}`),
        );
    });
  });
  // The awaiting caller gets this error. Without a handler until then it would end the process.
  end.catch(() => undefined);
  return end;
}

/** The path of the newest version of a PostgreSQL program. Throws `DatabaseError` when it is not installed. */
export function findProgram(name: string): string {
  const versions = existsSync(DEBIAN) ? readdirSync(DEBIAN).toSorted((a, b) => Number(b) - Number(a)) : [];
  const folders = [...versions.map((version) => join(DEBIAN, version, 'bin')), ...USUAL_FOLDERS];
  const found = folders.map((folder) => join(folder, name)).find((path) => existsSync(path));
  if (found !== undefined) return found;
  throw new DatabaseError(`${name} is not installed. On Debian: apt-get install postgresql-client`);
}

function environmentOf(databaseUrl: string): Record<string, string> {
  const { host, port, user, database, password } = new pg.Client({ connectionString: databaseUrl });
  const sslMode = /[?&]sslmode=([a-z-]+)/.exec(databaseUrl)?.[1];
  return {
    PGHOST: host,
    PGPORT: String(port),
    PGCONNECT_TIMEOUT: '5',
    ...(user === undefined ? {} : { PGUSER: user }),
    ...(database === undefined ? {} : { PGDATABASE: database }),
    ...(typeof password === 'string' ? { PGPASSWORD: password } : {}),
    ...(sslMode === undefined ? {} : { PGSSLMODE: sslMode }),
  };
}
