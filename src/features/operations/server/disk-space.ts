import { emailFailureDaily, type Tell } from '#server/backup/daily-failure-email.ts';
import { transaction } from '#server/db/database.ts';
import { databaseFailure } from '#server/db/database-errors.ts';
import type { Deps } from '#server/deps.ts';
import { diskSpace } from './queue-lengths.ts';

const GIGABYTE = 1_000_000_000;
/** Free space in bytes below which an operator is warned, and below which the disk counts as full. */
export const DISK = { warningBytes: GIGABYTE, errorBytes: GIGABYTE / 5 } as const;

const TOLD = 'disk:told';

/**
 * Tells the administrators, once a day, that the disk of the data folder is full or nearly so, while the email can
 * still be stored, and once that there is room again.
 */
export async function watchDisk(deps: Deps, tell: Tell): Promise<void> {
  const { database, reserve, config } = deps;
  const free = (await diskSpace(config.dataDir))?.free;
  const isFull = (database.engine === 'sqlite' && reserve.isGivenUp()) || (free ?? 0) < DISK.errorBytes;
  const store = () =>
    transaction(database, (trx) =>
      emailFailureDaily(trx, deps, { noted: TOLD, tell }, isFull ? 'full' : null),
    );
  await store().catch((error: unknown) => {
    if (databaseFailure(error) !== 'full' || !reserve.giveUp()) throw error;
    return store();
  });
}
