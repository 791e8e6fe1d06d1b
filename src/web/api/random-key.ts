/** An unguessable key: 128 random bits in hex. */
export function randomKey(): string {
  // Not randomUUID: browsers offer it only over https, and a school may run this on its own network without https.
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) =>
    byte.toString(16).padStart(2, '0'),
  ).join('');
}
