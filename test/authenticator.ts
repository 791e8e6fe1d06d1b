import { Secret, TOTP } from 'otpauth';
import { saveTotp } from '#features/auth/two-factor/server/store.ts';
import { encryptTotpSecret, newSecret } from '#features/auth/two-factor/server/totp.ts';
import { transaction } from '#server/db/database.ts';
import { type Instant, millisecondsOf } from '#shared/calendar-date.ts';
import type { TestApp } from './harness.ts';

/** The code that an authenticator app shows at a time, or `steps` of 30 seconds later. */
export function codeOf(secret: string, at: Instant, steps = 0): string {
  const timestamp = millisecondsOf(at) + steps * 30_000;
  return new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp });
}

/** Sets up an authenticator app for an account; returns its secret. */
export async function anAuthenticator(app: TestApp, { id }: { id: number }): Promise<string> {
  const secret = newSecret();
  const totp = { sealed: encryptTotpSecret(app.deps, id, secret), step: 0, at: app.clock.now() };
  await transaction(app.deps.database, (trx) => saveTotp(trx, id, totp));
  return secret;
}
