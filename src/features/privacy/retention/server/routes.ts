import {
  cancelShorterPeriods,
  readSettings,
  saveSettings,
} from '#features/schools/district-settings/server/settings-form.ts';
import { sendTestMail } from '#features/schools/district-settings/server/test-email.ts';
import type { Deps } from '#server/deps.ts';
import type { Mount } from '#server/http/route-mount.ts';
import { lift, listLegalHolds, place } from '../../legal-holds/server/actions.ts';
import * as contract from '../contract.ts';
import { countOld, lastDeletions } from './cleanup.ts';

export function mountRetention(mount: Mount, deps: Deps): void {
  mount(contract.getSettings, 'run the district', () => readSettings(deps));

  mount(contract.changeSettings, 'run the district', ({ viewer, request, body }) =>
    saveSettings(deps, { viewer, request }, body),
  );

  mount(contract.cancelShorterRetention, 'run the district', ({ viewer, request }) =>
    cancelShorterPeriods(deps, { viewer, request }),
  );

  mount(contract.testMailServer, 'run the district', ({ viewer, request, body }) =>
    sendTestMail(deps, { viewer, request }, body.to),
  );

  mount(contract.getRetention, 'run the district', async () => ({ kinds: await lastDeletions(deps) }));

  mount(contract.previewSettings, 'run the district', async ({ body }) => ({
    deletes: await countOld(deps, body.retention),
  }));

  mount(contract.listHolds, 'run the district', ({ query }) => listLegalHolds(deps, query));

  mount(contract.placeHold, 'run the district', ({ viewer, request, body, once }) =>
    once((trx) => place(trx, deps, { viewer, request }, body)),
  );

  mount(contract.liftHold, 'run the district', ({ viewer, request, params }) =>
    lift(deps, { viewer, request }, params.id),
  );
}
