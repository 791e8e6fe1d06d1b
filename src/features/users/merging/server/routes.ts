import { type Deps, withConnectionPool } from '#server/deps.ts';
import type { Mount } from '#server/http/route-mount.ts';
import {
  listDuplicates,
  listMerges,
  markNotDuplicate,
  mergeUsers,
  previewMerge,
  undoMerge,
} from '../contract.ts';
import { createDuplicateFinder, setNotDuplicate } from './duplicates.ts';
import { mergeAccounts, previewOf } from './merge.ts';
import { listPastMerges, moveLateEntries, unmergeAccounts } from './unmerge.ts';

export function mountMerges(mount: Mount, deps: Deps): void {
  mount(previewMerge, 'manage people', ({ viewer, params, query }) =>
    previewOf(deps, viewer, { id: params.id, into: query.into }),
  );

  mount(mergeUsers, 'manage people', async ({ viewer, request, params, body, ifMatch, once }) => {
    const asked = { id: params.id, ...body, ifMatch };
    const answer = await once((trx) => mergeAccounts(trx, deps, { viewer, request }, asked));
    await moveLateEntries(deps, answer.merge.id);
    return answer;
  });

  mount(undoMerge, 'manage people', (call) => unmergeAccounts(deps, call, call.params.id));

  mount(listMerges, 'manage people', (call) => listPastMerges(deps, call, call.query));

  const duplicatesOf = createDuplicateFinder(withConnectionPool(deps, 'reports'));
  mount(listDuplicates, 'manage people', ({ viewer, query }) => duplicatesOf(viewer, query));

  mount(markNotDuplicate, 'manage people', (call) => setNotDuplicate(deps, call, call.params.id, call.body));
}
