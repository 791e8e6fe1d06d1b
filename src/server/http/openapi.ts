import * as z from 'zod';
import type { Endpoint } from '#shared/endpoint.ts';

/** A mounted endpoint and its permission (`RoutePermission`). */
export type MountedEndpoint = Readonly<{ endpoint: Endpoint; gate: string }>;

type Schema = z.core.$ZodType;
type Json = Readonly<Record<string, unknown>>;

/** The reply of every failed request; `fields` names the inputs that a form marks. */
const ERROR = {
  type: 'object',
  properties: {
    error: { type: 'string' },
    fields: { type: 'object', additionalProperties: { type: 'string' } },
  },
  required: ['error'],
} as const;

const JSON_TYPE = 'application/json';

/**
 * The OpenAPI 3.1 document of the mounted endpoints, sorted by path. It is generated from the endpoint values, so it always
 * matches what the server checks.
 */
export function openApiDocument(mounted: readonly MountedEndpoint[], version: string): Json {
  const paths: Record<string, Record<string, Json>> = {};
  const byPath = (a: MountedEndpoint, b: MountedEndpoint) => (a.endpoint.path < b.endpoint.path ? -1 : 1);
  for (const one of mounted.toSorted(byPath)) {
    const path = `/api${one.endpoint.path.replaceAll(/:(\w+)/g, '{$1}')}`;
    paths[path] = { ...paths[path], [one.endpoint.method.toLowerCase()]: operation(one) };
  }
  return {
    openapi: '3.1.0',
    info: { title: 'Volunteer Time Tracker', version },
    paths,
    components: {
      schemas: { Error: ERROR },
      securitySchemes: { session: { type: 'http', scheme: 'bearer' } },
    },
  };
}

/**
 * `x-permission` is the capability of src/shared/permissions.ts that the caller needs, `member or` a capability, `signedIn`, or
 * `public`.
 */
function operation({ endpoint, gate }: MountedEndpoint): Json {
  const { params, query, body, files, status = 200 } = endpoint.parts;
  return {
    'x-permission': gate,
    ...(endpoint.parts.freshProof === undefined ? {} : { 'x-requires-recent-sign-in': true }),
    security: gate === 'public' ? [] : [{ session: [] }],
    parameters: [...parameters('path', params), ...parameters('query', query)],
    ...(body === undefined && files === undefined ? {} : { requestBody: requestBody(body, files) }),
    responses: { [status]: success(endpoint), default: failure },
  };
}

const failure = {
  description: 'Error',
  content: { [JSON_TYPE]: { schema: { $ref: '#/components/schemas/Error' } } },
};

function success({ parts: { reply, file } }: Endpoint): Json {
  if (file === true) return { description: 'A file', content: { '*/*': {} } };
  if (reply === undefined) return { description: 'No content' };
  return { description: 'Success', content: { [JSON_TYPE]: { schema: jsonSchema(reply, 'output') } } };
}

function requestBody(body: Schema | undefined, files: Endpoint['parts']['files']): Json {
  const fields = body === undefined ? { type: 'object' } : jsonSchema(body, 'input');
  if (files === undefined) return { required: true, content: { [JSON_TYPE]: { schema: fields } } };
  const upload = { type: 'array', items: { type: 'string', format: 'binary' }, maxItems: files.most };
  const form = { type: 'object', properties: { [files.field]: upload } };
  return { required: true, content: { 'multipart/form-data': { schema: { allOf: [fields, form] } } } };
}

function parameters(where: 'path' | 'query', schema: Schema | undefined): Json[] {
  if (schema === undefined) return [];
  const { properties = {}, required = [] } = jsonSchema(schema, 'input') as {
    properties?: Readonly<Record<string, Json>>;
    required?: readonly string[];
  };
  return Object.entries(properties).map(([name, one]) => ({
    name,
    in: where,
    required: where === 'path' || required.includes(name),
    schema: one,
  }));
}

function jsonSchema(schema: Schema, io: 'input' | 'output'): Json {
  // A value that JSON schema cannot express, such as one that must be absent, is documented as any value.
  const { $schema: _, ...json } = z.toJSONSchema(schema, { io, unrepresentable: 'any' });
  return json;
}
