import settings from '#rooms/verification/settings-text.en.json' with { type: 'json' };

/** The texts of the choice about the weekly letter in Settings, which brings them along. */
export const weeklyMail = { verification: settings } as const;
