import users from '#rooms/users/grant-text.en.json' with { type: 'json' };

/** The texts of giving roles at schools, which the screens for it bring along. */
export const grants = { users } as const;
