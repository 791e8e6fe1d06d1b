import timeEntries from '#rooms/time-entries/several-text.en.json' with { type: 'json' };

/** The texts of several days at once and of the calendar, which come along with them. */
export const severalDays = { 'time-entries': timeEntries } as const;
