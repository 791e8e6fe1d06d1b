import * as z from 'zod/mini';
import type { Db, Trx } from '#server/db/database.ts';
import { findSetting, saveSetting } from '../../district-settings/server/settings-store.ts';

const NAME = 'firstRun';

/** Whether administrators see the checklist, and which steps the district dismissed. */
const FirstRunKept = z.object({ isOpen: z.boolean(), putAway: z.array(z.string()) });
type FirstRunKept = z.infer<typeof FirstRunKept>;

/** Returns the checklist's state; closed in districts older than the checklist. */
export async function readFirstRunProgress(db: Db): Promise<FirstRunKept> {
  const kept = await findSetting(db, NAME);
  return kept === undefined ? { isOpen: false, putAway: [] } : FirstRunKept.parse(kept);
}

/** Stores the checklist's state; a new district starts with all steps. */
export function saveFirstRunProgress(
  trx: Trx,
  kept: FirstRunKept = { isOpen: true, putAway: [] },
): Promise<void> {
  return saveSetting(trx, NAME, kept);
}
