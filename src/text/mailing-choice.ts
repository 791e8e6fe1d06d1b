import mailings from '#rooms/mailings/choice-text.en.json' with { type: 'json' };

/** The texts of the choice in Settings, which brings them along. */
export const mailingChoiceTexts = { mailings } as const;
