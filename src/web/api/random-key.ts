import { readStored, writeStored } from './browser-storage.ts';

/** Returns an unguessable key: 128 random bits in hex. */
export function randomKey(): string {
  // Not randomUUID, which browsers offer only over https; a school may run this on its own network without https.
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) =>
    byte.toString(16).padStart(2, '0'),
  ).join('');
}

const DEVICE = 'deviceKey';

/**
 * Identifies this browser to the server at sign-in, so other people's wrong passwords never lock it out. It grants no
 * access and survives a logout.
 */
export function deviceKey(): string {
  const kept = readStored(DEVICE);
  if (kept !== null && /^[0-9a-f]{32}$/.test(kept)) return kept;
  const made = randomKey();
  writeStored(DEVICE, made);
  return made;
}
