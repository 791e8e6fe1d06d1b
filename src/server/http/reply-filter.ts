import { isDeepStrictEqual } from 'node:util';
import * as z from 'zod';

/** Strips a handler's reply down to the fields of the contract. */
export type ReplyFilter = (answer: unknown) => unknown;

/**
 * Creates a filter from a reply's schema: unknown fields are never sent, at any depth. Parsing each reply
 * with the schema took 1.3 times the CPU of lists and profiles, and would turn a row from before a stricter
 * rule into a 500. So only tests do it (`isChecked`): there, a reply that the contract does not allow, or
 * that the filter strips differently from the schema, is a bug.
 */
export function replyFilter(schema: z.core.$ZodType, isChecked: boolean): ReplyFilter {
  const strip = stripperOf(schema) ?? ((answer) => answer);
  if (!isChecked) return strip;
  return (answer) => {
    const parsed = z.parse(schema, answer);
    const stripped = strip(answer);
    if (!isDeepStrictEqual(onWire(stripped), onWire(parsed))) {
      throw new Error(`left as ${JSON.stringify(stripped)}, the contract says ${JSON.stringify(parsed)}`);
    }
    return stripped;
  };
}

function onWire(answer: unknown): unknown {
  return JSON.parse(JSON.stringify(answer));
}

// Undefined for a schema without fields, whose value is sent unchanged.
function stripperOf(schema: z.core.$ZodType): ReplyFilter | undefined {
  const { def } = (schema as z.core.$ZodTypes)._zod;
  if (def.type === 'object') return def.catchall === undefined ? objectStripper(def.shape) : parser(schema);
  if (def.type === 'array') return eachOf(stripperOf(def.element));
  if (def.type === 'nullable' || def.type === 'optional') return unlessNothing(stripperOf(def.innerType));
  if (def.type === 'pipe') return stripperOf(def.in) === undefined ? undefined : parser(schema);
  return LEAVES.has(def.type) ? undefined : parser(schema);
}

const LEAVES: ReadonlySet<string> = new Set([
  'string',
  'number',
  'int',
  'boolean',
  'null',
  'enum',
  'literal',
]);

function objectStripper(shape: Readonly<Record<string, z.core.$ZodType>>): ReplyFilter {
  const fields = Object.entries(shape).map(([name, schema]) => [name, stripperOf(schema)] as const);
  return (answer) => {
    const given = answer as Readonly<Record<string, unknown>>;
    const kept: Record<string, unknown> = {};
    for (const [name, strip] of fields) {
      const value = given[name];
      kept[name] = strip === undefined ? value : strip(value);
    }
    return kept;
  };
}

function eachOf(strip: ReplyFilter | undefined): ReplyFilter | undefined {
  return strip === undefined ? undefined : (answer) => (answer as readonly unknown[]).map(strip);
}

function unlessNothing(strip: ReplyFilter | undefined): ReplyFilter | undefined {
  return strip === undefined
    ? undefined
    : (answer) => (answer === null || answer === undefined ? answer : strip(answer));
}

// The schema itself chooses the variant of a union.
function parser(schema: z.core.$ZodType): ReplyFilter {
  return (answer) => z.parse(schema, answer);
}
