import activities from '#rooms/activities/bulk-text.en.json' with { type: 'json' };

/** The texts of adding many activities, which the screen for it brings along. */
export const activityBulk = { activities } as const;
