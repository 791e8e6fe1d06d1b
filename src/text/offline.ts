import photos from '#rooms/photos/waiting-text.en.json' with { type: 'json' };
import timeEntries from '#rooms/time-entries/waiting-text.en.json' with { type: 'json' };
import web from '#web/offline-text.en.json' with { type: 'json' };

/** The texts of what is kept on a device while there is no signal; they come with it. */
export const offline = { web, photos, 'time-entries': timeEntries } as const;
