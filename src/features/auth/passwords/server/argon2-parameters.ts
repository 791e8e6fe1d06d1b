/** OWASP's first choice for Argon2id: 19 MiB, two passes, one lane. */
export const STRENGTH = { memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const;
