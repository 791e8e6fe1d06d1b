import users from '#rooms/users/provider-text.en.json' with { type: 'json' };

/** The texts of signing in with an account elsewhere, which the screens for it bring along. */
export const providers = { users } as const;
