import timeEntries from '#rooms/time-entries/sign-in-sheet-text.en.json' with { type: 'json' };

/** The texts of a sign-in sheet and of the dialog that prints it. */
export const signInSheet = { 'time-entries': timeEntries } as const;
