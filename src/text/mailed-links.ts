import users from '#rooms/users/mailed-link-text.en.json' with { type: 'json' };

/** The texts of the pages that mailed links open, which those pages bring along. */
export const mailedLinks = { users } as const;
