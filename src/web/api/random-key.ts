import { readStored, writeStored } from './browser-storage.ts';

/** Returns an unguessable key: 128 random bits in hex. */
export function randomKey(): string {
  // Not randomUUID, which browsers offer only over https; a school may run this on its own network without https.
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) =>
    byte.toString(16).padStart(2, '0'),
  ).join('');
}

const STORAGE_KEY = 'deviceKey';

/**
 * Identifies this browser to the server at sign-in, so other people's wrong passwords never lock it out. It grants no
 * access and survives a logout.
 */
export function deviceKey(): string {
  const stored = readStored(STORAGE_KEY);
  if (stored !== null && /^[0-9a-f]{32}$/.test(stored)) return stored;
  const created = randomKey();
  writeStored(STORAGE_KEY, created);
  return created;
}
