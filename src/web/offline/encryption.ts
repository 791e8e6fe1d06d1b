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

const STORAGE_NAME = 'keptKey';
const CHANNEL = 'kept-key';
const LOCK = 'kept-key';
const REPLY_TIMEOUT_MS = 1000;

/**
 * Returns the key of a shared computer. It is in a tab's session storage, so it survives a reload and ends with the
 * last tab; what it encrypted can't be read after that. A second tab asks the first one for it. Undefined if another
 * tab has it but does not reply, because a new key would make the other tab's data unreadable.
 */
export async function sessionKey(account: number): Promise<CryptoKey | undefined> {
  const hex = storedKey(account) ?? (await otherTabsKey(account));
  if (hex === undefined) return undefined;
  sessionStorage.setItem(STORAGE_NAME, `${account} ${hex}`);
  holdLock();
  return keyFrom(hex);
}

/** Returns the account whose shared-computer key this tab has. */
export function sessionKeyOwner(): number | undefined {
  const [whose] = sessionStorage.getItem(STORAGE_NAME)?.split(' ') ?? [];
  return whose === undefined ? undefined : Number(whose);
}

export function forgetSessionKey(): void {
  sessionStorage.removeItem(STORAGE_NAME);
}

/** Runs `purge` if no tab has a shared-computer key, so nothing encrypted with one can be read again. */
export async function whenKeyIsGone(purge: () => Promise<void>): Promise<void> {
  if (sessionStorage.getItem(STORAGE_NAME) !== null) return;
  await navigator.locks.request(LOCK, { mode: 'exclusive', ifAvailable: true }, async (lock) => {
    if (lock !== null) await purge();
  });
}

function storedKey(account: number): string | undefined {
  const [whose, hex] = sessionStorage.getItem(STORAGE_NAME)?.split(' ') ?? [];
  return whose === String(account) ? hex : undefined;
}

async function otherTabsKey(account: number): Promise<string | undefined> {
  if (!(await isHeld())) return newKey();
  // If this tab holds the lock for an earlier account, that says nothing about other tabs.
  return (await requestFromOtherTabs(account)) ?? (isHolding ? newKey() : undefined);
}

async function newKey(): Promise<string> {
  return keyBytes(await makeKey(true));
}

async function isHeld(): Promise<boolean> {
  const { held = [] } = await navigator.locks.query();
  return held.some(({ name }) => name === LOCK);
}

let isHolding = false;

// Holds the lock while this tab is open, so no other tab treats its data as unreadable, and answers tabs that ask for
// the key.
function holdLock(): void {
  if (isHolding) return;
  isHolding = true;
  void navigator.locks.request(LOCK, { mode: 'shared' }, () => new Promise(() => {}));
  const channel = new BroadcastChannel(CHANNEL);
  channel.onmessage = ({ data }: MessageEvent<{ asks?: number }>) => {
    if (data.asks === undefined) return;
    const hex = storedKey(data.asks);
    if (hex !== undefined) channel.postMessage({ account: data.asks, hex });
  };
}

function requestFromOtherTabs(account: number): Promise<string | undefined> {
  const channel = new BroadcastChannel(CHANNEL);
  return new Promise<string | undefined>((resolve) => {
    setTimeout(() => resolve(undefined), REPLY_TIMEOUT_MS);
    channel.onmessage = ({ data }: MessageEvent<{ account?: number; hex?: string }>) => {
      if (data.account === account) resolve(data.hex);
    };
    channel.postMessage({ asks: account });
  }).finally(() => channel.close());
}
