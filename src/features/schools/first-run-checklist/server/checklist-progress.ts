import * as z from 'zod/mini';
import type { Db, Trx } from '#server/db/database.ts';
import { findSetting, saveSetting } from '../../district-settings/server/settings-store.ts';

const NAME = 'firstRun';

/** Whether administrators see the first steps, and which of these the district does not want. */
const FirstRunKept = z.object({ isOpen: z.boolean(), putAway: z.array(z.string()) });
type FirstRunKept = z.infer<typeof FirstRunKept>;

/** The card of the first steps; closed where a district was there before it. */
export async function readFirstRunProgress(db: Db): Promise<FirstRunKept> {
  const kept = await findSetting(db, NAME);
  return kept === undefined ? { isOpen: false, putAway: [] } : FirstRunKept.parse(kept);
}

/** Keeps it; the first administrator of a new district begins with all steps. */
export function saveFirstRunProgress(
  trx: Trx,
  kept: FirstRunKept = { isOpen: true, putAway: [] },
): Promise<void> {
  return saveSetting(trx, NAME, kept);
}
