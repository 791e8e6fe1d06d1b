import users from '#rooms/users/fresh-text.en.json' with { type: 'json' };

/** The texts of the dialog that asks for a fresh proof, which brings them along. */
export const fresh = { users } as const;
