import audit from '#rooms/audit/text.en.json' with { type: 'json' };

/** The texts of the District log and of histories, which bring them along. */
export const record = { audit } as const;
