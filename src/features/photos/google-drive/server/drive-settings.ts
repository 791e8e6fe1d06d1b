import * as z from 'zod/mini';
import { findSetting } from '#features/schools/district-settings/server/settings.ts';
import type { Db } from '#server/db/database.ts';

/** The name under which the district's settings for Photo Sync are kept. */
export const SETTINGS = 'drive';

const DriveSettings = z.object({ nightly: z.boolean() });

/** The district's settings for Photo Sync; by default nothing is synced at night. */
export async function driveSettings(db: Db): Promise<z.infer<typeof DriveSettings>> {
  const kept = z.partial(DriveSettings).parse((await findSetting(db, SETTINGS)) ?? {});
  return { nightly: kept.nightly ?? false };
}
