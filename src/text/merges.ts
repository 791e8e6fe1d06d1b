import merges from '#rooms/merges/text.en.json' with { type: 'json' };

/** The texts of finding and merging duplicates, which brings them along. */
export const mergeTexts = { merges } as const;
