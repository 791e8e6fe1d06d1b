// How transactions share a commit on SQLite. What both engines promise: src/server/db/sqlite/group-commit.engines.test.ts.
import { afterEach, describe, expect, test, vi } from 'vitest';
import { transaction } from '#server/db/database.ts';
import { startApp } from '#test/harness.ts';
import { commitsOf, numberedRows } from './transactions.ts';

const OWNER = 'row';
const upTo = (count: number) => Array.from({ length: count }, (_, index) => index);

afterEach(() => {
  vi.restoreAllMocks();
});

describe('simultaneous transactions', () => {
  test('do not fail because of rows that a failed transaction had written', async () => {
    const { database, write, written } = await fresh();
    const seen = commitsOf({ failing: 2 });
    const claim = () =>
      transaction(database, async (trx) => {
        const taken = await trx
          .selectFrom('idempotency_keys')
          .select('key')
          .where('owner', '=', OWNER)
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

  test('recover from an automatic rollback by SQLite', async () => {
    const { database, write, written } = await fresh();
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

async function fresh() {
  const app = await startApp();
  return { database: app.deps.database, ...numberedRows(app, OWNER) };
}
