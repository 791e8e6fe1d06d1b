import type { Deps } from '#server/deps.ts';
import type { Mount } from '#server/http/route-mount.ts';
import { getReminders, setReminders } from '../contract.ts';
import { choose, readReminderPreferences } from './preferences.ts';

export function mountReminders(mount: Mount, deps: Deps): void {
  mount(getReminders, 'signedIn', ({ viewer }) => readReminderPreferences(deps, viewer));

  mount(setReminders, 'signedIn', ({ viewer, body }) => choose(deps, viewer, body));
}
