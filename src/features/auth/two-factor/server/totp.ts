import { Secret, TOTP } from 'otpauth';
import { create } from 'qrcode';
import type { Deps } from '#server/deps.ts';
import { seal, unseal } from '#server/secrets.ts';
import { type Instant, millisecondsOf } from '#shared/calendar-date.ts';
import { LIMITS } from '../contract.ts';

const PURPOSE = 'totp-secret';
const SECRET_BYTES = 20;
// One step before and after, because clocks differ and typing takes time.
const STEPS_OFF = 1;
const CODE = new RegExp(`^[0-9]{${LIMITS.digits}}$`);

/** Encrypts a secret for storage with its owner's ID, so that it is useless in another account's row. */
export function encryptTotpSecret(deps: Deps, userId: number, secret: string): string {
  return seal(deps.secretKey, PURPOSE, `${userId} ${secret}`);
}

/** A new secret in Base32. */
export function newSecret(): string {
  return new Secret({ size: SECRET_BYTES }).base32;
}

/** The URI in a QR code (otpauth://), with the district and the account. */
export function totpUri(deps: Deps, email: string, secret: string): string {
  return authenticator(secret, { issuer: deps.config.districtName, label: email }).toString();
}

/** Returns the step of a code (RFC 6238): the current one or a neighbor; undefined if the code is wrong. */
export function stepOf(
  deps: Deps,
  { userId, sealed }: { userId: number; sealed: string },
  code: string,
  at: Instant,
): number | undefined {
  // The library compares bytes, and throws if six characters take more than six bytes.
  if (!CODE.test(code)) return undefined;
  const secret = secretIn(deps, userId, sealed);
  if (secret === undefined) return undefined;
  const timestamp = millisecondsOf(at);
  const off = authenticator(secret).validate({ token: code, timestamp, window: STEPS_OFF });
  return off === null ? undefined : Math.floor(timestamp / (LIMITS.stepSeconds * 1000)) + off;
}

// After a change of SECRET_KEY no code can be checked: recovery needs the command on the server.
function secretIn(deps: Deps, userId: number, sealed: string): string | undefined {
  try {
    const [owner, secret] = unseal(deps.secretKey, PURPOSE, sealed).split(' ');
    return owner === String(userId) ? secret : undefined;
  } catch (error) {
    deps.log.error({ err: error }, 'an authenticator secret cannot be read with this SECRET_KEY');
    return undefined;
  }
}

function authenticator(secret: string, named: { issuer?: string; label?: string } = {}): TOTP {
  return new TOTP({
    ...named,
    algorithm: 'SHA1',
    digits: LIMITS.digits,
    period: LIMITS.stepSeconds,
    secret: Secret.fromBase32(secret),
  });
}

/** A QR code for an SVG: a path of unit squares, and the side length in units. */
export function qrCodeOf(text: string): { side: number; path: string } {
  const { modules } = create(text, { errorCorrectionLevel: 'M' });
  const { size: side } = modules;
  const rows = Array.from({ length: side }, (_, y) =>
    Array.from({ length: side }, (_, x) => (modules.get(y, x) ? `M${x} ${y}h1v1h-1z` : '')).join(''),
  );
  return { side, path: rows.join('') };
}
