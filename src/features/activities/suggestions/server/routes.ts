import type { Deps } from '#server/deps.ts';
import { type Mount, memberOr } from '#server/http/route-mount.ts';
import {
  approveSuggestion,
  countPending,
  createSuggestion,
  deleteSuggestion,
  exportSuggestions,
  getMailChoice,
  listMySuggestions,
  listSuggestions,
  rejectSuggestion,
  setMailChoice,
} from '../contract.ts';
import {
  createSuggestionForViewer,
  listOwnSuggestions,
  readSuggestionEmailPreference,
  updateSuggestionEmailPreference,
} from './actions.ts';
import {
  approve,
  buildSuggestionsFile,
  countPendingSuggestions,
  listForAdministrators,
  reject,
  removeSuggestion,
} from './admin-actions.ts';

export function mountSuggestions(mount: Mount, deps: Deps): void {
  mount(listMySuggestions, 'signedIn', ({ viewer, query }) => listOwnSuggestions(deps, viewer, query));

  mount(getMailChoice, 'signedIn', ({ viewer }) => readSuggestionEmailPreference(deps, viewer));

  mount(setMailChoice, 'signedIn', ({ viewer, body }) => updateSuggestionEmailPreference(deps, viewer, body));

  mount(createSuggestion, memberOr('decide suggestions'), ({ viewer, request, body, once }) =>
    once((trx) => createSuggestionForViewer(trx, deps, { viewer, request }, body)),
  );

  mount(listSuggestions, 'see suggestions', ({ viewer, query }) =>
    listForAdministrators(deps, viewer, query),
  );

  mount(exportSuggestions, 'see suggestions', (call) => buildSuggestionsFile(deps, call, call.body));

  mount(countPending, 'see suggestions', ({ viewer, query }) => countPendingSuggestions(deps, viewer, query));

  mount(approveSuggestion, 'decide suggestions', ({ viewer, request, params, body, once }) =>
    once((trx) => approve(trx, deps, { viewer, request }, { id: params.id, change: body })),
  );

  mount(rejectSuggestion, 'decide suggestions', ({ viewer, request, params, body, once }) =>
    once((trx) => reject(trx, deps, { viewer, request }, { id: params.id, reason: body.reason ?? null })),
  );

  mount(deleteSuggestion, 'decide suggestions', ({ viewer, request, params, body, ifMatch }) =>
    removeSuggestion(deps, { viewer, request }, { id: params.id, reason: body.reason ?? null, ifMatch }),
  );
}
