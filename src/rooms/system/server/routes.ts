import type { Deps } from '#server/deps.ts';
import type { Mount } from '#server/http/serve.ts';
import * as contract from '../contract.ts';
import { type Running, readSystem } from './actions.ts';
import { runNow } from './jobs.ts';
import { dropQueued, postTestLetter, readMailQueue, sendNow } from './mail-queue.ts';

export function mountSystem(mount: Mount, deps: Deps, running: Running): void {
  mount(contract.getSystem, 'admin', () => readSystem(deps, running));

  mount(contract.listMailQueue, 'admin', ({ query }) => readMailQueue(deps, query));

  mount(contract.retryLetter, 'admin', ({ viewer, request, params }) =>
    sendNow(deps, { viewer, request }, params.id),
  );

  mount(contract.dropLetter, 'admin', ({ viewer, request, params }) =>
    dropQueued(deps, { viewer, request }, params.id),
  );

  mount(contract.sendTestMail, 'admin', ({ viewer, request, body }) =>
    postTestLetter(deps, { viewer, request }, body.to),
  );

  mount(contract.runJob, 'admin', ({ viewer, request, params }) =>
    runNow(deps, running.jobs, { viewer, request }, params.name),
  );
}
