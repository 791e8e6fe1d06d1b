import timeEntries from '#rooms/time-entries/volunteer-text.en.json' with { type: 'json' };

/** The texts of what opens behind the first tap of Log Time, and of Recent Activity. */
export const volunteers = { 'time-entries': timeEntries } as const;
