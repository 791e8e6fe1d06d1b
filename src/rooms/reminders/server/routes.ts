import type { Deps } from '#server/deps.ts';
import type { Mount } from '#server/http/serve.ts';
import { getReminders, setReminders } from '../contract.ts';
import { choose, ownChoice } from './choice.ts';

export function mountReminders(mount: Mount, deps: Deps): void {
  mount(getReminders, 'signedIn', ({ viewer }) => ownChoice(deps, viewer));

  mount(setReminders, 'signedIn', ({ viewer, body }) => choose(deps, viewer, body));
}
