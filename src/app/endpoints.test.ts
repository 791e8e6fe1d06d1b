import { expect, test } from 'vitest';
import type { Endpoint } from '#shared/endpoint.ts';
import { allEndpoints, callOf } from '#test/all-endpoints.ts';

const endpoints = [...(await allEndpoints()).values()];
const callsThat = (is: (endpoint: Endpoint) => boolean) => endpoints.filter(is).map(callOf).sort();

/** Calls during which this server asks Google. */
const ASKING_GOOGLE = [
  'POST /admin/google-drive/disconnect',
  'POST /admin/google-drive/sync-activities',
  'PUT /admin/google-drive/settings',
];

/** Calls that work with the connections of jobs, each job once at a time. */
const RUNNING_JOBS = ['POST /admin/system/jobs/:name/run'];

/** Calls that wait for what a mail server says. */
const ASKING_A_MAIL_SERVER = ['POST /admin/settings/test-mail'];

/** Calls that compare all people with each other, in a few seconds of which they leave most to others. */
const COMPARING_PEOPLE = ['GET /admin/duplicates'];

test('every endpoint declares whether it returns JSON, a file, or nothing', () => {
  expect(endpoints.length).toBeGreaterThan(100);
  const ways = ({ parts }: Endpoint) => [
    parts.reply !== undefined,
    parts.file === true,
    parts.status === 204,
  ];
  expect(callsThat((endpoint) => ways(endpoint).filter(Boolean).length !== 1)).toEqual([]);
});

test('only endpoints that hash passwords, call other servers, run jobs or find duplicates may be slow', () => {
  const hashing = callsThat(({ parts }) => fieldsOf(parts.body).some((field) => /password/i.test(field)));
  expect(hashing.length).toBeGreaterThan(5);
  expect(callsThat(({ parts }) => parts.isLong === true)).toEqual(
    [...hashing, ...ASKING_GOOGLE, ...RUNNING_JOBS, ...ASKING_A_MAIL_SERVER, ...COMPARING_PEOPLE].sort(),
  );
});

test('apart from reads, only the announcement preview and sign-in are marked as safe to repeat', () => {
  expect(callsThat(({ parts }) => parts.isRepeatable === true)).toEqual([
    'POST /admin/mailings/preview',
    'POST /auth/login',
  ]);
});

test('no union or enum in a contract is empty', () => {
  const choices = endpoints.flatMap((endpoint) => {
    const { params, query, body, reply } = endpoint.parts;
    return [params, query, body, reply].flatMap(definitionsIn).flatMap((definition) => {
      if (definition.type === 'enum')
        return [[callOf(endpoint), Object.keys(definition['entries'] as object)]];
      return definition.type === 'union' ? [[callOf(endpoint), definition['options']]] : [];
    });
  });
  expect(choices.length).toBeGreaterThan(40);
  expect(choices.filter(([, among]) => among?.length === 0)).toEqual([]);
});

type Definition = Readonly<{ type: string } & Record<string, unknown>>;

/** The names of all fields of a schema. */
function fieldsOf(schema: unknown): string[] {
  return definitionsIn(schema).flatMap(({ type, shape }) =>
    type === 'object' ? Object.keys(shape as object) : [],
  );
}

/** What a schema and those within it are made of, as the library describes them. */
function definitionsIn(value: unknown): Definition[] {
  if (typeof value !== 'object' || value === null) return [];
  if (!('_zod' in value)) return Object.values(value).flatMap(definitionsIn);
  const { def } = value._zod as { def: Definition };
  const { checks: _, ...within } = def;
  return [def, ...Object.values(within).flatMap(definitionsIn)];
}
