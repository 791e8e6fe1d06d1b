/** A key that nobody guesses: 128 random bits in hex. */
export function randomKey(): string {
  // Not randomUUID: browsers offer it over https only, and a school may run this on its own network without.
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) =>
    byte.toString(16).padStart(2, '0'),
  ).join('');
}
