import district from '#rooms/district/name-list-text.en.json' with { type: 'json' };

/** The texts of names in other languages, which the administrators' lists bring along. */
export const nameLists = { district } as const;
