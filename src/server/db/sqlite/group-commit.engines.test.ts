import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { aPerson } from '#test/builders.ts';
import { ENGINE, startApp } from '#test/harness.ts';
import { commitsOf, numberedRows } from '#test/transactions.ts';
import { transaction } from '../database.ts';

const app = await startApp();
const { database } = app.deps;
const person = await aPerson(app);

let made = 0;
let { write, written } = numberedRows(app, 'row:0');

const upTo = (count: number) => Array.from({ length: count }, (_, index) => index);

beforeEach(() => {
  made += 1;
  ({ write, written } = numberedRows(app, `row:${made}`));
});
afterEach(() => {
  vi.restoreAllMocks();
});

describe('simultaneous transactions', () => {
  test('are committed when their promises resolve', async () => {
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

  test('do not affect each other if one of them fails', async () => {
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

  test('run again separately if their shared commit fails', async () => {
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

  test('all reject if the disk fails', async () => {
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
});

test('a read outside a transaction waits for no transaction, and sees only committed rows', async () => {
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

test('a write outside a transaction resolves when it is committed, in order', async () => {
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
