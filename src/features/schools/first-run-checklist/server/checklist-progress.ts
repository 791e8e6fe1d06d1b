import * as z from 'zod/mini';
import type { Db, Trx } from '#server/db/database.ts';
import { findSetting, keepSetting } from '../../district-settings/server/settings-store.ts';

const NAME = 'firstRun';

/** Whether administrators see the first steps, and which of these the district does not want. */
const FirstRunKept = z.object({ isOpen: z.boolean(), putAway: z.array(z.string()) });
type FirstRunKept = z.infer<typeof FirstRunKept>;

/** The card of the first steps; closed where a district was there before it. */
export async function findFirstRun(db: Db): Promise<FirstRunKept> {
  const kept = await findSetting(db, NAME);
  return kept === undefined ? { isOpen: false, putAway: [] } : FirstRunKept.parse(kept);
}

/** Keeps it; the first administrator of a new district begins with all steps. */
export function keepFirstRun(trx: Trx, kept: FirstRunKept = { isOpen: true, putAway: [] }): Promise<void> {
  return keepSetting(trx, NAME, kept);
}
