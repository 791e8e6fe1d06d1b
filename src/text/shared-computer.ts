import web from '#web/shared-text.en.json' with { type: 'json' };

/** The text of the choice at sign-in, which comes with it. */
export const sharedComputer = { web } as const;
