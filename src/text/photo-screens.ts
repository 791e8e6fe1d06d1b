import photos from '#rooms/photos/admin-text.en.json' with { type: 'json' };

/** The texts of the Photos tab of the Admin Panel, which brings them along. */
export const photoScreens = { photos } as const;
