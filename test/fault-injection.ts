import { execFileSync } from 'node:child_process';
import { mkdirSync, renameSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { createServer, type Server, type Socket, connect as socketTo } from 'node:net';
import { join } from 'node:path';
import BetterSqlite from 'better-sqlite3';
import { sql } from 'kysely';
import { inject } from 'vitest';
import type { Database } from '#server/db/database.ts';
import { atEnd, ENGINE, migratedPlace, startApp, type TestApp } from './harness.ts';
import type { Place } from './server-process.ts';

// A few writes still fit, so that one fails midway.
const BYTES_LEFT = 200_000;
const COMMIT_LATE_MS = 1_500;

/** A failure that a test begins and ends. */
export type Sabotage = Readonly<{ begin: () => Promise<void>; mend: () => Promise<void> }>;

/** Makes every insert into a table fail; `sqlstate` is the error on PostgreSQL. */
export function failingInserts({ db }: Database, table: string, sqlstate = 'P0001'): Sabotage {
  const trigger = `broken_${table}`;
  if (ENGINE === 'sqlite') {
    return {
      begin: async () => {
        await sql
          .raw(`create trigger ${trigger} before insert on ${table} begin select raise(abort, 'broken'); end`)
          .execute(db);
      },
      mend: async () => {
        await sql.raw(`drop trigger ${trigger}`).execute(db);
      },
    };
  }
  return {
    begin: async () => {
      await sql
        .raw(
          `create function ${trigger}() returns trigger language plpgsql as
           $$ begin raise exception 'broken' using errcode = '${sqlstate}'; end $$`,
        )
        .execute(db);
      await sql
        .raw(`create trigger ${trigger} before insert or update on ${table} execute function ${trigger}()`)
        .execute(db);
    },
    mend: async () => {
      await sql.raw(`drop function ${trigger}() cascade`).execute(db);
    },
  };
}

/** Starts the product on a small disk that the test can fill. */
export async function appOnSmallDisk(): Promise<{ app: TestApp; full: Sabotage }> {
  if (ENGINE === 'postgres') {
    const app = await startApp();
    const tables = ['time_entries', 'sessions', 'rate_limits', 'idempotency_keys'].map((table) =>
      failingInserts(app.deps.database, table, '53100'),
    );
    return {
      app,
      full: {
        begin: async () => {
          for (const table of tables) await table.begin();
        },
        mend: async () => {
          for (const table of tables) await table.mend();
        },
      },
    };
  }
  // Only root may mount a small disk; otherwise the database gets a page limit.
  return process.getuid?.() === 0 ? appOnMountedDisk() : appWithPageLimit();
}

async function appOnMountedDisk(): Promise<{ app: TestApp; full: Sabotage }> {
  const { dataDir } = await migratedPlace();
  const disk = join(dataDir, 'disk');
  mkdirSync(disk);
  execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=60m', 'tmpfs', disk]);
  atEnd(() => execFileSync('umount', ['--lazy', disk]));
  const app = await startApp({ DATA_DIR: disk });
  const ballast = join(disk, 'ballast');
  return {
    app,
    full: {
      begin: async () => {
        for (let size = 1 << 20; size > 0; size = Math.floor(size / 2)) {
          try {
            for (;;) writeFileSync(ballast, Buffer.alloc(size), { flag: 'a' });
          } catch (error) {
            if (!(error instanceof Error && 'code' in error && error.code === 'ENOSPC')) throw error;
          }
        }
        truncateSync(ballast, statSync(ballast).size - BYTES_LEFT);
      },
      mend: async () => rmSync(ballast),
    },
  };
}

async function appWithPageLimit(): Promise<{ app: TestApp; full: Sabotage }> {
  const app = await startApp();
  const { db } = app.deps.database;
  return {
    app,
    full: {
      // SQLite raises this to the number of pages that exist.
      begin: async () => {
        await sql`pragma max_page_count = 1`.execute(db);
      },
      mend: async () => {
        await sql`pragma max_page_count = 1000000`.execute(db);
      },
    },
  };
}

/** Starts the product with a database that can become unavailable: SQLite's file is locked, PostgreSQL is unreachable. */
export async function appWithOutages(
  settings: Record<string, string> = {},
): Promise<{ app: TestApp; outage: Sabotage }> {
  return ENGINE === 'sqlite' ? appOnLockedFile(settings) : appBehindProxy(settings);
}

async function appOnLockedFile(
  settings: Record<string, string>,
): Promise<{ app: TestApp; outage: Sabotage }> {
  // The product waits ten seconds by default; a test does not.
  const app = await startApp({ ...settings, DATABASE_TIMEOUT_SECONDS: '1' });
  const other = new BetterSqlite(join(app.dataDir, 'volunteer-time.db'));
  atEnd(() => other.close());
  return {
    app,
    outage: {
      begin: async () => {
        other.exec('begin immediate');
      },
      mend: async () => {
        other.exec('rollback');
      },
    },
  };
}

/**
 * Starts the product with a database that rejects new connections while open ones still work: PostgreSQL has no slot left,
 * SQLite's file cannot be opened again.
 */
export async function appWithoutSlots(): Promise<{ app: TestApp; taken: Sabotage }> {
  if (ENGINE === 'postgres') {
    const { app, taken } = await appBehindProxy();
    return { app, taken };
  }
  const app = await startApp();
  const [path, away] = ['volunteer-time.db', 'away.db'].map((name) => join(app.dataDir, name)) as [
    string,
    string,
  ];
  return {
    app,
    taken: { begin: async () => renameSync(path, away), mend: async () => renameSync(away, path) },
  };
}

// PostgreSQL's error for one connection too many.
function noSlotLeft(): Buffer {
  const fields = Buffer.from('SFATAL\0VFATAL\0C53300\0Msorry, too many clients already\0\0');
  const head = Buffer.alloc(5, 'E');
  head.writeInt32BE(fields.length + 4, 1);
  return Buffer.concat([head, fields]);
}

async function appBehindProxy(
  settings: Record<string, string> = {},
): Promise<{ app: TestApp; outage: Sabotage; taken: Sabotage }> {
  const place = await migratedPlace();
  const sockets = new Set<Socket>();
  let isTaken = false;
  const proxy = createServer((near) => {
    if (isTaken) {
      near.on('error', () => undefined).once('data', () => near.end(noSlotLeft()));
      return;
    }
    const far = socketTo(join(postgresFolder(), '.s.PGSQL.5432'));
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(one);
      one.pipe(other);
      one.on('error', () => undefined).on('close', () => other.destroy());
    }
  });
  const port = await listening(proxy, 0);
  const cut = async () => {
    const closed = new Promise((resolve) => proxy.close(resolve));
    for (const socket of sockets) socket.destroy();
    sockets.clear();
    await closed;
  };
  const app = await startApp({ ...settings, DATABASE_URL: addressAt(port, place) });
  atEnd(() => (proxy.listening ? cut() : undefined));
  return {
    app,
    outage: {
      begin: cut,
      mend: async () => {
        await listening(proxy, port);
      },
    },
    taken: {
      begin: async () => {
        isTaken = true;
      },
      mend: async () => {
        isTaken = false;
      },
    },
  };
}

/**
 * Breaks a connection to PostgreSQL at the end of a transaction. From `begin` on, the first commit after a statement that
 * contains `text` loses its sender's connection but arrives a moment later. `mend` waits for that.
 */
export async function withLateCommits(place: Place, text: string): Promise<{ place: Place; late: Sabotage }> {
  let isArmed = false;
  const arrived = Promise.withResolvers<void>();
  const proxy = createServer((near) => {
    const far = socketTo(join(postgresFolder(), '.s.PGSQL.5432'));
    let isTarget = false;
    near.on('error', () => undefined);
    far.on('error', () => undefined).on('close', () => near.destroy());
    far.pipe(near);
    near.on('data', (bytes) => {
      isTarget ||= isArmed && bytes.includes(text);
      if (!isTarget || !bytes.includes('commit')) {
        far.write(bytes);
        return;
      }
      isArmed = false;
      isTarget = false;
      near.destroy();
      far.once('close', () => arrived.resolve());
      // Read, because a socket that is not read does not close.
      setTimeout(() => far.resume().end(bytes), COMMIT_LATE_MS);
    });
  });
  const port = await listening(proxy, 0);
  atEnd(() => proxy.close());
  return {
    place: { ...place, databaseUrl: addressAt(port, place) },
    late: {
      begin: async () => {
        isArmed = true;
      },
      mend: () => arrived.promise,
    },
  };
}

// The folder of PostgreSQL's socket.
function postgresFolder(): string {
  return new URL(inject('postgresUrl').replace('@/', '@localhost/')).searchParams.get('host') ?? '';
}

function addressAt(port: number, { databaseUrl = '' }: Pick<Place, 'databaseUrl'>): string {
  const [, name] = /\/(test_[0-9a-f]+)\?/.exec(databaseUrl) ?? [];
  return `postgres://postgres@127.0.0.1:${port}/${name}`;
}

function listening(server: Server, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', () => {
      server.off('error', reject);
      const address = server.address();
      resolve(typeof address === 'object' && address !== null ? address.port : 0);
    });
  });
}
