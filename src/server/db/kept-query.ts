import { type CompiledQuery, type RawBuilder, sql } from 'kysely';
import { readingLanguage } from '../listeners.ts';
import type { Db } from './connect.ts';
import { isPostgres } from './engine.ts';

/** One query is kept for so many numbers of values; there are few, but a person may belong to any number of schools. */
const SHAPES = 200;

/** What a kept query is asked with, by name. A list stands for each of its values; what is undefined is left out. */
export type Values = Readonly<Record<string, unknown>>;

/** Where the values stand in the query that is built; undefined for those left out. */
export type Places<Given extends Values> = {
  readonly [Name in keyof Given]: Given[Name] extends Values
    ? Places<Given[Name]>
    : undefined extends Given[Name]
      ? RawBuilder<unknown> | undefined
      : RawBuilder<unknown>;
};

type Built<Row> = Pick<RawBuilder<Row>, 'compile' | 'execute'>;
type Kept = Readonly<{ query: CompiledQuery<unknown>; places: readonly Place[] }>;

/** Stands in a query for a value: `path` leads to it, through groups and lists. */
class Place {
  readonly path: readonly (string | number)[];

  constructor(path: readonly (string | number)[]) {
    this.path = path;
  }
}

/**
 * A query that is built and compiled once, for each engine, language, and number of values in a list, instead of at every
 * use, which takes as long as running it. For the most frequent ones. `build` gets a place for each value instead of the
 * value itself; one that puts any other value into the query throws at its first use.
 */
export function keptQuery<Given extends Values, Row>(
  build: (places: Places<Given>) => Built<Row>,
): (db: Db, values: Given) => Promise<readonly Row[]> {
  const known = new Map<string, Kept>();
  return async (db, values) => {
    // A plugin looks at queries with their values, as a test does that asks how they are planned.
    if (db.getExecutor().plugins.length > 0)
      return (await build(placesFor(values, [], (value) => sql`${value}`) as Places<Given>).execute(db)).rows;
    const shape = `${isPostgres(db)} ${readingLanguage()} ${shapeOf(values)}`;
    let kept = known.get(shape);
    if (kept === undefined) {
      if (known.size >= SHAPES) known.clear();
      kept = keep(build(placesFor(values, [], atPlace) as Places<Given>).compile(db));
      known.set(shape, kept);
    }
    const parameters = kept.places.map(({ path }) => valueAt(path, values));
    return (await db.executeQuery({ ...kept.query, parameters } as CompiledQuery<Row>)).rows;
  };
}

function keep(query: CompiledQuery<unknown>): Kept {
  const places = query.parameters.map((one) => {
    if (one instanceof Place) return one;
    throw new Error(`a kept query has a value of its own: ${query.sql}`);
  });
  return { query, places };
}

function shapeOf(values: Values): string {
  let shape = '';
  for (const name in values) {
    const value = values[name];
    if (value === undefined) continue;
    shape += ` ${name}`;
    if (Array.isArray(value)) shape += `*${value.length}`;
    else if (isGroup(value)) shape += ` (${shapeOf(value)})`;
  }
  return shape;
}

type Standing = (value: unknown, path: Place['path']) => RawBuilder<unknown>;

const atPlace: Standing = (_, path) => sql`${new Place(path)}`;

function placesFor(value: unknown, path: Place['path'], stand: Standing): unknown {
  if (value === undefined) return undefined;
  // PostgreSQL takes no empty list: nothing is in this one.
  if (Array.isArray(value) && value.length === 0) return sql`null`;
  if (Array.isArray(value)) return sql.join(value.map((one, at) => stand(one, [...path, at])));
  if (!isGroup(value)) return stand(value, path);
  return Object.fromEntries(
    Object.entries(value).map(([name, one]) => [name, placesFor(one, [...path, name], stand)]),
  );
}

function isGroup(value: unknown): value is Values {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function valueAt(path: Place['path'], values: unknown): unknown {
  let value = values;
  for (const step of path) value = (value as Record<string | number, unknown>)[step];
  return value;
}
