import { setImmediate as turn } from 'node:timers/promises';
import { type Instant, instantOf, plusMilliseconds } from '#base/calendar-date.ts';
import { addressedBetween, blankAddresses } from './audit.ts';
import { transaction } from './db/connect.ts';
import type { Deps } from './deps.ts';
import { notedState, noteState } from './server-state.ts';

/** How long the record says from which network address something was done. */
export const ADDRESS_DAYS = 90;

const DAY_MS = 86_400_000;
const AT_ONCE = 500;
// How far the last round came, so that the next one does not read the whole record again.
const MARK = 'addresses-blanked-before';

/** Blanks the network addresses in rows of the record that are older than 90 days; the rows themselves stay. */
export async function blankOldAddresses(deps: Deps): Promise<void> {
  const { database, clock } = deps;
  const now = clock.now();
  const before = plusMilliseconds(now, -ADDRESS_DAYS * DAY_MS);
  let from = ((await notedState(database.db, MARK)) ?? instantOf(0)) as Instant;
  for (;;) {
    const rows = await addressedBetween(database.db, { from, before, limit: AT_ONCE });
    const ids = rows.map(({ id }) => id);
    if (ids.length > 0) await transaction(database, (trx) => blankAddresses(trx, ids));
    from = rows.at(-1)?.at ?? from;
    if (rows.length < AT_ONCE) break;
    await turn();
  }
  await noteState(database.db, MARK, before, now);
}
