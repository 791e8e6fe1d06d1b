import users from '#rooms/users/grant-text.en.json' with { type: 'json' };

/** The texts of an account's form, of invitations and requests, and of roles at schools: these screens bring them along. */
export const grants = { users } as const;
