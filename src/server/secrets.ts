import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  createSecretKey,
  hash,
  hkdfSync,
  type KeyObject,
  randomBytes,
  randomInt,
  timingSafeEqual,
} from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { CODE_ALPHABET, CODE_LENGTH, checkCharacter } from '#shared/short-code.ts';
import { ConfigError } from './config.ts';
import { writeDurably } from './storage/durable-file.ts';

const KEY_CHARACTERS = 32;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/**
 * The key for signing and encryption: SECRET_KEY, else the one in `<dataDir>/secret.key`. Throws `ConfigError` if there is
 * none, because only the first start of a district creates one.
 */
export function readSecretKey(settings: KeySettings): Buffer {
  if (settings.secretKey !== undefined) return Buffer.from(settings.secretKey, 'utf8');
  const path = secretKeyFile(settings.dataDir);
  if (!existsSync(path)) throw new ConfigError(`DATA_DIR: secret.key is missing. ${SECRET_KEY_HELP}`);
  const key = readFileSync(path, 'utf8').trim();
  // Anyone could forge signatures made with an empty key.
  if (key.length < KEY_CHARACTERS)
    throw new ConfigError(`DATA_DIR: secret.key is damaged. ${SECRET_KEY_HELP}`);
  return Buffer.from(key, 'utf8');
}

type KeySettings = Readonly<{ secretKey: string | undefined; dataDir: string }>;

/** The advice for a missing or wrong key. */
export const SECRET_KEY_HELP =
  'Restore it from a backup, or run npm run rotate-key, which lists what is lost without the old key and asks first.';

/** Creates `<dataDir>/secret.key`, readable by the owner only, unless it or SECRET_KEY exists. */
export function makeSecretKey(settings: KeySettings): void {
  if (settings.secretKey !== undefined || existsSync(secretKeyFile(settings.dataDir))) return;
  replaceSecretKey(settings.dataDir);
}

/** Replaces `<dataDir>/secret.key` with a new key and returns its fingerprint. */
export function replaceSecretKey(dataDir: string): string {
  const key = randomBytes(32).toString('base64url');
  writeDurably(secretKeyFile(dataDir), key);
  return fingerprintOf(Buffer.from(key, 'utf8'));
}

/** Where a generated key is stored. */
export function secretKeyFile(dataDir: string): string {
  return join(dataDir, 'secret.key');
}

/** A fingerprint that distinguishes keys without revealing them. */
export function fingerprintOf(secretKey: Buffer): string {
  return hash('sha256', Buffer.concat([Buffer.from('backup:'), secretKey]), 'hex');
}

/** The fingerprint of the configured key; undefined when none has been generated yet. */
export function existingFingerprint(settings: KeySettings): string | undefined {
  const isThere = settings.secretKey !== undefined || existsSync(secretKeyFile(settings.dataDir));
  return isThere ? fingerprintOf(readSecretKey(settings)) : undefined;
}

/** An unguessable token: 256 random bits. Rows identify it only by its hash (`hashToken`). */
export function newToken(): string {
  return randomBytes(32).toString('base64url');
}

/** SHA-256 in hex, the form in which a token is stored and looked up. */
export function hashToken(token: string): string {
  return hash('sha256', token, 'hex');
}

/** An HMAC of a text for one purpose. The same text gives another result for another purpose. */
export function sign(secretKey: Buffer, purpose: string, text: string): string {
  return createHmac('sha256', keyFor(secretKey, purpose)).update(text).digest('base64url');
}

/** Compares two texts, such as signatures, in a time that reveals nothing about them. */
export function isSameSecret(given: string, expected: string): boolean {
  return timingSafeEqual(hash('sha256', given, 'buffer'), hash('sha256', expected, 'buffer'));
}

/** Encrypts a text for one purpose (AES-256-GCM). */
export function seal(secretKey: Buffer, purpose: string, text: string): string {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv('aes-256-gcm', keyFor(secretKey, purpose), nonce);
  const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
  return Buffer.concat([nonce, cipher.getAuthTag(), sealed]).toString('base64url');
}

/** Decrypts the result of `seal`. Throws if it was altered, or encrypted with another key or for another purpose. */
export function unseal(secretKey: Buffer, purpose: string, sealed: string): string {
  const bytes = Buffer.from(sealed, 'base64url');
  const decipher = createDecipheriv(
    'aes-256-gcm',
    keyFor(secretKey, purpose),
    bytes.subarray(0, NONCE_BYTES),
    // Without it a truncated tag of a few bytes, which is quickly guessed, would be accepted.
    { authTagLength: TAG_BYTES },
  );
  decipher.setAuthTag(bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
  return decipher.update(bytes.subarray(NONCE_BYTES + TAG_BYTES), undefined, 'utf8') + decipher.final('utf8');
}

// Cached because deriving a key, like creating a key object, takes longer than signing. Purposes are
// constants in the code, so the cache stays small.
const derived = new WeakMap<Buffer, Map<string, KeyObject>>();

function keyFor(secretKey: Buffer, purpose: string): KeyObject {
  const keys = derived.get(secretKey) ?? new Map<string, KeyObject>();
  derived.set(secretKey, keys);
  const key =
    keys.get(purpose) ?? createSecretKey(Buffer.from(hkdfSync('sha256', secretKey, '', purpose, 32)));
  keys.set(purpose, key);
  return key;
}

/** A new short code: 44 random bits and a check character. */
export function newCode(): string {
  const start = newCodeCharacters(CODE_LENGTH - 1);
  return start + checkCharacter(start);
}

/** A new code of this length without a check character. */
export function newCodeCharacters(length: number): string {
  return Array.from({ length }, () => CODE_ALPHABET.charAt(randomInt(CODE_ALPHABET.length))).join('');
}
