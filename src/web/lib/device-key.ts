import { randomKey } from './random-key.ts';
import { readStored, writeStored } from './storage.ts';

const DEVICE = 'deviceKey';

/**
 * By what the server knows this browser again when it signs in, so that others' wrong passwords never lock it out. It
 * opens nothing and outlives the logout.
 */
export function deviceKey(): string {
  const kept = readStored(DEVICE);
  if (kept !== null && /^[0-9a-f]{32}$/.test(kept)) return kept;
  const made = randomKey();
  writeStored(DEVICE, made);
  return made;
}
