import type { Deps } from '#server/deps.ts';
import type { Mount } from '#server/http/route-mount.ts';
import { listAnnouncements, previewAnnouncement, sendAnnouncement } from '../announcements/contract.ts';
import {
  getAnnouncementPreference,
  putAnnouncementPreference,
} from '../announcements/preference-contract.ts';
import { ownLetters, prepare, preview, send } from '../announcements/server/actions.ts';
import { readAnnouncementPreference, setAnnouncementPreference } from '../announcements/server/preference.ts';
import { getReminders, setReminders } from '../reminders/contract.ts';
import { choose, readReminderPreferences } from '../reminders/server/preferences.ts';

export function mountReminders(mount: Mount, deps: Deps): void {
  mount(getReminders, 'signedIn', ({ viewer }) => readReminderPreferences(deps, viewer));

  mount(setReminders, 'signedIn', ({ viewer, body }) => choose(deps, viewer, body));
}

export function mountAnnouncements(mount: Mount, deps: Deps): void {
  mount(previewAnnouncement, 'write to people', ({ viewer, body }) => preview(deps, viewer, body));

  mount(sendAnnouncement, 'write to people', async ({ viewer, request, body, once }) => {
    const prepared = await prepare(deps, viewer, body);
    return once((trx) => send(trx, deps, { viewer, request }, { input: body, prepared }));
  });

  mount(listAnnouncements, 'write to people', ({ viewer }) => ownLetters(deps, viewer));

  mount(getAnnouncementPreference, 'signedIn', ({ viewer }) => readAnnouncementPreference(deps, viewer));

  mount(putAnnouncementPreference, 'signedIn', ({ viewer, request, body }) =>
    setAnnouncementPreference(deps, { viewer, request }, body.isWanted),
  );
}
