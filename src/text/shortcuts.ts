import web from '#web/shortcut-text.en.json' with { type: 'json' };

/** The lines of the list of keyboard shortcuts, which come with it. */
export const shortcuts = { web } as const;
