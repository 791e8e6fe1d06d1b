import users from '#rooms/users/sign-in-link-text.en.json' with { type: 'json' };

/** The texts of signing in by a mailed link, which the screens for it bring along. */
export const signInLink = { users } as const;
