import fc from 'fast-check';
import type { Endpoint } from '#shared/endpoint.ts';
import { callOf } from '../all-endpoints.ts';
import { fieldsFor, HOSTILE_TEXTS, type Live, type Mode } from './values.ts';

/** The senders of requests. */
export const SENDERS = ['nobody', 'volunteer', 'stranger', 'administrator', 'forger'] as const;
export type Sender = (typeof SENDERS)[number];

/** A request without the sender's token, which is added when it is sent. */
export type FuzzRequest = Readonly<{
  endpoint: Endpoint;
  method: string;
  url: string;
  sender: Sender;
  headers: Readonly<Record<string, string>>;
  payload: string | undefined;
}>;

/** Endpoints that take as long as fifty others (password hashes, PDF files, threads), or that sign a sender out. */
const RARE = new Set([
  'POST /auth/logout',
  'POST /auth/login',
  'POST /auth/register',
  'POST /auth/reset-password',
  'PUT /auth/change-password',
  'POST /admin/users',
  'PUT /admin/users/:id',
  'POST /admin/users/:id/invite',
  'POST /reports/statement',
  'POST /admin/reports/summary',
  'POST /admin/reports/in-kind/:format',
  'GET /exports/:token',
  'POST /admin/user-imports',
  'POST /activities/:id/photos',
  'POST /admin/schools/:id/logo',
]);
const WEIGHT = { usual: 10, rare: 1 } as const;

/** Random requests of a mode to these endpoints. */
export function requestsTo(
  endpoints: readonly Endpoint[],
  mode: Mode,
  live: Live,
): fc.Arbitrary<FuzzRequest> {
  return fc.oneof(
    ...endpoints.map((endpoint) => ({
      weight: RARE.has(callOf(endpoint)) ? WEIGHT.rare : WEIGHT.usual,
      arbitrary: requestTo(endpoint, mode, live),
    })),
  );
}

function requestTo(endpoint: Endpoint, mode: Mode, live: Live): fc.Arbitrary<FuzzRequest> {
  const { parts, method } = endpoint;
  return fc
    .record({
      sender: senderOf(endpoint, mode),
      params: fieldsFor(parts.params, mode, live),
      query: fieldsFor(parts.query, mode, live),
      body: fieldsFor(parts.body, mode, live),
      headers: headersOf(mode),
      prefix:
        mode === 'hostile'
          ? fc.constantFrom('/api', '/api', '/api/api', '/api//', '/API')
          : fc.constantFrom('/api', '/api/api'),
      content: contentOf(mode),
    })
    .map(({ sender, params, query, body, headers, prefix, content }) => ({
      endpoint,
      method,
      sender,
      url: `${prefix}${pathWith(endpoint.path, params)}${queryText(query)}`,
      ...(parts.files === undefined
        ? jsonOf(method, body, content, headers)
        : formOf(parts.files.field, body, headers)),
    }));
}

// Mostly an authorized sender, because requests that the gate rejects find no bugs.
function senderOf({ path }: Endpoint, mode: Mode): fc.Arbitrary<Sender> {
  const usual: Sender = path.startsWith('/admin') ? 'administrator' : 'volunteer';
  if (mode === 'valid') return fc.constant(usual);
  return fc.oneof(
    { weight: 6, arbitrary: fc.constant(usual) },
    { weight: 3, arbitrary: fc.constantFrom(...SENDERS) },
  );
}

function headersOf(mode: Mode): fc.Arbitrary<Record<string, string>> {
  if (mode === 'valid') return fc.constant({});
  return fc.dictionary(
    fc.constantFrom(
      'idempotency-key',
      'if-match',
      'x-forwarded-for',
      'user-agent',
      'accept-language',
      'accept-encoding',
      'range',
      'if-none-match',
      'x-http-method-override',
    ),
    fc.constantFrom(
      '',
      '0',
      '"1"',
      'W/"1"',
      '*',
      'same-key',
      'x'.repeat(4000),
      '\u00FF\u00FE',
      "' or 1=1",
      '10.0.0.1, 10.0.0.2',
      'bytes=0-1',
      'DELETE',
      'de;q=0.5',
    ),
    { maxKeys: 2 },
  );
}

type Content = Readonly<{ type: string; spoil: 'not' | 'cut' | 'list' | 'nothing' }>;

function contentOf(mode: Mode): fc.Arbitrary<Content> {
  const usual = fc.constant<Content>({ type: 'application/json', spoil: 'not' });
  if (mode === 'valid') return usual;
  const odd = fc.record<Content>({
    type: fc.constantFrom(
      'application/json',
      'application/json; charset=utf-16',
      'text/plain',
      'application/x-www-form-urlencoded',
      'multipart/form-data; boundary=x',
      '',
    ),
    spoil: fc.constantFrom('not', 'cut', 'list', 'nothing'),
  });
  return fc.oneof({ weight: 5, arbitrary: usual }, { weight: 1, arbitrary: odd });
}

function jsonOf(
  method: string,
  body: Record<string, unknown>,
  content: Content,
  headers: Record<string, string>,
) {
  if (method === 'GET' || content.spoil === 'nothing') return { headers, payload: undefined };
  const text = JSON.stringify(body);
  const payload = { not: text, cut: text.slice(0, -1), list: `[${text}]` }[content.spoil];
  return { headers: content.type === '' ? headers : { ...headers, 'content-type': content.type }, payload };
}

const BOUNDARY = 'fuzz-boundary';

// A file whose content does not match its type; real images are tested elsewhere.
function formOf(field: string, body: Record<string, unknown>, headers: Record<string, string>) {
  const parts = Object.entries(body).map(
    ([name, value]) =>
      `--${BOUNDARY}\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n${JSON.stringify(value)}\r\n`,
  );
  const file = `--${BOUNDARY}\r\ncontent-disposition: form-data; name="${field}"; filename="a.jpg"\r\ncontent-type: image/jpeg\r\n\r\n\u00FF\u00D8\r\n`;
  return {
    headers: { ...headers, 'content-type': `multipart/form-data; boundary=${BOUNDARY}` },
    payload: `${parts.join('')}${file}--${BOUNDARY}--\r\n`,
  };
}

function pathWith(path: string, params: Record<string, unknown>): string {
  return path.replace(/:(\w+)/g, (_, name: string) => encoded(params[name] ?? HOSTILE_TEXTS[5]));
}

function queryText(query: Record<string, unknown>): string {
  const pairs = Object.entries(query).flatMap(([name, value]) =>
    [value].flat().map((one) => `${encoded(name)}=${encoded(one)}`),
  );
  return pairs.length === 0 ? '' : `?${pairs.join('&')}`;
}

function encoded(value: unknown): string {
  const text = typeof value === 'object' ? JSON.stringify(value) : String(value);
  return encodeURIComponent(text.toWellFormed());
}
