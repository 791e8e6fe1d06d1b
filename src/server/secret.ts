import { createCipheriv, createDecipheriv, createHash, createHmac, hkdfSync, randomBytes } from 'node:crypto';
import {
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';

const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/**
 * The key that signs and seals: SECRET_KEY, else one that is made at the first start and kept in
 * `<dataDir>/secret.key`, readable by the owner alone.
 */
export function readSecretKey(settings: { secretKey: string | undefined; dataDir: string }): Buffer {
  if (settings.secretKey !== undefined) return Buffer.from(settings.secretKey, 'utf8');
  const path = join(settings.dataDir, 'secret.key');
  if (!existsSync(path)) writeDurably(path, randomBytes(32).toString('base64url'));
  return Buffer.from(readFileSync(path, 'utf8').trim(), 'utf8');
}

/** A token that nobody guesses: 256 random bits. Only its hash is ever stored. */
export function newToken(): string {
  return randomBytes(32).toString('base64url');
}

/** SHA-256 in hex: how a token is stored and looked up. */
export function hashToken(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}

/** A keyed hash of a text, for one purpose: the same text signed for another purpose gives another result. */
export function sign(secretKey: Buffer, purpose: string, text: string): string {
  return createHmac('sha256', keyFor(secretKey, purpose)).update(text).digest('base64url');
}

/** Encrypts a text for one purpose (AES-256-GCM). */
export function seal(secretKey: Buffer, purpose: string, text: string): string {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv('aes-256-gcm', keyFor(secretKey, purpose), nonce);
  const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
  return Buffer.concat([nonce, cipher.getAuthTag(), sealed]).toString('base64url');
}

/** Decrypts what `seal` made; throws when it was altered or sealed with another key or for another purpose. */
export function unseal(secretKey: Buffer, purpose: string, sealed: string): string {
  const bytes = Buffer.from(sealed, 'base64url');
  const decipher = createDecipheriv(
    'aes-256-gcm',
    keyFor(secretKey, purpose),
    bytes.subarray(0, NONCE_BYTES),
  );
  decipher.setAuthTag(bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
  return decipher.update(bytes.subarray(NONCE_BYTES + TAG_BYTES), undefined, 'utf8') + decipher.final('utf8');
}

function keyFor(secretKey: Buffer, purpose: string): Buffer {
  return Buffer.from(hkdfSync('sha256', secretKey, '', purpose, 32));
}

function writeDurably(path: string, text: string): void {
  mkdirSync(join(path, '..'), { recursive: true });
  const temporary = `${path}.new`;
  const file = openSync(temporary, 'w', 0o600);
  writeSync(file, text);
  fsyncSync(file);
  closeSync(file);
  renameSync(temporary, path);
}
