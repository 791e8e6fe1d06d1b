import * as z from 'zod/mini';
import type { Db, Trx } from '#server/db/database.ts';
import { findSetting, saveSetting } from '../../district-settings/server/settings-store.ts';

const NAME = 'firstRun';

/** Whether administrators see the checklist, and which steps the district dismissed. */
const StoredProgress = z.object({ isOpen: z.boolean(), putAway: z.array(z.string()) });
type StoredProgress = z.infer<typeof StoredProgress>;

/** Returns the checklist's state; closed in districts older than the checklist. */
export async function readFirstRunProgress(db: Db): Promise<StoredProgress> {
  const stored = await findSetting(db, NAME);
  return stored === undefined ? { isOpen: false, putAway: [] } : StoredProgress.parse(stored);
}

/** Stores the checklist's state; a new district starts with all steps. */
export function saveFirstRunProgress(
  trx: Trx,
  stored: StoredProgress = { isOpen: true, putAway: [] },
): Promise<void> {
  return saveSetting(trx, NAME, stored);
}
