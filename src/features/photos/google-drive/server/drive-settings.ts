import * as z from 'zod/mini';
import { findSetting } from '#features/schools/district-settings/server/settings.ts';
import type { Db } from '#server/db/database.ts';

/** The key under which the district's Photo Sync settings are stored. */
export const SETTINGS = 'drive';

const DriveSettings = z.object({ nightly: z.boolean() });

/** The district's Photo Sync settings; by default there is no nightly sync. */
export async function driveSettings(db: Db): Promise<z.infer<typeof DriveSettings>> {
  const stored = z.partial(DriveSettings).parse((await findSetting(db, SETTINGS)) ?? {});
  return { nightly: stored.nightly ?? false };
}
