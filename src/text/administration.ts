import audit from '#rooms/audit/text.en.json' with { type: 'json' };
import users from '#rooms/users/admin-text.en.json' with { type: 'json' };

/** The texts that only administrators see: their view brings them along. */
export const administration = { users, audit } as const;
