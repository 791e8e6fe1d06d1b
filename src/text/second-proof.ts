import passkeys from '#rooms/second-proof/passkey-text.en.json' with { type: 'json' };
import secondProof from '#rooms/second-proof/text.en.json' with { type: 'json' };

/** The texts of the second step of signing in, which the screens for it bring along. */
export const secondProofScreens = { 'second-proof': { ...secondProof, ...passkeys } } as const;
