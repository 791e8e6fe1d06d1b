import goals from '#rooms/goals/text.en.json' with { type: 'json' };

/** The texts of a person's own goal, which its card brings along. */
export const goalTexts = { goals } as const;
