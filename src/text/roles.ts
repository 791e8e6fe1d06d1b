import web from '#web/role-text.en.json' with { type: 'json' };

/** The names of roles at schools, which their holders' screens bring along. */
export const roles = { web } as const;
