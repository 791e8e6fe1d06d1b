import { Agent, type IncomingHttpHeaders, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, test } from 'vitest';
import { differences, storedCounts, storedState } from '#test/fuzz/stored-state.ts';
import { atEnd, startApp } from '#test/harness.ts';
import { allEndpoints, callOf } from '../../all-endpoints.ts';
import { IS_FULL } from '../../test-level.ts';
import { permissionsPage } from './docs-page.ts';
import { type Cell, cellsOf, everyThing, type Ground } from './matrix.ts';
import { PERMISSIONS, requiredCapability } from './permission-table.ts';
import { holds } from './resources.ts';
import { findKnownPeople, findUnreadableMarks, markTexts, READABLE, READERS } from './secrets.ts';
import { everyPersona, type Persona, theSchools } from './users.ts';

const app = await startApp({
  SIGN_IN_LINK: 'on',
  GOOGLE_CLIENT_ID: 'district',
  GOOGLE_CLIENT_SECRET: 'secret',
  PUBLIC_URL: 'http://127.0.0.1:3000',
  OIDC_PROVIDERS: JSON.stringify([
    {
      name: 'district',
      title: 'District',
      issuer: 'https://issuer.example',
      clientId: 'hours',
      clientSecret: 'secret',
    },
  ]),
});
const schools = await theSchools(app);
const ground: Ground = { app, schools, people: await everyPersona(app, schools) };
const endpoints = new Map([...(await allEndpoints()).values()].map((one) => [callOf(one), one]));

await everyThing(ground);

const agent = new Agent({ keepAlive: true });
await app.app.listen({ host: '127.0.0.1', port: 0 });
const { port } = app.app.server.address() as AddressInfo;
atEnd(() => agent.destroy());

/** Of one call, on a machine with much else to do: a call that runs out of time would disturb those after it. */
const LONGEST_MS = 240_000;

const NOBODY = { role: 'nobody', id: 0, schools: [] } as const;
const SUPPORT = 'help@maplegrove.example';
const seen = new Set<string>();
let known = await findKnownPeople(app);
/** What must be the same after a refusal: the number of rows of each table, audit events included; in test:full every row. */
const state = IS_FULL ? storedState : storedCounts;

/** What these calls return to anyone with the link, address or password that they require. */
const HANDED: Readonly<Record<string, readonly string[]>> = {
  'POST /auth/login': ['users.first_name', 'users.last_name'],
  'POST /auth/second-factor': ['users.first_name', 'users.last_name'],
  'POST /auth/oidc/exchange': ['users.first_name', 'users.last_name'],
  'POST /auth/oidc/link': ['users.first_name', 'users.last_name'],
  'POST /auth/sign-in-link/open': ['users.first_name', 'users.last_name'],
  'POST /auth/register': [],
  'POST /auth/verify-email': ['users.first_name', 'users.last_name'],
  'GET /auth/verify-reset-token/:token': ['users.first_name'],
  'GET /auth/invites/:code': [],
  // An external verifier reads the hours in question.
  'GET /verify/:token': [
    'users.first_name',
    'users.last_name',
    'time_entries.notes',
    'activities.name',
    'schools.name',
  ],
  // Members of a household said yes to seeing each other's names.
  'POST /profile/household/join': ['users.first_name', 'users.last_name'],
  // Hours at a school that was left stay one's own, with what they were for.
  'GET /reports/statement': ['activities.name', 'categories.name'],
  'GET /profile/data': ['activities.name', 'categories.name'],
  'POST /letters/check': ['service_letter_names.first_name', 'service_letter_names.last_name'],
  'GET /letters/files/:token': ['service_letter_names.first_name', 'service_letter_names.last_name'],
  'GET /sign-in-sheets/:token': ['users.first_name', 'users.last_name', 'activities.name'],
  'GET /exports/:token': ['users', 'time_entries.notes', 'activities.name', 'categories.name'],
};

const counted = { cells: 0, refused: 0 };
atEnd(() =>
  process.stdout.write(`permissions: ${counted.cells} cells, ${counted.refused} of them rejected\n`),
);

test('the permission table lists exactly the endpoints', () => {
  expect(Object.keys(PERMISSIONS).sort()).toEqual([...endpoints.keys()].sort());
});

describe('permissions', () => {
  test.each(Object.entries(PERMISSIONS))(
    '%s: only permitted users succeed, and rejected requests change nothing',
    async (call, permission) => {
      const endpoint = endpoints.get(call);
      if (endpoint === undefined) throw new Error(`there is no ${call}`);
      const cells = await cellsOf(ground, endpoint, permission);
      const refused = cells.filter((cell) => cell.isRefused);
      await markTexts(app);
      known = await findKnownPeople(app);
      const before = await state(app);
      const wrong = [];
      for (const cell of refused) wrong.push(...(await findErrors(cell)));
      const left = differences(before, await state(app));
      if (left.length > 0) wrong.push(...(await findStateChanges(refused)), ...left);
      for (const cell of cells) if (!cell.isRefused) wrong.push(...(await findErrors(cell)));
      counted.cells += cells.length;
      counted.refused += refused.length;
      await waitForExports();
      expect(wrong).toEqual([]);
    },
    LONGEST_MS,
  );
});

// What a download began goes on in the background, and notes its progress.
async function waitForExports(): Promise<void> {
  const running = () =>
    app.deps.database.db
      .selectFrom('exports')
      .select('id')
      .where('started_at', 'is not', null)
      .where('outcome', 'is', null)
      .execute();
  await expect.poll(running, { timeout: LONGEST_MS / 2 }).toEqual([]);
}

const DAY_OR_MOMENT = /_at$|_until$|_from$|_date$|_day$|_week$|_before$|^(at|day|month|until)$/;

const NO_ROUTE = [404, 405];

let sent = 0;

async function findErrors({
  name,
  call,
  persona,
  sent: said,
  statuses,
  isRaw,
  isRefused,
}: Cell): Promise<string[]> {
  const { status, text, headers } = await (isRaw ? sendRaw : send)(said, persona.token);
  if (!statuses.includes(status))
    return [`${name}: ${status} instead of ${statuses.join(', ')} ${text.slice(0, 200)}`];
  if (!NO_ROUTE.includes(status) && headers['cache-control'] === undefined)
    return [`${name}: may be kept by a cache on the way`];
  if (status === 401 && isRefused && persona.role === 'nobody' && !saysError(text, 'Authentication required'))
    return [`${name}: refused with ${text.slice(0, 200)}`];
  if (
    status === 403 &&
    persona.role === 'volunteer' &&
    call.includes(' /admin/') &&
    !saysError(text, 'Admin access required')
  )
    return [`${name}: refused with ${text.slice(0, 200)}`];
  return isRefused ? traceIn(name, text) : leaksIn(name, persona, call, text);
}

const saysError = (text: string, error: string) => text === JSON.stringify({ error });

// A refusal is one of the product's sentences: nothing that is stored stands in it.
function traceIn(name: string, text: string): string[] {
  const { error, fields = {}, ...more } = JSON.parse(text);
  const isSentence = typeof error === 'string' && Object.keys(more).length === 0;
  const { unfit, read } = findUnreadableMarks(NOBODY, text);
  const isSilent = unfit.length === 0 && read.length === 0 && !text.includes('@');
  return isSentence && isSilent ? [] : [`${name}: refused with ${text.slice(0, 300)} ${Object.keys(fields)}`];
}

function leaksIn(name: string, persona: Persona, call: string, text: string): string[] {
  const { unfit, read } = findUnreadableMarks(persona, text, known);
  for (const column of read) seen.add(column);
  const handed = HANDED[call] ?? [];
  const leaks = new Set(unfit.filter((one) => !handed.some((column) => one.startsWith(column))));
  const others = (text.match(/[\w.+-]+@[\w-]+\.example/g) ?? []).filter((one) => one !== persona.email);
  const strangers =
    persona.role === 'administrator' || call in HANDED
      ? []
      : others.filter((one) => one !== SUPPORT && !mayReadAddress(persona, call, one));
  return [...leaks, ...strangers].map((leak) => `${name}: shows ${leak}`);
}

// Invitations and new accounts are of people who belong to no school yet; an auditor of all sees every account.
function mayReadAddress({ grant }: Persona, call: string, address: string): boolean {
  if (grant === undefined) return false;
  const seesAll = grant.school === null && call === 'GET /admin/users';
  return seesAll || known.mayKnowAddress(grant, address) || JUST_MADE.test(call);
}

const JUST_MADE = /^(GET|POST) \/admin\/(invites|merges|user-imports)|^(POST|PUT) \/admin\/users/;

// From an address of its own: what is counted of an address is not what is looked at here.
async function send({ method, path, body, headers }: Cell['sent'], token: string | undefined) {
  sent += 1;
  // Nor how many letters somebody asked for.
  await app.deps.database.db.deleteFrom('rate_limits').where('key', 'like', '%letter%-by:%').execute();
  const reply = await app.app.inject({
    method,
    url: path,
    remoteAddress: `10.${sent >> 16}.${(sent >> 8) & 255}.${sent & 255}`,
    headers: { ...bearer(token), ...headers },
    ...(body === undefined ? {} : { payload: body }),
  });
  return { status: reply.statusCode, text: reply.body, headers: reply.headers };
}

/** Over a connection, byte by byte: nothing tidies the path. */
function sendRaw({ method, path, body, headers }: Cell['sent'], token: string | undefined) {
  const isForm = Buffer.isBuffer(body);
  const json = body === undefined || isForm ? {} : { 'content-type': 'application/json' };
  const options = {
    host: '127.0.0.1',
    port,
    method,
    path,
    agent,
    headers: { ...bearer(token), ...json, ...headers },
  };
  return new Promise<{ status: number; text: string; headers: IncomingHttpHeaders }>((resolve, reject) => {
    const sending = request(options, (reply) => {
      reply.setEncoding('utf8');
      reply
        .toArray()
        .then(
          (pieces) =>
            resolve({ status: reply.statusCode ?? 0, text: pieces.join(''), headers: reply.headers }),
          reject,
        );
    });
    sending.on('error', reject);
    sending.end(isForm ? body : body === undefined ? undefined : JSON.stringify(body));
  });
}

const bearer = (token: string | undefined) =>
  token === undefined ? {} : { authorization: `Bearer ${token}` };

/** The first of the refused requests after which something else is stored than before. */
async function findStateChanges(cells: readonly Cell[]): Promise<string[]> {
  const found = [];
  for (const cell of cells) {
    const before = await state(app);
    await findErrors(cell);
    const left = differences(before, await state(app));
    if (left.length > 0) found.push(`${cell.name}: refused, and left ${left.join(', ')}`);
    if (found.length === 3) return found;
  }
  return found;
}

describe('lists and totals without a school cover all schools of the user’s roles', () => {
  const asked = Object.entries(PERMISSIONS).filter(
    ([call, { gate, thing }]) =>
      call.startsWith('GET /admin/') && thing === 'school' && gate !== 'run the district',
  );

  test.each(asked)('%s', async (call, permission) => {
    const [, path] = call.split(' ');
    const district = ground.people.find(({ role }) => role === 'administrator');
    const get = async (token: string | undefined, query: string) =>
      shared((await app.call(`GET /api${path}${query}`, { token })).body);
    if (call === 'GET /admin/reports/in-kind') await aRate(district);
    const whole = await get(district?.token, '');
    const ofHome = await get(district?.token, `?schoolId=${schools.home.id}`);
    expect(ofHome).not.toEqual(whole);
    for (const { grant, token } of ground.people) {
      if (grant === undefined || !holds(grant.role, requiredCapability(permission) ?? 'run the district'))
        continue;
      expect([grant, await get(token, '')]).toEqual([grant, grant.school === null ? whole : ofHome]);
    }
  });

  // What is the same for all who may look: not what they may do with it.
  function shared(body: unknown): unknown {
    return JSON.parse(
      JSON.stringify(body, (key, value) => (/^can[A-Z]|Url$|^nextCursor$/.test(key) ? undefined : value)),
    );
  }

  const aRate = (by: Persona | undefined) =>
    app.call('PUT /api/admin/reports/rate', {
      token: by?.token,
      body: { hourlyRate: 33.49, source: 'Independent Sector', year: 2026 },
    });
});

test('docs/permissions.md is up to date (vitest -u writes it)', async () => {
  await expect(permissionsPage()).toMatchFileSnapshot('../../../docs/permissions.md');
});

describe('the readers of stored text', () => {
  test('are declared for every text column', async () => {
    const tables = await app.deps.database.db.introspection.getTables();
    const columnsOf = (kind: RegExp) =>
      tables.flatMap(({ name, columns }) =>
        columns
          .filter((column) => kind.test(column.dataType) && !DAY_OR_MOMENT.test(column.name))
          .map((column) => `${name}.${column.name}`),
      );
    const texts = columnsOf(/text/i);
    // PostgreSQL has a type of its own for what SQLite keeps as text.
    const readable = columnsOf(/text|json/i);
    const said = Object.entries(READERS).flatMap(([table, columns]) =>
      Object.keys(columns).map((column) => `${table}.${column}`),
    );
    expect(texts.filter((one) => !said.includes(one))).toEqual([]);
    expect(said.filter((one) => !readable.includes(one))).toEqual([]);
  });

  test('include at least one user for every readable column', () => {
    expect(READABLE.filter((column) => !seen.has(column))).toEqual([]);
  });
});
