import type { Deps } from '#server/deps.ts';
import type { Mount } from '#server/http/route-mount.ts';
import { listAudit } from '../contract.ts';
import { listAuditEvents } from './actions.ts';

export function mountAudit(mount: Mount, deps: Deps): void {
  mount(listAudit, 'see history', ({ viewer, query }) => listAuditEvents(deps, viewer, query));
}
