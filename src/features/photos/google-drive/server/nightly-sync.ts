import { recordEvent } from '#server/audit-log.ts';
import type { DailyJob } from '#server/jobs/daily-jobs.ts';
import { findGoogleClient, readDriveSettings } from './connection.ts';
import { findConnection, isActiveAdministrator, markConnectionLost } from './connection-store.ts';
import { listActivitiesToCopy } from './file-store.ts';
import { insertSync } from './sync-store.ts';

/**
 * Queues a nightly sync of every activity with a photo that is not in Drive, if the district has turned that on. If the user
 * who connected Drive is no longer an active district administrator, marks the connection as lost instead, so that an
 * administrator has to reconnect Drive.
 */
export const nightlyDriveSync: DailyJob = {
  name: 'drive-sync',
  fromHour: 2,
  run: async (trx, deps) => {
    if (findGoogleClient(deps) === undefined || !(await readDriveSettings(trx)).nightly) return;
    const connection = await findConnection(trx);
    if (connection?.refreshToken == null) return;
    if (!(await isActiveAdministrator(trx, connection.userId))) {
      await markConnectionLost(trx, connection.refreshToken, deps.clock.now());
      return;
    }
    const activities = await listActivitiesToCopy(trx);
    if (activities.length === 0) return;
    const at = deps.clock.now();
    const syncId = await insertSync(trx, { kind: 'nightly', userId: null, at, activities });
    await recordEvent(
      trx,
      { userId: null, at, address: null, requestId: null },
      {
        action: 'drive.sync',
        subject: 'drive',
        subjectId: syncId,
        after: { activityIds: activities.map(({ id }) => id) },
      },
    );
  },
};
