import analytics from '#rooms/analytics/text.en.json' with { type: 'json' };
import audit from '#rooms/audit/text.en.json' with { type: 'json' };
import users from '#rooms/users/admin-text.en.json' with { type: 'json' };

/** The texts that only administrators see: their view brings them along. */
export const administration = { users, analytics, audit } as const;
