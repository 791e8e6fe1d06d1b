import type { Deps } from '#server/deps.ts';
import type { Mount } from '#server/http/route-mount.ts';
import * as contract from '../contract.ts';
import {
  changeDriveSettings,
  loadCurrentSync,
  loadSync,
  startSync,
  stopSync,
  waitForResults,
} from './actions.ts';
import { createAuthUrl, disconnectDrive, readDriveStatus } from './connection.ts';

export function mountDriveSync(mount: Mount, deps: Deps): void {
  mount(contract.getDriveStatus, 'run the district', ({ viewer }) => readDriveStatus(deps, viewer));

  mount(contract.getDriveAuthUrl, 'run the district', ({ viewer, request, keepBrowserKey }) =>
    createAuthUrl(deps, { viewer, request }, keepBrowserKey()),
  );

  mount(contract.disconnectDrive, 'run the district', (call) => disconnectDrive(deps, call));

  mount(contract.updateDriveSettings, 'run the district', async ({ viewer, request, body }) => {
    const message = await changeDriveSettings(deps, { viewer, request }, body);
    return { status: await readDriveStatus(deps, viewer), message };
  });

  mount(contract.syncActivities, 'run the district', async ({ viewer, request, body, once }) => {
    const { syncId } = await once((trx) => startSync(trx, deps, { viewer, request }, body.activityIds));
    return waitForResults(deps, syncId);
  });

  mount(contract.getCurrentSync, 'run the district', () => loadCurrentSync(deps));

  mount(contract.getSync, 'run the district', ({ params }) => loadSync(deps, params.id));

  mount(contract.cancelSync, 'run the district', (call) => stopSync(deps, call, call.params.id));
}
