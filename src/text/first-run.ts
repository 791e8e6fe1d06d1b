import system from '#rooms/system/first-run-text.en.json' with { type: 'json' };

/** The texts of a new district's first steps, which its administrators' card brings along. */
export const firstRun = { system } as const;
