import activities from '#rooms/activities/log-code-text.en.json' with { type: 'json' };

/** The texts of what the address on a sign-in sheet opens. */
export const logCode = { activities } as const;
