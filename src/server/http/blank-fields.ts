import type * as z from 'zod/mini';

type Schema = z.core.$ZodType;

/**
 * A query or a form without its blank fields: `userId=` in a query does not filter, and a form sends every field
 * (decisions: blank is null).
 */
export function withoutBlanks(given: unknown): unknown {
  if (typeof given !== 'object' || given === null) return given;
  return Object.fromEntries(
    Object.entries(given).filter(([, value]) => typeof value !== 'string' || value.trim() !== ''),
  );
}

/**
 * A JSON body in which a blank text becomes null wherever its schema accepts null or accepts no text at all, such as
 * a form's empty day or number. A required text stays blank, so that its own error message is shown.
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
  return takes(schema, 'nullable') || !takes(schema, 'string') ? null : value;
}

// Whether a schema accepts a type of value, looking through wrapped schemas.
function takes(schema: Schema, type: 'nullable' | 'string'): boolean {
  const { def } = (schema as z.core.$ZodTypes)._zod;
  if (def.type === type) return true;
  if (def.type === 'optional' || def.type === 'nullable') return takes(def.innerType, type);
  return def.type === 'pipe' && takes(def.in, type);
}
