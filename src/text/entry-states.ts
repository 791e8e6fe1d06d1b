import timeEntries from '#rooms/time-entries/state-text.en.json' with { type: 'json' };

/** The words for where hours stand. */
export const entryStates = { 'time-entries': timeEntries } as const;
