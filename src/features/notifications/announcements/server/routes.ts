import type { Deps } from '#server/deps.ts';
import type { Mount } from '#server/http/route-mount.ts';
import { listMailings, previewMailing, sendMailing } from '../contract.ts';
import { getMailingChoice, setMailingChoice } from '../preference-contract.ts';
import { ownLetters, prepare, preview, send } from './actions.ts';
import { chooseMailings, ownMailingChoice } from './preference.ts';

export function mountMailings(mount: Mount, deps: Deps): void {
  mount(previewMailing, 'write to people', ({ viewer, body }) => preview(deps, viewer, body));

  mount(sendMailing, 'write to people', async ({ viewer, request, body, once }) => {
    const prepared = await prepare(deps, viewer, body);
    return once((trx) => send(trx, deps, { viewer, request }, { input: body, prepared }));
  });

  mount(listMailings, 'write to people', ({ viewer }) => ownLetters(deps, viewer));

  mount(getMailingChoice, 'signedIn', ({ viewer }) => ownMailingChoice(deps, viewer));

  mount(setMailingChoice, 'signedIn', ({ viewer, request, body }) =>
    chooseMailings(deps, { viewer, request }, body.isWanted),
  );
}
