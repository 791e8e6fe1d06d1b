import { readStored, writeStored } from './browser-storage.ts';
import { randomKey } from './random-key.ts';

const DEVICE = 'deviceKey';

/**
 * Lets the server recognise this browser at sign-in, so that other people's wrong passwords never lock it out. It
 * grants no access and survives a logout.
 */
export function deviceKey(): string {
  const kept = readStored(DEVICE);
  if (kept !== null && /^[0-9a-f]{32}$/.test(kept)) return kept;
  const made = randomKey();
  writeStored(DEVICE, made);
  return made;
}
