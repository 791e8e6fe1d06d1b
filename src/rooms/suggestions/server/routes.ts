import type { Deps } from '#server/deps.ts';
import type { Mount } from '#server/http/serve.ts';
import {
  approveSuggestion,
  countPending,
  createSuggestion,
  deleteSuggestion,
  getMailChoice,
  listMySuggestions,
  listSuggestions,
  rejectSuggestion,
  setMailChoice,
} from '../contract.ts';
import { chooseMail, mailChoice, ownSuggestions, suggest } from './actions.ts';
import { approve, listForAdministrators, pendingCount, reject, remove } from './admin.ts';

export function mountSuggestions(mount: Mount, deps: Deps): void {
  mount(listMySuggestions, 'signedIn', ({ viewer, query }) => ownSuggestions(deps, viewer, query));

  mount(getMailChoice, 'signedIn', ({ viewer }) => mailChoice(deps, viewer));

  mount(setMailChoice, 'signedIn', ({ viewer, body }) => chooseMail(deps, viewer, body));

  mount(createSuggestion, 'signedIn', ({ viewer, request, body, once }) =>
    once((trx) => suggest(trx, deps, { viewer, request }, body)),
  );

  mount(listSuggestions, 'admin', ({ viewer, query }) => listForAdministrators(deps, viewer, query));

  mount(countPending, 'admin', ({ viewer, query }) => pendingCount(deps, viewer, query));

  mount(approveSuggestion, 'admin', ({ viewer, request, params, body, once }) =>
    once((trx) => approve(trx, deps, { viewer, request }, { id: params.id, change: body })),
  );

  mount(rejectSuggestion, 'admin', ({ viewer, request, params, body, once }) =>
    once((trx) => reject(trx, deps, { viewer, request }, { id: params.id, reason: body.reason ?? null })),
  );

  mount(deleteSuggestion, 'admin', ({ viewer, request, params, body, ifMatch }) =>
    remove(deps, viewer, request, { id: params.id, reason: body.reason ?? null, ifMatch }),
  );
}
