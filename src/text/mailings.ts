import mailings from '#rooms/mailings/text.en.json' with { type: 'json' };

/** The texts of writing to many, which the dialog brings along. */
export const mailingTexts = { mailings } as const;
