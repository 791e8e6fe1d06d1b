import fc from 'fast-check';
import type * as z from 'zod';

/** How much of a request is valid: all of it, all but a field or two, or almost nothing. */
export const MODES = ['valid', 'nearly', 'hostile'] as const;
export type Mode = (typeof MODES)[number];

/** Existing ids, addresses and secrets such as link tokens. */
export type Live = { ids: number[]; emails: string[]; tokens: string[]; password: string };

const HOSTILE_SHARE = { valid: 0, nearly: 1, hostile: 12 } as const;

const DAYS = ['1900-01-01', '2025-07-01', '2026-02-28', '2026-03-01', '2026-03-04', '2999-12-31'];

const LONG = 'x'.repeat(10_000);

/** Texts that have broken programs before. */
export const HOSTILE_TEXTS = [
  '',
  ' ',
  '\0',
  'a\0b',
  '\uD800',
  'b\uDC00',
  '\uFFFF',
  '\u202Egnp.exe',
  'e\u0301'.repeat(300),
  '👩‍👩‍👧‍👦'.repeat(60),
  LONG,
  '%',
  '_%_',
  '\\',
  "' or 1=1 --",
  '"; drop table users; --',
  '{{7*7}}',
  '<script>alert(1)</script>',
  '=1+1',
  '../../etc/passwd',
  '__proto__',
  'constructor',
  'null',
  'NaN',
  '-1',
  '1e309',
  '9007199254740993',
  '99999999999999999999',
  '0x10',
  '0001-01-01',
  '1899-12-31',
  '2026-02-30',
  '3000-01-01',
  '9999-12-31',
  '2026-03-04T00:00:00.000Z',
];

const hostileText = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(...HOSTILE_TEXTS) },
  { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 40 }) },
);

const hostileValue = fc.oneof(
  { weight: 5, arbitrary: hostileText },
  {
    weight: 4,
    arbitrary: fc.constantFrom<unknown>(
      null,
      true,
      false,
      0,
      -1,
      0.1,
      1e-7,
      24.0001,
      2 ** 31,
      2 ** 53,
      -(2 ** 63),
      1e308,
      [],
      [null],
      [[[]]],
      {},
      { toString: 1 },
      { length: 3 },
      [1, 1, 1],
    ),
  },
  { weight: 1, arbitrary: fc.double({ noNaN: true, noDefaultInfinity: true }) },
  { weight: 1, arbitrary: fc.array(fc.oneof(fc.integer(), hostileText), { maxLength: 5 }) },
);

const ABSENT = Symbol('a field that is not sent');

/** Random fields of an object in this mode; mostly none without a schema. */
export function fieldsFor(
  schema: z.core.$ZodType | undefined,
  mode: Mode,
  live: Live,
): fc.Arbitrary<Record<string, unknown>> {
  const shape = schema === undefined ? {} : shapeOf(schema);
  const fields = Object.entries(shape).map(
    ([name, field]) => [name, fieldFor(field, name, mode, live)] as const,
  );
  const strangers = fc.dictionary(
    fc.constantFrom('role', 'isActive', 'id', 'userId', 'version', 'x', 'a b', 'toString'),
    hostileValue,
    { maxKeys: mode === 'valid' ? 0 : 2 },
  );
  return fc
    .tuple(fc.record(Object.fromEntries(fields)), strangers)
    .map(([known, unknown]) =>
      Object.fromEntries(
        Object.entries({ ...unknown, ...known }).filter(([, value]) => (value as unknown) !== ABSENT),
      ),
    );
}

/** A random value in this mode. */
function fieldFor(schema: z.core.$ZodType, name: string, mode: Mode, live: Live): fc.Arbitrary<unknown> {
  return fc.oneof(
    { weight: 12, arbitrary: wanted(schema, name, mode, live) },
    { weight: HOSTILE_SHARE[mode], arbitrary: hostileValue },
  );
}

const textOf = (name: string, live: Live) => textFor(name, live).map(String);

// A value that a schema accepts, as far as its structure and the field's name reveal.
function wanted(schema: z.core.$ZodType, name: string, mode: Mode, live: Live): fc.Arbitrary<unknown> {
  const { def } = (schema as z.core.$ZodTypes)._zod;
  const inner = (of: z.core.$ZodType) => fieldFor(of, name, mode, live);
  if (def.type === 'optional') return fc.oneof(fc.constant(ABSENT), inner(def.innerType));
  if (def.type === 'nullable') return fc.oneof(fc.constant(null), inner(def.innerType));
  if (def.type === 'pipe') return wanted(def.in, name, mode, live);
  if (def.type === 'union') return wanted(def.options[0] as z.core.$ZodType, name, mode, live);
  if (def.type === 'array') return fc.array(inner(def.element), { minLength: 1, maxLength: 3 });
  if (def.type === 'object') return fieldsFor(schema, mode, live);
  if (def.type === 'record') return fc.dictionary(textOf(name, live), inner(def.valueType), { maxKeys: 3 });
  if (def.type === 'enum') return fc.constantFrom(...Object.values(def.entries));
  if (def.type === 'literal') return fc.constantFrom(...def.values);
  if (def.type === 'boolean') return fc.boolean();
  if (def.type === 'unknown') return hostileValue;
  if (def.type === 'number') return numberFor(name, live);
  if (def.type === 'string') return textFor(name, live);
  throw new Error(`no values are known for a schema of the type ${def.type} (${name})`);
}

function shapeOf(schema: z.core.$ZodType): Readonly<Record<string, z.core.$ZodType>> {
  const { def } = (schema as z.core.$ZodTypes)._zod;
  if (def.type === 'object') return def.shape;
  if (def.type === 'optional' || def.type === 'nullable') return shapeOf(def.innerType);
  // Of a union, the first member.
  if (def.type === 'union') return shapeOf(def.options[0] as z.core.$ZodType);
  throw new Error(`the fields of a schema of the type ${def.type} are not known`);
}

function numberFor(name: string, live: Live): fc.Arbitrary<unknown> {
  if (/hours/i.test(name)) return fc.integer({ min: 1, max: 96 }).map((quarters) => quarters / 4);
  if (/rate/i.test(name)) return fc.integer({ min: 1, max: 100_000 }).map((cents) => cents / 100);
  if (/year/i.test(name)) return fc.integer({ min: 2000, max: 2099 });
  if (/id|notify/i.test(name)) return anyOf(() => live.ids);
  return fc.integer({ min: 0, max: 500 });
}

const ID_TEXT = /^(id|.*Id)$/;

function textFor(name: string, live: Live): fc.Arbitrary<unknown> {
  if (ID_TEXT.test(name)) return anyOf(() => live.ids).map(String);
  if (/^(startDate|endDate|entryDate|activeFrom|activeUntil)$/.test(name)) return fc.constantFrom(...DAYS);
  if (name === 'limit') return fc.constantFrom('1', '20', '100', '500');
  if (name === 'weekday') return fc.constantFrom('0', '3', '6');
  if (/email|^to$/i.test(name))
    return fc.oneof(
      anyOf(() => live.emails),
      newAddress,
    );
  if (/password/i.test(name)) return fc.constantFrom(live.password, `${live.password}-2`, 'wrong');
  if (/token|code|cursor|key|signature/i.test(name)) return anyOf(() => live.tokens);
  if (name === 'expires') return fc.constantFrom('1900000000000', '1');
  if (name === 'size') return fc.constantFrom('thumbnail', 'view', 'full');
  if (name === 'color') return fc.constantFrom('#3498db', 'tomato', '');
  if (name === 'csv') return fc.constantFrom(LIST, `${LIST}Ben,Bo,ben@maplegrove.example,user,\n`);
  return fc.oneof(
    fc.constantFrom('Field Day', 'Élodie Nuñez', '読み聞かせ', 'a', 'Read aloud; bring books'),
    fc.string({ unit: 'grapheme', minLength: 1, maxLength: 20 }),
  );
}

const LIST = 'firstName,lastName,email,role,schools\nAnn,Lee,ann@maplegrove.example,user,\n';

const newAddress = fc.integer({ min: 0, max: 1_000_000 }).map((n) => `new${n}@maplegrove.example`);

// Read when the value is generated, because rows change while requests run.
function anyOf<Value>(values: () => readonly Value[]): fc.Arbitrary<Value | string> {
  return fc.nat().map((index) => values()[index % Math.max(1, values().length)] ?? '0');
}
