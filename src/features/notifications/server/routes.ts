import type { Deps } from '#server/deps.ts';
import type { Mount } from '#server/http/route-mount.ts';
import { listAnnouncements, previewAnnouncement, sendAnnouncement } from '../announcements/contract.ts';
import {
  getAnnouncementPreference,
  putAnnouncementPreference,
} from '../announcements/preference-contract.ts';
import {
  listOwnAnnouncements,
  prepareAnnouncement,
  readAnnouncementPreference,
  readPreview,
  setAnnouncementPreference,
  storeAnnouncement,
} from '../announcements/server/actions.ts';
import { getReminders, setReminders } from '../reminders/contract.ts';
import { changeReminderPreferences, readReminderPreferences } from '../reminders/server/preferences.ts';

export function mountReminders(mount: Mount, deps: Deps): void {
  mount(getReminders, 'signedIn', ({ viewer }) => readReminderPreferences(deps, viewer));

  mount(setReminders, 'signedIn', ({ viewer, body }) => changeReminderPreferences(deps, viewer, body));
}

export function mountAnnouncements(mount: Mount, deps: Deps): void {
  mount(previewAnnouncement, 'write to people', ({ viewer, body }) => readPreview(deps, viewer, body));

  mount(sendAnnouncement, 'write to people', async ({ viewer, request, body, once }) => {
    const prepared = await prepareAnnouncement(deps, viewer, body);
    return once((trx) => storeAnnouncement(trx, deps, { viewer, request }, { input: body, prepared }));
  });

  mount(listAnnouncements, 'write to people', ({ viewer }) => listOwnAnnouncements(deps, viewer));

  mount(getAnnouncementPreference, 'signedIn', ({ viewer }) => readAnnouncementPreference(deps, viewer));

  mount(putAnnouncementPreference, 'signedIn', ({ viewer, request, body }) =>
    setAnnouncementPreference(deps, { viewer, request }, body.isWanted),
  );
}
