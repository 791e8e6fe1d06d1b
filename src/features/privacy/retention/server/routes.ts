import {
  readSettings,
  type SettingsSections,
} from '#features/schools/district-settings/server/settings-form.ts';
import type { Deps } from '#server/deps.ts';
import type { Mount } from '#server/http/route-mount.ts';
import { liftLegalHold, listLegalHolds, placeLegalHold } from '../../legal-holds/server/actions.ts';
import * as contract from '../contract.ts';
import { countExpiredRecords, readLastDeletions } from './cleanup.ts';
import { cancelShorterPeriods } from './periods.ts';

export function mountRetention(mount: Mount, deps: Deps, sections: SettingsSections): void {
  mount(contract.cancelShorterRetention, 'run the district', async ({ viewer, request }) => {
    const message = await cancelShorterPeriods(deps, { viewer, request });
    return { ...(await readSettings(deps, sections)), message };
  });

  mount(contract.getRetention, 'run the district', async () => ({ kinds: await readLastDeletions(deps) }));

  mount(contract.previewSettings, 'run the district', async ({ body }) => ({
    deletes: await countExpiredRecords(deps, body.retention),
  }));

  mount(contract.listHolds, 'run the district', ({ query }) => listLegalHolds(deps, query));

  mount(contract.placeHold, 'run the district', ({ viewer, request, body, once }) =>
    once((trx) => placeLegalHold(trx, deps, { viewer, request }, body)),
  );

  mount(contract.liftHold, 'run the district', (call) => liftLegalHold(deps, call, call.params.id));
}
