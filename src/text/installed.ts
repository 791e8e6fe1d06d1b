import installedTexts from '#web/installed-text.en.json' with { type: 'json' };

/** What the installed product says: without a network, of a new version, and how it is installed. */
export const installed = { web: installedTexts } as const;
