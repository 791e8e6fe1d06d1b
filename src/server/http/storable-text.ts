// Characters that databases and files cannot store unchanged: NUL and lone surrogates.
const NUL = /\0/g;

/**
 * A request's content with every text made storable, searchable and hashable: without NUL, and with U+FFFD in place
 * of half a surrogate pair (a phone cuts an emoji in two where a field ends). Path, query and body pass through here
 * before any schema reads them.
 */
export function storable(given: unknown): unknown {
  if (typeof given === 'string') return storableText(given);
  if (Array.isArray(given)) return given.map(storable);
  if (typeof given !== 'object' || given === null) return given;
  return Object.fromEntries(Object.entries(given).map(([name, value]) => [name, storable(value)]));
}

function storableText(text: string): string {
  const whole = text.isWellFormed() ? text : text.toWellFormed();
  return whole.includes('\0') ? whole.replace(NUL, '') : whole;
}
