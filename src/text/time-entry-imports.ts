import imports from '#rooms/time-entry-imports/text.en.json' with { type: 'json' };

/** The texts of the import of hours, which brings them along. */
export const timeEntryImports = { 'time-entry-imports': imports } as const;
