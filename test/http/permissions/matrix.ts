import type { Endpoint } from '#shared/endpoint.ts';
import { callOf } from '../../all-endpoints.ts';
import { aSchool } from '../../builders.ts';
import type { TestApp } from '../../harness.ts';
import { IS_FULL } from '../../test-level.ts';
import { ODD_NUMBERS, ODD_PATHS, PLAIN, type Spelling } from './path-variants.ts';
import { PERMISSIONS, type Permission, requiredCapability, type Thing } from './permission-table.ts';
import { requestOf, type Sent } from './requests.ts';
import { holds, isWithinReach, make, type Relation, relationsOf, type Target } from './resources.ts';
import { another, type Persona, type Schools } from './users.ts';

/** One request of the matrix, and the expected status. */
export type Cell = Readonly<{
  name: string;
  call: string;
  persona: Persona;
  relation: Relation;
  sent: Sent;
  /** The expected statuses, of which any is fine. */
  statuses: readonly number[];
  isRaw: boolean;
  isRefused: boolean;
}>;

/** The product with two schools and all users who send requests. */
export type Ground = Readonly<{ app: TestApp; schools: Schools; people: readonly Persona[] }>;

/** The reply to authorized users without a connected Google Drive, backup storage or mail server. */
const NOT_CONNECTED = 409;
const SUCCESSES: Readonly<Record<string, number>> = {
  // A preview.
  'POST /admin/schools/translations': 200,
  'POST /admin/categories/translations': 200,
  'POST /admin/activities/translations': 200,
  // These tests run on an IP address, which cannot have passkeys.
  'POST /auth/passkey/options': 409,
  'POST /auth/passkey': 409,
  'POST /auth/fresh/passkey': 409,
  'POST /profile/second-factor/passkeys/options': 409,
  'POST /profile/second-factor/passkeys': 409,
  'POST /admin/system/backup/run': NOT_CONNECTED,
  'POST /admin/settings/test-mail': NOT_CONNECTED,
  // Nothing is pending.
  'DELETE /admin/settings/retention-pending': 409,
  // There is no mail server.
  'POST /admin/mailings': 409,
  'POST /admin/google-drive/disconnect': NOT_CONNECTED,
  'POST /admin/google-drive/sync-activities': NOT_CONNECTED,
};

/** The status for a thing out of reach, if it is not 404. */
const OUT_OF_REACH: Partial<Record<Thing, number>> = {
  'email confirmation link': 400,
  invitation: 400,
  'password link': 400,
  'sign-in code': 400,
  'account-linking token': 400,
  'two-factor challenge': 400,
  'sign-in link': 400,
};

const MADE_EACH_TIME: readonly Thing[] = ['export link', 'letter link', 'sign-in sheet link'];

/** The statuses for an unknown path or method, or a malformed name. */
const NO_CALL = [400, 404, 405];

/**
 * Every cell of a call: each persona with a thing in each relation to it, and in `npm run test:full` each path variant of rejected ones. A
 * rejected ones. A call that is allowed gets its own thing, because it may use the thing up.
 */
export async function cellsOf(ground: Ground, endpoint: Endpoint, permission: Permission): Promise<Cell[]> {
  const cells: Cell[] = [];
  for (const persona of ground.people) {
    const relations = relationsOf(permission.thing, persona);
    const isShut = isRejectedByGate(permission, persona);
    for (const [index, relation] of relations.entries()) {
      const isOpen = !isShut && isWithinReach(permission, persona, relation);
      // Anyone with the link gets the file, which is slow to create each time.
      if (isOpen && MADE_EACH_TIME.includes(permission.thing) && !persona.isExample) continue;
      // The gate rejects before anything is read, so one persona and one thing cover the path variants.
      const isSpelled =
        IS_FULL &&
        (isShut
          ? persona.isExample && index === 0
          : !isOpen || (endpoint.method === 'GET' && endpoint.parts.file !== true && persona.isExample));
      cells.push(...(await cellsAt(ground, endpoint, permission, { persona, relation, isOpen, isSpelled })));
    }
  }
  return cells;
}

async function cellsAt(
  ground: Ground,
  endpoint: Endpoint,
  permission: Permission,
  at: { persona: Persona; relation: Relation; isOpen: boolean; isSpelled: boolean },
): Promise<Cell[]> {
  const { thing } = permission;
  const { relation, isOpen } = at;
  const mayChange = isOpen && endpoint.method !== 'GET';
  const persona = mayChange ? await another(ground.app, at.persona) : at.persona;
  const isShut = isRejectedByGate(permission, persona);
  const target = isOpen
    ? await make(ground.app, await fresh(ground, thing, mayChange), thing, {
        persona,
        relation,
        isFilled: !mayChange,
      })
    : await sharedThing(ground, thing, persona, relation);
  const plain = await requestOf(ground.app, endpoint, { thing, target, persona });
  if (isOpen) await PREPARED[callOf(endpoint)]?.(ground.app, persona);
  const maySee = permission.deed !== undefined && isWithinReach(withoutDeed(permission), persona, relation);
  const refused = isShut || maySee ? (persona.role === 'nobody' ? 401 : 403) : (OUT_OF_REACH[thing] ?? 404);
  const success = SUCCESSES[callOf(endpoint)] ?? endpoint.parts.status ?? 200;
  const said = thing === 'nothing' ? '' : `, ${thing} (${relation})`;
  const usual = isOpen ? success : refused;
  // The signature of another photo is invalid.
  const none = thing === 'signed photo link' ? [...NO_CALL, 403] : NO_CALL;
  const statuses = { 'the same': [usual], 'no call': [...none, refused], either: [...none, usual] };
  const cell = (spelling: Spelling, sent: Sent): Cell => ({
    name: `${callOf(endpoint)} by ${persona.name}${said}, ${spelling.name}`,
    call: callOf(endpoint),
    persona,
    relation,
    sent,
    statuses: statuses[spelling.is],
    isRaw: spelling.isRaw === true,
    isRefused: !isOpen || spelling.is === 'no call',
  });
  // Routing does not depend on the user; only the lookup reads the number.
  const isSampled = persona.role === 'holder' && at.isSpelled && plain.number !== undefined;
  if (isSampled) return [cell(PLAIN, plain), ...sampled(oddNumbers(plain, cell), plain.path)];
  const odd =
    at.isSpelled && persona.isExample
      ? ODD_PATHS.map((one) => cell(one, { ...plain, path: one.write(plain.path) }))
      : [];
  return [cell(PLAIN, plain), ...odd, ...(at.isSpelled ? oddNumbers(plain, cell) : [])];
}

// A persona that passes the gate is tried with few path variants: two, chosen by the path's seed. Other personas cover the
// rest.
function sampled(cells: readonly Cell[], path: string): Cell[] {
  const seed = [...path].reduce((sum, letter) => (sum * 31 + letter.charCodeAt(0)) % 9973, 7);
  return cells.filter((_, index) => index % cells.length === seed % cells.length || index === seed % 3);
}

/** Whether the gate rejects a persona, regardless of the thing. */
function isRejectedByGate(permission: Permission, { role, grant }: Persona): boolean {
  if (role !== 'holder') return permission.reach[role] === 'none';
  const capability = requiredCapability(permission);
  const isForMembers = permission.gate.startsWith('member or ');
  return capability !== undefined && !isForMembers && !(grant && holds(grant.role, capability));
}

function withoutDeed({ deed: _, ...permission }: Permission): Permission {
  return permission;
}

function oddNumbers(plain: Sent, cell: (spelling: Spelling, sent: Sent) => Cell): Cell[] {
  const { number } = plain;
  if (number === undefined) return [];
  return ODD_NUMBERS.map((one) =>
    cell(one, { ...plain, path: plain.path.replace(`/${number}`, `/${one.write(number)}`) }),
  );
}

// A school that is deleted must be empty.
async function fresh({ app, schools }: Ground, thing: Thing, mayChange: boolean): Promise<Schools> {
  if (thing !== 'school' || !mayChange) return schools;
  return { ...schools, away: await aSchool(app) };
}

/** Makes a thing for every relation to every persona, so that lists have content. */
export async function everyThing(ground: Ground): Promise<void> {
  const things = new Set(Object.values(PERMISSIONS).map(({ thing }) => thing));
  for (const thing of things)
    for (const persona of ground.people.filter((one) => one.role === 'volunteer' || one.role === 'holder'))
      for (const relation of relationsOf(thing, persona)) await sharedThing(ground, thing, persona, relation);
}

const sharedThings = new WeakMap<TestApp, Map<string, Promise<Target>>>();

// Rejected calls do not change a thing, so the next call can use it too.
function sharedThing(ground: Ground, thing: Thing, persona: Persona, relation: Relation): Promise<Target> {
  const things = sharedThings.get(ground.app) ?? new Map<string, Promise<Target>>();
  sharedThings.set(ground.app, things);
  const key = `${thing} ${relation} ${persona.name}`;
  const found =
    things.get(key) ?? make(ground.app, ground.schools, thing, { persona, relation, isFilled: true });
  things.set(key, found);
  return found;
}

/** The preparation that a persona needs before a call. */
const PREPARED: Readonly<Record<string, (app: TestApp, persona: Persona) => Promise<unknown>>> = {
  'DELETE /profile/erasure-request': (app, { token }) =>
    app.call('POST /api/profile/erasure-request', { token, body: {} }),
};
