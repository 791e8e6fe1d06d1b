import desk from '#rooms/verification/desk-text.en.json' with { type: 'json' };
import verification from '#rooms/verification/text.en.json' with { type: 'json' };

/** The texts of the desk where hours are verified, which brings them along. */
export const verifierDesk = { verification: { ...verification, ...desk } } as const;
