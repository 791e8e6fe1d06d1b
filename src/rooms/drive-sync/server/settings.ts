import * as z from 'zod/mini';
import { findSetting, keepSetting } from '#rooms/district/server/settings.ts';
import { record } from '#server/audit.ts';
import { type Db, transaction } from '#server/db/connect.ts';
import type { Deps } from '#server/deps.ts';
import { text } from '#server/http/errors.ts';
import { actorOf, type Request, type Viewer } from '#server/http/viewer.ts';
import { type DriveSettingsChange, messages } from '../contract.ts';

const NAME = 'drive';

const DriveSettings = z.object({ nightly: z.boolean() });
type DriveSettings = z.infer<typeof DriveSettings>;

/** The district's settings for Photo Sync; until somebody changes them nothing happens by itself. */
export async function driveSettings(db: Db): Promise<DriveSettings> {
  const kept = z.partial(DriveSettings).parse((await findSetting(db, NAME)) ?? {});
  return { nightly: kept.nightly ?? false };
}

/** Changes the settings; what is left out stays. */
export function changeDriveSettings(
  deps: Deps,
  viewer: Viewer,
  request: Request,
  change: DriveSettingsChange,
): Promise<string> {
  return transaction(deps.database, async (trx) => {
    const before = await driveSettings(trx);
    const settings = { nightly: change.nightly ?? before.nightly };
    await keepSetting(trx, NAME, settings);
    await record(trx, actorOf(request, viewer), {
      action: 'drive.settings',
      subject: 'drive',
      subjectId: null,
      before,
      after: settings,
    });
    return text(deps, messages.settingsSaved);
  });
}
