import BetterSqlite from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { aPerson } from '#test/builders.ts';
import { ENGINE, startApp } from '#test/harness.ts';
import { type Trx, transaction } from './connect.ts';

const app = await startApp();
const { database } = app.deps;
const person = await aPerson(app);

let made = 0;
/** A row of its own, named by a number. */
const write = (trx: Trx, number: number) =>
  trx
    .insertInto('idempotency_keys')
    .values({
      owner: `row:${made}`,
      key: String(number),
      fingerprint: '',
      reply: null,
      made_id: null,
      created_at: app.clock.now(),
    })
    .execute();

async function written(): Promise<number[]> {
  const rows = await database.db
    .selectFrom('idempotency_keys')
    .select('key')
    .where('owner', '=', `row:${made}`)
    .execute();
  return rows.map((row) => Number(row.key)).sort((a, b) => a - b);
}

const upTo = (count: number) => Array.from({ length: count }, (_, index) => index);
const onSqlite = test.skipIf(ENGINE === 'postgres');

beforeEach(() => {
  made += 1;
});
afterEach(() => {
  vi.restoreAllMocks();
});

/** Counts the commits of SQLite, and lets the first so many of them fail as on a failing disk. */
function commitsOf({ failing = 0 } = {}) {
  const exec = BetterSqlite.prototype.exec;
  const seen = { commits: 0 };
  let left = failing;
  vi.spyOn(BetterSqlite.prototype, 'exec').mockImplementation(function (
    this: BetterSqlite.Database,
    text: string,
  ) {
    if (text !== 'commit') return exec.call(this, text);
    seen.commits += 1;
    left -= 1;
    if (left < 0) return exec.call(this, text);
    exec.call(this, 'rollback');
    throw new BetterSqlite.SqliteError('disk I/O error', 'SQLITE_IOERR_FSYNC');
  });
  return seen;
}

describe('transactions that arrive at the same moment', () => {
  test('are all there when each of them is said to be done', async () => {
    const seen = commitsOf();
    await Promise.all(
      upTo(20).map(async (number) => {
        await transaction(database, (trx) => write(trx, number));
        expect(await written()).toContain(number);
      }),
    );
    expect(await written()).toEqual(upTo(20));
    if (ENGINE === 'sqlite') expect(seen.commits).toBeLessThan(10);
  });

  test('leave the others as they are when one of them fails', async () => {
    const outcomes = await Promise.allSettled(
      upTo(20).map((number) =>
        transaction(database, async (trx) => {
          await write(trx, number);
          if (number % 5 === 0) throw new Error('no');
          if (number % 5 === 1) await write(trx, number);
        }),
      ),
    );
    expect(outcomes.map(({ status }) => status)).toEqual(
      upTo(20).map((number) => (number % 5 < 2 ? 'rejected' : 'fulfilled')),
    );
    expect(await written()).toEqual(upTo(20).filter((number) => number % 5 >= 2));
  });

  test('run again, each by itself, when the commit that they share fails', async () => {
    const seen = commitsOf({ failing: 1 });
    let runs = 0;
    await Promise.all(
      upTo(5).map((number) =>
        transaction(database, async (trx) => {
          runs += 1;
          await write(trx, number);
        }),
      ),
    );
    expect(await written()).toEqual(upTo(5));
    if (ENGINE === 'sqlite') expect([runs, seen.commits]).toEqual([10, 6]);
  });

  test('are told what went wrong when the disk fails for each of them', async () => {
    commitsOf({ failing: 100 });
    const outcomes = await Promise.allSettled(
      upTo(5).map((number) => transaction(database, (trx) => write(trx, number))),
    );
    if (ENGINE === 'postgres') return;
    expect(outcomes.map((one) => one.status === 'rejected' && one.reason.code)).toEqual(
      upTo(5).map(() => 'SQLITE_IOERR_FSYNC'),
    );
    expect(await written()).toEqual([]);
  });

  onSqlite('do not refuse for what another wrote that was then lost', async () => {
    const seen = commitsOf({ failing: 2 });
    const claim = () =>
      transaction(database, async (trx) => {
        const taken = await trx
          .selectFrom('idempotency_keys')
          .select('key')
          .where('owner', '=', `row:${made}`)
          .execute();
        if (taken.length > 0) throw new Error('taken');
        await write(trx, 1);
      });
    const outcomes = await Promise.allSettled([claim(), claim()]);
    // The commit failed for both, then again for one of them alone: nobody had taken anything.
    const reasons = outcomes.flatMap((one) => (one.status === 'rejected' ? [one.reason.code] : []));
    expect([reasons, seen.commits]).toEqual([['SQLITE_IOERR_FSYNC'], 3]);
    expect(await written()).toEqual([1]);
  });

  onSqlite('run again when one of them cannot even begin', async () => {
    const exec = BetterSqlite.prototype.exec;
    let failing = 1;
    vi.spyOn(BetterSqlite.prototype, 'exec').mockImplementation(function (
      this: BetterSqlite.Database,
      text: string,
    ) {
      if (text === 'savepoint shared' && failing-- > 0)
        throw new BetterSqlite.SqliteError('out of memory', 'SQLITE_NOMEM');
      return exec.call(this, text);
    });
    await Promise.all(upTo(5).map((number) => transaction(database, (trx) => write(trx, number))));
    expect(await written()).toEqual(upTo(5));
  });

  onSqlite('come back from a rollback that SQLite does by itself', async () => {
    const outcomes = await Promise.allSettled(
      upTo(3).map((number) =>
        transaction(database, async (trx) => {
          await write(trx, number);
          if (number === 1) {
            await trx.executeQuery({ sql: 'rollback', parameters: [] } as never);
            throw new Error('full');
          }
        }),
      ),
    );
    expect(outcomes.map((one) => (one.status === 'rejected' ? one.reason.message : 'done'))).toEqual([
      'done',
      'full',
      'done',
    ]);
    expect(await written()).toEqual([0, 2]);
  });
});

test('a read outside of a transaction waits for none, and sees nothing of it before it is done', async () => {
  const begun = Promise.withResolvers<void>();
  const goOn = Promise.withResolvers<void>();
  const writing = transaction(database, async (trx) => {
    await write(trx, 1);
    begun.resolve();
    await goOn.promise;
  });
  await begun.promise;
  expect(await written()).toEqual([]);
  const [found] = await database.db.selectFrom('users').select('id').where('id', '=', person.id).execute();
  expect(found?.id).toBe(person.id);
  goOn.resolve();
  await writing;
  expect(await written()).toEqual([1]);
});

test('a write outside of a transaction is done when it says so, and not before another that came first', async () => {
  const order: string[] = [];
  const first = transaction(database, (trx) => write(trx, 1)).then(() => order.push('transaction'));
  const second = database.db
    .deleteFrom('idempotency_keys')
    .where('owner', '=', `row:${made}`)
    .execute()
    .then(() => order.push('write'));
  await Promise.all([first, second]);
  if (ENGINE === 'sqlite') expect(order).toEqual(['transaction', 'write']);
  if (ENGINE === 'sqlite') expect(await written()).toEqual([]);
});
