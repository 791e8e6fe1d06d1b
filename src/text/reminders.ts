import reminders from '#rooms/reminders/text.en.json' with { type: 'json' };

/** The texts of the choice of reminders in Settings, which brings them along. */
export const reminderTexts = { reminders } as const;
