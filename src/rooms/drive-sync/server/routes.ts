import type { Deps } from '#server/deps.ts';
import type { Mount } from '#server/http/serve.ts';
import * as contract from '../contract.ts';
import { currentSync, oneSync, resultsOf, startSync, stopSync } from './actions.ts';
import { authUrl, disconnect, driveStatus } from './connection.ts';
import { changeDriveSettings } from './settings.ts';

export function mountDriveSync(mount: Mount, deps: Deps): void {
  mount(contract.getDriveStatus, 'admin', ({ viewer }) => driveStatus(deps, viewer));

  mount(contract.getDriveAuthUrl, 'admin', ({ viewer, request }) => authUrl(deps, viewer, request));

  mount(contract.disconnectDrive, 'admin', ({ viewer, request }) => disconnect(deps, viewer, request));

  mount(contract.updateDriveSettings, 'admin', async ({ viewer, request, body }) => {
    const message = await changeDriveSettings(deps, viewer, request, body);
    return { status: await driveStatus(deps, viewer), message };
  });

  mount(contract.syncActivities, 'admin', async ({ viewer, request, body, once }) => {
    const { syncId } = await once((trx) => startSync(trx, deps, { viewer, request }, body.activityIds));
    return resultsOf(deps, syncId);
  });

  mount(contract.getCurrentSync, 'admin', () => currentSync(deps));

  mount(contract.getSync, 'admin', ({ params }) => oneSync(deps, params.id));

  mount(contract.cancelSync, 'admin', ({ viewer, request, params }) =>
    stopSync(deps, viewer, request, params.id),
  );
}
