import district from '#rooms/district/settings-text.en.json' with { type: 'json' };

/** The texts of the district's settings, which their screen brings along. */
export const districtSettings = { district } as const;
