import timeEntries from '#rooms/time-entries/printed-text.en.json' with { type: 'json' };

/** The texts of entries on paper, for volunteers and administrators. */
export const printedEntries = { 'time-entries': timeEntries } as const;
