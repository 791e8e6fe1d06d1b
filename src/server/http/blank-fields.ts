import type * as z from 'zod/mini';

type Schema = z.core.$ZodType;

/**
 * Removes blank fields from a query or form, because `userId=` in a query does not filter, and a form sends every field
 * (decisions: blank is null).
 */
export function withoutBlanks(given: unknown): unknown {
  if (typeof given !== 'object' || given === null) return given;
  return Object.fromEntries(
    Object.entries(given).filter(([, value]) => typeof value !== 'string' || value.trim() !== ''),
  );
}

/**
 * Replaces blank text in a JSON body by null if the schema accepts null or no text at all, such as a form's empty day or
 * number. A required text stays blank, so that its own error message appears.
 */
export function blanksAsNull(schema: Schema, given: unknown): unknown {
  const { def } = (schema as z.core.$ZodTypes)._zod;
  if (def.type === 'optional' || def.type === 'nullable') return blanksAsNull(def.innerType, given);
  if (def.type === 'array' && Array.isArray(given)) return given.map((one) => fieldOf(def.element, one));
  if (def.type !== 'object' || typeof given !== 'object' || given === null) return given;
  return Object.fromEntries(
    Object.entries(given).map(([name, value]) => {
      const field = Object.hasOwn(def.shape, name) ? def.shape[name] : undefined;
      return [name, field === undefined ? value : fieldOf(field, value)];
    }),
  );
}

function fieldOf(schema: Schema, value: unknown): unknown {
  if (value !== '') return blanksAsNull(schema, value);
  return acceptsType(schema, 'nullable') || !acceptsType(schema, 'string') ? null : value;
}

// Whether a schema accepts a type of value, looking through wrapped schemas.
function acceptsType(schema: Schema, type: 'nullable' | 'string'): boolean {
  const { def } = (schema as z.core.$ZodTypes)._zod;
  if (def.type === type) return true;
  if (def.type === 'optional' || def.type === 'nullable') return acceptsType(def.innerType, type);
  return def.type === 'pipe' && acceptsType(def.in, type);
}

// Characters that databases and files cannot store unchanged: NUL and lone surrogates.
const NUL = /\0/g;

/**
 * Makes every text of a request storable, searchable and hashable: removes NUL and replaces lone surrogates
 * by U+FFFD (a phone cuts an emoji in two where a field ends). Path, query and body pass through here before
 * any schema reads them.
 */
export function makeStorable(given: unknown): unknown {
  if (typeof given === 'string') return storableText(given);
  if (Array.isArray(given)) return given.map(makeStorable);
  if (typeof given !== 'object' || given === null) return given;
  return Object.fromEntries(Object.entries(given).map(([name, value]) => [name, makeStorable(value)]));
}

function storableText(text: string): string {
  const whole = text.isWellFormed() ? text : text.toWellFormed();
  return whole.includes('\0') ? whole.replace(NUL, '') : whole;
}
