import type { Db } from '#server/db/connect.ts';
import { stoppedAmong } from '#server/mail/stopped-address-store.ts';
import type { AskedOutside } from '../contract.ts';
import { findLettersAbout } from './outside-store.ts';

/** What became of asking somebody outside about entries, by id; those of whom nobody was asked are left out. */
export async function askedOutside(
  db: Db,
  entryIds: readonly number[],
): Promise<ReadonlyMap<number, AskedOutside>> {
  const rows = await findLettersAbout(db, entryIds);
  const stopped = await stoppedAmong(
    db,
    rows.map(({ address }) => address),
  );
  const found = new Map<number, AskedOutside>();
  for (const { entryId, address: to, madeAt: at, hasFailed } of rows) {
    if (stopped.has(to)) found.set(entryId, { to, at, state: 'stopped' });
    else if (at !== null) found.set(entryId, { to, at, state: hasFailed ? 'failed' : 'sent' });
  }
  return found;
}
