import imports from '#rooms/user-imports/text.en.json' with { type: 'json' };

/** The texts of the import of users, which brings them along. */
export const userImports = { 'user-imports': imports } as const;
