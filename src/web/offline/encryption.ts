/** Encrypted data. */
export type Sealed = Readonly<{ iv: Uint8Array<ArrayBuffer>; bytes: ArrayBuffer }>;

const AES = { name: 'AES-GCM', length: 256 } as const;
const IV_BYTES = 12;

/** Creates a key. A key that is not extractable can be used on this device but never be read. */
export function makeKey(isExtractable: boolean): Promise<CryptoKey> {
  return crypto.subtle.generateKey(AES, isExtractable, ['encrypt', 'decrypt']);
}

export async function keyBytes(key: CryptoKey): Promise<string> {
  return hexOf(new Uint8Array(await crypto.subtle.exportKey('raw', key)));
}

export function keyFrom(hex: string): Promise<CryptoKey> {
  return crypto.subtle.importKey('raw', bytesOf(hex), AES, true, ['encrypt', 'decrypt']);
}

/**
 * Encrypts bytes. `about` names the account and purpose as additional authenticated data, so one ciphertext can't be
 * swapped for another.
 */
export async function seal(key: CryptoKey, bytes: BufferSource, about: string): Promise<Sealed> {
  const iv = crypto.getRandomValues(new Uint8Array(IV_BYTES));
  return { iv, bytes: await crypto.subtle.encrypt(sealing(iv, about), key, bytes) };
}

/** Decrypts data. Rejects if the key is wrong or the data was changed. */
export function unseal(key: CryptoKey, { iv, bytes }: Sealed, about: string): Promise<ArrayBuffer> {
  return crypto.subtle.decrypt(sealing(iv, about), key, bytes);
}

export function sealJson(key: CryptoKey, content: unknown, about: string): Promise<Sealed> {
  return seal(key, new TextEncoder().encode(JSON.stringify(content)), about);
}

export async function unsealJson(key: CryptoKey, sealed: Sealed, about: string): Promise<unknown> {
  return JSON.parse(new TextDecoder().decode(await unseal(key, sealed, about)));
}

/** Returns a hash of a session's token, which distinguishes sessions without storing the token. */
export async function hashOf(token: string): Promise<string> {
  const hash = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(token));
  return hexOf(new Uint8Array(hash));
}

function sealing(iv: Uint8Array<ArrayBuffer>, about: string): AesGcmParams {
  return { name: AES.name, iv, additionalData: new TextEncoder().encode(about) };
}

function hexOf(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

function bytesOf(hex: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(hex.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
}
