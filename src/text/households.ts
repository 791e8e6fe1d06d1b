import households from '#rooms/households/text.en.json' with { type: 'json' };

/** The texts of a household's hours, which its card brings along. */
export const householdTexts = { households } as const;
