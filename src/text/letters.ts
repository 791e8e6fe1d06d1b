import letters from '#rooms/letters/text.en.json' with { type: 'json' };

/** The texts of service letters, which their screens bring along. */
export const serviceLetters = { letters } as const;
