import { beforeAll, describe, expect, test } from 'vitest';
import { aGrant, anAddress, aPerson } from '#test/builders.ts';
import { type Reply, startApp, type TestApp } from '#test/harness.ts';
import {
  aTarget,
  KINDS,
  type Kind,
  PERSONAS,
  type Persona,
  type Places,
  thePersonas,
  thePlaces,
} from './fixtures.ts';

/**
 * What a person may do to another's account, by every path there is to the same effect. `ALLOWED` is the rule in the words
 * of docs/dev/decisions.md, written down without the product's own functions; each path must do exactly what the rule allows
 * and leave everything as it was otherwise.
 */
type Effect = 'account' | 'membership' | 'leaving' | 'role' | 'district' | 'hours' | 'reactivation';

const ALLOWED: Readonly<Record<Effect, (persona: Persona, kind: Kind) => boolean>> = {
  account: (persona, kind) => runs(persona, kind) && (persona.runs === 'district' || !isTied(kind)),
  membership: (persona, kind) => {
    if (!runs(persona, kind) || !isKnown(kind)) return false;
    return persona.runs === 'district' || !hasSchoolAway(kind);
  },
  // Anybody may be taken from one's own school, but for those who run the district.
  leaving: (persona, kind) =>
    persona.runs === 'district' || (persona.runs === 'schools' && kind.role !== 'admin'),
  role: (persona, kind) => runs(persona, kind) && isKnown(kind),
  // The hours of one's own school are the school's, whosever they are.
  hours: (persona) => persona.runs !== 'nothing',
  // Of somebody whom the district deactivated.
  reactivation: (persona) => persona.runs === 'district',
  district: (persona, kind) => persona.runs === 'district' && isKnown(kind),
};

// Whose account it is at all: anybody's in the district; at a school, that of a person who belongs there and does not run the district.
function runs(persona: Persona, { schools, asks = [], role }: Kind): boolean {
  if (persona.runs === 'district') return true;
  return persona.runs === 'schools' && [...schools, ...asks].includes('home') && role !== 'admin';
}

// Only a person who belongs to another school can leave one.
function hasPlace({ schools }: Kind): boolean {
  return schools.length > 0;
}

function isTied(kind: Kind): boolean {
  return hasSchoolAway(kind) || kind.grant !== undefined;
}

function hasSchoolAway({ schools, asks = [], grant, has }: Kind): boolean {
  return [...schools, ...asks].includes('away') || grant?.[1] === 'away' || has !== undefined;
}

function isKnown({ isProven = true, isSaid = false }: Kind): boolean {
  return isProven || isSaid;
}

type Given = Readonly<{
  app: TestApp;
  places: Places;
  persona: Persona;
  /** Who did what a path undoes. */
  district: Persona;
  target: { id: number; email: string };
  said: { unconfirmed?: true };
}>;

/** One way to an effect: what is sent, whether it happened, and what the rule must allow for it. */
type Path = Readonly<{
  needs: readonly Effect[];
  /** Only of people whom it can be about. */
  when?: (kind: Kind) => boolean;
  /** What the account has for it. */
  prepare?: (given: Given) => Promise<unknown>;
  send: (given: Given) => Promise<Reply>;
  isDone: (given: Given) => Promise<boolean>;
}>;

const call = ({ app, persona }: Given, path: string, body: object = {}) =>
  app.call(path, { token: persona.token, body });
const put = (given: Given, body: object) => call(given, `PUT /api/admin/users/${given.target.id}`, body);
const many = (given: Given, deed: string, more: object = {}) =>
  call(given, 'POST /api/admin/users/many', { userIds: [given.target.id], count: 1, deed, ...more });

const row = ({ app, target }: Given) =>
  app.deps.database.db.selectFrom('users').selectAll().where('id', '=', target.id).executeTakeFirst();
const schoolsOf = async ({ app, target }: Given) =>
  app.deps.database.db
    .selectFrom('user_schools')
    .select(['school_id', 'status'])
    .where('user_id', '=', target.id)
    .orderBy('school_id')
    .execute();
const grantsOf = ({ app, target }: Given) =>
  app.deps.database.db
    .selectFrom('user_grants')
    .select(['role', 'school_id'])
    .where('user_id', '=', target.id)
    .orderBy('role')
    .execute();

/** The names, the address and what opens the account; where its owner belongs, and with which roles. */
const standing = async (given: Given) => {
  const { version: _, ...account } = (await row(given)) ?? {};
  return { account, schools: await schoolsOf(given), grants: await grantsOf(given) };
};

/** Another account, which the persona merges with the target's. */
async function another(
  { app, places }: Given,
  { firstName = 'Pat', hasRole = false }: { firstName?: string; hasRole?: boolean } = {},
) {
  const person = await aPerson(app, { schools: [places.annex], firstName });
  if (hasRole) await aGrant(app, person, 'coordinator', places.annex);
  return person;
}

const mergeInto = async (given: Given, from: { id: number }, keep: object = {}) =>
  call(given, `POST /api/admin/users/${from.id}/merge`, { into: given.target.id, keep, ...given.said });

const isAtAnnex = async (given: Given) =>
  (await schoolsOf(given)).some((at) => at.school_id === given.places.annex.id && at.status === 'active');
const hasRole = async (given: Given) =>
  (await grantsOf(given)).some((held) => held.school_id === given.places.annex.id);
const isGone = async (given: Given) => (await row(given))?.erased_at !== null;

async function importRow(given: Given): Promise<Reply> {
  const csv = `firstName,lastName,email,role,schools\nPat,Person,${given.target.email},user,${given.places.annex.name}`;
  const seen = await call(given, 'POST /api/admin/user-imports/preview', { csv, ...given.said });
  if (seen.status !== 200) return seen;
  const { key } = seen.body.preview;
  return call(given, 'POST /api/admin/user-imports', { csv, key, sendMail: false, ...given.said });
}

// Those who asked for it are let in whatever else they have to do with: a request is a yes.
const approve = async (given: Given, grants: readonly object[] = []) => {
  const { app, places, target, said } = given;
  const asked = {
    user_id: target.id,
    school_id: places.annex.id,
    status: 'pending',
    is_approved: 0,
  } as const;
  await app.deps.database.db
    .insertInto('user_schools')
    .values({ ...asked, created_at: app.clock.now() })
    .execute();
  const body = { userId: target.id, schoolId: places.annex.id, grants, ...said };
  return call(given, 'POST /api/admin/memberships/approve', body);
};

/** The district has done this before. */
async function before({ app, district }: Given, path: string, body: object): Promise<Reply> {
  const reply = await app.call(path, { token: district.token, body });
  if (reply.status >= 300) throw new Error(`${path}: ${reply.status} ${JSON.stringify(reply.body)}`);
  return reply;
}

const mergedBefore = (given: Given, from: { id: number }, into: { id: number }, keep: object = {}) =>
  before(given, `POST /api/admin/users/${from.id}/merge`, { into: into.id, keep, unconfirmed: true });

async function undoMerge(given: Given): Promise<Reply> {
  const { id: target } = given.target;
  const { id } = await given.app.deps.database.db
    .selectFrom('account_merges')
    .select('id')
    .where((eb) => eb.or([eb('from_user_id', '=', target), eb('into_user_id', '=', target)]))
    .executeTakeFirstOrThrow();
  return call(given, `POST /api/admin/merges/${id}/undo`);
}

const deactivatedBefore = (given: Given) =>
  before(given, `PUT /api/admin/users/${given.target.id}`, { isActive: false });

async function isAtAnnexBefore({ app, places, target }: Given) {
  const at = { user_id: target.id, school_id: places.annex.id, status: 'active' } as const;
  await app.deps.database.db
    .insertInto('user_schools')
    .values({ ...at, created_at: app.clock.now() })
    .execute();
}

/** An import of the persona, who sees no other's, which made the account or let it into a school. */
async function importedBefore({ app, places, persona, target }: Given, what: 'account' | 'membership') {
  const { db } = app.deps.database;
  const made = what === 'account' ? { people: 1, memberships: 0 } : { people: 0, memberships: 1 };
  const { id } = await db
    .insertInto('user_imports')
    .values({ ...made, has_mail: 0, imported_by: persona.id, imported_at: app.clock.now(), undone_at: null })
    .returning('id')
    .executeTakeFirstOrThrow();
  if (what === 'account') {
    await db.insertInto('user_import_users').values({ import_id: id, user_id: target.id }).execute();
    return;
  }
  const given = { import_id: id, user_id: target.id, school_id: places.annex.id, was_pending: 0 } as const;
  await db.insertInto('user_import_memberships').values(given).execute();
}

async function undoImport(given: Given): Promise<Reply> {
  const { id } = await given.app.deps.database.db
    .selectFrom('user_imports')
    .select('id')
    .orderBy('id', 'desc')
    .executeTakeFirstOrThrow();
  return call(given, `POST /api/admin/user-imports/${id}/undo`);
}

async function hoursImportedBefore(given: Given) {
  const { places, target } = given;
  await isAtAnnexBefore(given);
  const csv = `email,name,activity,date,hours\n${target.email},Pat,${places.here.name},2026-02-03,2`;
  const file = { csv, schoolId: places.annex.id };
  const seen = await before(given, 'POST /api/admin/time-entry-imports/preview', file);
  const { key } = seen.body.preview;
  await before(given, 'POST /api/admin/time-entry-imports', { ...file, key });
}

async function undoHoursImport(given: Given): Promise<Reply> {
  const { id } = await given.app.deps.database.db
    .selectFrom('time_entry_imports')
    .select('id')
    .orderBy('id', 'desc')
    .executeTakeFirstOrThrow();
  return call(given, `POST /api/admin/time-entry-imports/${id}/undo`);
}

const hasNoHoursAtAnnex = async ({ app, places, target }: Given) => {
  const entries = app.deps.database.db
    .selectFrom('time_entries')
    .select('id')
    .where('deleted_at', 'is', null);
  const here = entries.where('user_id', '=', target.id).where('school_id', '=', places.annex.id);
  return (await here.execute()).length === 0;
};

const isActive = async (given: Given) => (await row(given))?.is_active === 1;

const PATHS: Readonly<Record<string, Path>> = {
  'joins a school in the form': {
    needs: ['membership'],
    send: async (given) => {
      const held = (await schoolsOf(given)).flatMap((at) => (at.status === 'active' ? [at.school_id] : []));
      const own = held.filter((id) => given.persona.runs === 'district' || id === given.places.home.id);
      return put(given, { schoolIds: [...own, given.places.annex.id], ...given.said });
    },
    isDone: isAtAnnex,
  },
  'joins a school in a bulk action': {
    needs: ['membership'],
    send: (given) => many(given, 'join', { schoolId: given.places.annex.id, ...given.said }),
    isDone: isAtAnnex,
  },
  'joins a school by an import': { needs: ['membership'], send: importRow, isDone: isAtAnnex },
  'joins a school by a merge': {
    needs: ['membership', 'account'],
    send: async (given) => mergeInto(given, await another(given)),
    isDone: isAtAnnex,
  },
  'leaves a school in the form': {
    needs: ['leaving'],
    prepare: isAtAnnexBefore,
    when: hasPlace,
    send: async (given) => {
      const held = (await schoolsOf(given)).flatMap((at) => (at.status === 'active' ? [at.school_id] : []));
      const own = held.filter((id) => given.persona.runs === 'district' || id === given.places.home.id);
      return put(given, { schoolIds: own.filter((id) => id !== given.places.annex.id), ...given.said });
    },
    isDone: async (given) => !(await isAtAnnex(given)),
  },
  'leaves a school in a bulk action': {
    needs: ['leaving'],
    prepare: isAtAnnexBefore,
    when: hasPlace,
    send: (given) => many(given, 'leave', { schoolId: given.places.annex.id }),
    isDone: async (given) => !(await isAtAnnex(given)),
  },
  'leaves a school by undoing an import': {
    needs: ['leaving'],
    when: hasPlace,
    prepare: async (given) => {
      await isAtAnnexBefore(given);
      await importedBefore(given, 'membership');
    },
    send: undoImport,
    isDone: async (given) => !(await isAtAnnex(given)),
  },
  'leaves a school by undoing a merge': {
    // The account that stays gets its own name, address and role back.
    needs: ['account'],
    prepare: async (given) => mergedBefore(given, await another(given), given.target),
    send: undoMerge,
    isDone: async (given) => !(await isAtAnnex(given)),
  },
  'gets a role in the form': {
    needs: ['role'],
    send: async (given) => {
      const held = (await grantsOf(given)).map(({ role, school_id }) => ({ role, schoolId: school_id }));
      const added = { role: 'coordinator', schoolId: given.places.annex.id };
      return put(given, { grants: [...held, added], ...given.said });
    },
    isDone: hasRole,
  },
  'gets a role by a merge': {
    needs: ['role', 'account'],
    send: async (given) => mergeInto(given, await another(given, { hasRole: true })),
    isDone: hasRole,
  },
  'becomes a district administrator in the form': {
    needs: ['district'],
    when: ({ role }) => role === undefined,
    send: (given) => put(given, { role: 'admin', ...given.said }),
    isDone: async (given) => (await row(given))?.role === 'admin',
  },
  'is renamed in the form': {
    needs: ['account'],
    send: (given) => put(given, { firstName: 'Renamed' }),
    isDone: async (given) => (await row(given))?.first_name === 'Renamed',
  },
  'is renamed by a merge': {
    needs: ['account', 'membership'],
    send: async (given) =>
      mergeInto(given, await another(given, { firstName: 'Renamed' }), { firstName: 'from' }),
    isDone: async (given) => (await row(given))?.first_name === 'Renamed',
  },
  'gets an address in the form': {
    needs: ['account'],
    send: (given) => put(given, { email: anAddress() }),
    isDone: async (given) => (await row(given))?.email !== given.target.email,
  },
  'gets an address by a merge': {
    // The address of the other account, which is proven.
    needs: ['account'],
    send: async (given) => mergeInto(given, await another(given), { email: 'from' }),
    isDone: async (given) => (await row(given))?.email !== given.target.email,
  },
  'gets the old address back by undoing a merge': {
    needs: ['account'],
    prepare: async (given) => mergedBefore(given, await another(given), given.target, { email: 'from' }),
    send: undoMerge,
    isDone: async (given) => (await row(given))?.email === given.target.email,
  },
  'gets a password in the form': {
    needs: ['account'],
    send: (given) => put(given, { password: 'quiet-river-19' }),
    isDone: async (given) => !(await isSignedIn(given)),
  },
  'loses the second factor': {
    needs: ['account'],
    prepare: ({ app, target }) => {
      const made = { created_at: app.clock.now(), last_used_at: null };
      const secret = { user_id: target.id, sealed: 'sealed', last_step: 0, ...made };
      return app.deps.database.db.insertInto('totp_secrets').values(secret).execute();
    },
    send: (given) =>
      given.app.call(`DELETE /api/admin/users/${given.target.id}/second-factor`, {
        token: given.persona.token,
      }),
    isDone: async (given) => !(await hasSecond(given)),
  },
  'gets a new link to choose a password': {
    needs: ['account'],
    prepare: ({ app, target }) => {
      const unopened = { password_hash: null, last_login_at: null, vouched_at: app.clock.now() };
      return app.deps.database.db.updateTable('users').set(unopened).where('id', '=', target.id).execute();
    },
    send: (given) => call(given, `POST /api/admin/users/${given.target.id}/invite`),
    isDone: async ({ app, target }) => {
      const links = app.deps.database.db.selectFrom('password_links').select('id');
      return (await links.where('user_id', '=', target.id).execute()).length > 0;
    },
  },
  'is deactivated in the form': {
    needs: ['account'],
    send: (given) => put(given, { isActive: false }),
    isDone: async (given) => (await row(given))?.is_active === 0,
  },
  'is deactivated in a bulk action': {
    needs: ['account'],
    send: (given) => many(given, 'deactivate'),
    isDone: async (given) => (await row(given))?.is_active === 0,
  },
  'is reactivated in the form': {
    needs: ['account', 'reactivation'],
    prepare: deactivatedBefore,
    send: (given) => put(given, { isActive: true }),
    isDone: isActive,
  },
  'is reactivated in a bulk action': {
    needs: ['account', 'reactivation'],
    prepare: deactivatedBefore,
    send: (given) => many(given, 'activate'),
    isDone: isActive,
  },
  'is merged into an active account after the district deactivated it': {
    needs: ['account', 'reactivation'],
    prepare: deactivatedBefore,
    send: async (given) =>
      call(given, `POST /api/admin/users/${given.target.id}/merge`, {
        into: (await another(given)).id,
        ...given.said,
      }),
    isDone: isGone,
  },
  'loses its address after the district deactivated it': {
    needs: ['account', 'reactivation'],
    prepare: deactivatedBefore,
    send: (given) => put(given, { email: anAddress() }),
    isDone: async (given) => (await row(given))?.email !== given.target.email,
  },
  'is deleted after the district deactivated it': {
    needs: ['account', 'reactivation'],
    when: ({ has }) => has === undefined,
    prepare: deactivatedBefore,
    send: ({ app, persona, target }) =>
      app.call(`DELETE /api/admin/users/${target.id}`, { token: persona.token }),
    isDone: isGone,
  },
  'loses imported hours by undoing the import': {
    needs: ['hours'],
    prepare: hoursImportedBefore,
    send: undoHoursImport,
    isDone: hasNoHoursAtAnnex,
  },
  'is restored by undoing a merge': {
    needs: ['account'],
    prepare: async (given) => mergedBefore(given, given.target, await another(given)),
    send: undoMerge,
    isDone: async (given) => !(await isGone(given)),
  },
  'is deleted by undoing the import that created it': {
    needs: ['account'],
    when: ({ has }) => has === undefined,
    prepare: async (given) => {
      const { app, target } = given;
      const unused = { password_hash: null, last_login_at: null };
      await app.deps.database.db.updateTable('users').set(unused).where('id', '=', target.id).execute();
      await importedBefore(given, 'account');
    },
    send: undoImport,
    isDone: isGone,
  },
  'is deleted': {
    needs: ['account'],
    // An account with hours or photos is deleted by nobody.
    when: ({ has }) => has === undefined,
    send: ({ app, persona, target }) =>
      app.call(`DELETE /api/admin/users/${target.id}`, { token: persona.token }),
    isDone: isGone,
  },
  'is merged into another account': {
    needs: ['account'],
    send: async (given) =>
      call(given, `POST /api/admin/users/${given.target.id}/merge`, {
        into: (await another(given)).id,
        ...given.said,
      }),
    isDone: isGone,
  },
};

const isSignedIn = async ({ app, target }: Given) =>
  (await app.deps.database.db.selectFrom('sessions').select('id').where('user_id', '=', target.id).execute())
    .length > 0;
const hasSecond = async ({ app, target }: Given) =>
  (
    await app.deps.database.db
      .selectFrom('totp_secrets')
      .select('user_id')
      .where('user_id', '=', target.id)
      .execute()
  ).length > 0;

let app: TestApp;
let places: Places;
let personas: ReadonlyMap<string, Persona>;
beforeAll(async () => {
  app = await startApp();
  places = await thePlaces(app);
  personas = await thePersonas(app, places);
});

async function given(persona: Persona, kind: Kind): Promise<Given> {
  const target = await aTarget(app, places, kind);
  const district = personas.get('a district administrator') as Persona;
  return { app, places, persona, district, target, said: kind.isSaid === true ? { unconfirmed: true } : {} };
}

// Who may do nothing to people is refused before anybody is looked up, so one of them tries everybody.
function cellsOf(persona: Persona): readonly Kind[] {
  return persona.runs === 'nothing' && persona.name !== 'a coordinator' ? KINDS.slice(0, 1) : KINDS;
}

describe.each(PERSONAS)('what %s can do to other users', (name) => {
  const persona = () => personas.get(name) as Persona;

  test.each(Object.entries(PATHS))('follows the rules if the user %s', async (_, path) => {
    const wrong: unknown[] = [];
    for (const kind of cellsOf(persona()).filter(path.when ?? (() => true))) {
      const cell = await given(persona(), kind);
      await path.prepare?.(cell);
      const was = await standing(cell);
      const { status } = await path.send(cell);
      const isAllowed = path.needs.every((effect) => ALLOWED[effect](persona(), kind));
      const isDone = await path.isDone(cell);
      const isSame = JSON.stringify(await standing(cell)) === JSON.stringify(was);
      if (isDone !== isAllowed || (!isAllowed && !isSame)) {
        wrong.push({ whom: kind.name, isAllowed, isDone, status });
      }
    }
    expect(wrong).toEqual([]);
  });

  test('includes approving a join request with a role only if they manage a school or the district', async () => {
    const wrong: unknown[] = [];
    for (const kind of cellsOf(persona())) {
      const cell = await given(persona(), kind);
      const { status } = await approve(cell, [{ role: 'coordinator', schoolId: places.annex.id }]);
      const isAllowed = persona().runs !== 'nothing' && isKnown(kind);
      const isDone = (await isAtAnnex(cell)) && (await hasRole(cell));
      if (isDone !== isAllowed) wrong.push({ whom: kind.name, isAllowed, status });
    }
    expect(wrong).toEqual([]);
  });
});
