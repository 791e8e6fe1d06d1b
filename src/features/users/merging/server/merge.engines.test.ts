import { beforeAll, describe, expect, test } from 'vitest';
import { processNextChunk } from '#features/imports/hours/server/jobs.ts';
import { verifyRollups } from '#features/time-entries/rollups/server/rollups.ts';
import { transaction } from '#server/db/database.ts';
import { hashPassword } from '#server/passwords.ts';
import {
  aCategory,
  anActivity,
  anAdministrator,
  anEntry,
  aPerson,
  aPersonWithRole,
  aPhoto,
  aSchool,
  aSuggestion,
  PASSWORD,
} from '#test/builders.ts';
import { sendDuring } from '#test/concurrent-requests.ts';
import { startApp, type TestApp } from '#test/harness.ts';
import { emailsSentTo } from '#test/sent-emails.ts';
import { ENDS, JOINED_COLUMNS, MOVES, SET_ASIDE_COLUMNS, UNCHANGED_COLUMNS } from './merged-columns.ts';
import { cleanUpMerges } from './unmerge.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startApp();
});

const DAY_MS = 86_400_000;

const merge = (by: { token: string }, from: { id: number }, into: { id: number }, more: object = {}) =>
  app.call(`POST /api/admin/users/${from.id}/merge`, {
    token: by.token,
    body: { into: into.id, ...more },
  });

const undo = (by: { token: string }, id: number) =>
  app.call(`POST /api/admin/merges/${id}/undo`, { token: by.token });

const find = async (by: { token: string }, { id }: { id: number }) => {
  // The tests of this file make more than one page of users.
  for (let cursor = ''; ; ) {
    const { body } = await app.call(`GET /api/admin/users?limit=100${cursor}`, { token: by.token });
    const found = body.users.find((user: { id: number }) => user.id === id);
    if (found !== undefined || body.nextCursor === null) return found;
    cursor = `&cursor=${encodeURIComponent(body.nextCursor)}`;
  }
};

async function idsOf(table: 'time_entries' | 'photos' | 'activity_suggestions', { id }: { id: number }) {
  const rows = await app.deps.database.db.selectFrom(table).select('id').where('user_id', '=', id).execute();
  return rows.map((row) => row.id).toSorted((a, b) => a - b);
}

/** Somebody with two accounts, each with hours, and a photo and an idea of the first. */
async function aPair() {
  const [one, other] = [await aSchool(app), await aSchool(app)];
  const category = await aCategory(app, { school: one });
  const from = await aPerson(app, { schools: [one, other], firstName: 'Anna', lastName: 'Lee' });
  const into = await aPerson(app, { schools: [one], firstName: 'Ann', lastName: 'Lee' });
  const [here, there] = [
    await anActivity(app, { school: one, category }),
    await anActivity(app, { school: other }),
  ];
  for (const date of ['2026-01-05', '2026-01-06', '2026-02-02'])
    await anEntry(app, { by: from, activity: here, hours: 1.5, date });
  await anEntry(app, { by: from, activity: there, hours: 2, date: '2026-02-02' });
  await anEntry(app, { by: from, activity: here, hours: 3, date: '2026-02-03', deletedBy: from });
  await anEntry(app, { by: into, activity: here, hours: 1, date: '2026-02-02' });
  const photo = await aPhoto(app, { by: from, activity: here });
  await aSuggestion(app, { by: from, school: one, category });
  return { one, other, here, there, photo, from, into, admin: await anAdministrator(app) };
}

const isTrue = async () => expect(await verifyRollups(app.deps.database)).toEqual([]);

describe('every column that refers to a person', () => {
  test('is reassigned, combined, set aside, revoked or deliberately left unchanged in a merge', async () => {
    const PERSON = /(^|_)(user|person|actor)_id$|_by$/;
    const { db } = app.deps.database;
    const tables = await db.introspection.getTables({ withInternalKyselyTables: true });
    const there = tables.flatMap(({ name, columns }) =>
      columns.filter((column) => PERSON.test(column.name)).map((column) => `${name}.${column.name}`),
    );
    const named: string[] = [
      ...MOVES.map(({ column }) => column),
      ...JOINED_COLUMNS,
      ...SET_ASIDE_COLUMNS,
      ...ENDS,
      ...Object.keys(UNCHANGED_COLUMNS),
    ];
    expect(there.filter((column) => !named.includes(column))).toEqual([]);
    expect(named.filter((column) => !there.includes(column))).toEqual([]);
    expect(named.length).toBe(new Set(named).size);
  });
});

describe('a merge', () => {
  test('moves all data to the surviving account, and undoing it moves the data back', async () => {
    const { from, into, admin, there, other, one } = await aPair();
    const before = { entries: await idsOf('time_entries', from), own: await idsOf('time_entries', into) };
    const [photos, ideas] = [await idsOf('photos', from), await idsOf('activity_suggestions', from)];
    const reply = await merge(admin, from, into, { keep: { firstName: 'from' } });
    expect(reply.status).toBe(200);
    expect(reply.body.user).toMatchObject({ id: into.id, firstName: 'Anna', email: into.email });
    expect(reply.body.user.schools.map(({ id }: { id: number }) => id).toSorted()).toEqual([
      one.id,
      other.id,
    ]);
    expect(await idsOf('time_entries', into)).toEqual(
      [...before.entries, ...before.own].toSorted((a, b) => a - b),
    );
    expect(await idsOf('time_entries', from)).toEqual([]);
    expect([await idsOf('photos', into), await idsOf('activity_suggestions', into)]).toEqual([photos, ideas]);
    expect(await find(admin, from)).toBeUndefined();
    await isTrue();

    const since = await anEntry(app, { by: into, activity: there, hours: 4, date: '2026-03-02' });
    const parted = await undo(admin, reply.body.merge.id);
    expect(parted.status).toBe(200);
    expect(parted.body.user).toMatchObject({
      id: from.id,
      email: from.email,
      firstName: 'Anna',
      isActive: true,
    });
    expect(await idsOf('time_entries', from)).toEqual(before.entries);
    expect(await idsOf('time_entries', into)).toEqual([...before.own, since.id]);
    expect([await idsOf('photos', from), await idsOf('activity_suggestions', from)]).toEqual([photos, ideas]);
    expect((await find(admin, from)).schools).toHaveLength(2);
    const kept = await find(admin, into);
    expect(kept).toMatchObject({ firstName: 'Ann', schools: [{ id: one.id }] });
    expect((await undo(admin, reply.body.merge.id)).status).toBe(409);
    const login = { email: from.email, password: PASSWORD };
    expect((await app.call('POST /api/auth/login', { body: login })).status).toBe(200);
    await isTrue();
  });

  test('ends the merged account’s sessions, and disables sign-in with its address', async () => {
    const { from, into, admin } = await aPair();
    expect((await merge(admin, from, into)).status).toBe(200);
    expect((await app.call('GET /api/profile', { token: from.token })).status).toBe(401);
    expect((await app.call('GET /api/profile', { token: into.token })).status).toBe(200);
    const sent = (email: string) => app.call('POST /api/auth/login', { body: { email, password: PASSWORD } });
    const [gone, unknown] = [await sent(from.email), await sent('nobody@maplegrove.example')];
    expect([gone.status, gone.body.error]).toEqual([unknown.status, unknown.body.error]);
  });

  test('does not restore ended sessions when undone', async () => {
    const { from, into, admin } = await aPair();
    const { body } = await merge(admin, from, into);
    expect((await undo(admin, body.merge.id)).status).toBe(200);
    expect((await app.call('GET /api/profile', { token: from.token })).status).toBe(401);
  });

  test('moves the address if requested, and undoing it restores both addresses', async () => {
    const { from, into, admin } = await aPair();
    const { body } = await merge(admin, from, into, { keep: { email: 'from' } });
    expect(body.user.email).toBe(from.email);
    const login = await app.call('POST /api/auth/login', { body: { email: from.email, password: PASSWORD } });
    expect(login.body.user.id).toBe(into.id);
    expect((await undo(admin, body.merge.id)).status).toBe(200);
    expect([(await find(admin, from)).email, (await find(admin, into)).email]).toEqual([
      from.email,
      into.email,
    ]);
  });

  test('is recorded in the history of both accounts, and so is undoing it', async () => {
    const { from, into, admin } = await aPair();
    const { body } = await merge(admin, from, into);
    await undo(admin, body.merge.id);
    const rows = await app.deps.database.db
      .selectFrom('audit_events')
      .select(['action', 'subject_id'])
      .where('actor_id', '=', admin.id)
      .where('action', 'like', 'account.%')
      .orderBy('id')
      .execute();
    expect(rows.map((row) => [row.action, row.subject_id])).toEqual([
      ['account.merge-away', from.id],
      ['account.merge', into.id],
      ['account.part-away', from.id],
      ['account.part', into.id],
    ]);
  });

  test('shows the merged account’s history under the surviving account', async () => {
    const { from, into, admin } = await aPair();
    await app.call('PUT /api/profile', { token: from.token, body: { firstName: 'Annie' } });
    await merge(admin, from, into);
    const { body } = await app.call(`GET /api/admin/audit?userId=${into.id}`, { token: admin.token });
    expect(JSON.stringify(body)).toContain('account.edit');
  });
});

describe('a merge (permissions)', () => {
  async function aSchoolAdministrator(school: { id: number }) {
    const person = await aPerson(app, { schools: [school] });
    await app.deps.database.db
      .insertInto('user_grants')
      .values({ user_id: person.id, role: 'school-admin', school_id: school.id, created_at: app.clock.now() })
      .execute();
    return person;
  }

  test('by a school administrator is allowed only if all data of both people is at their school', async () => {
    const [one, other] = [await aSchool(app), await aSchool(app)];
    const boss = await aSchoolAdministrator(one);
    const [ann, anna] = [await aPerson(app, { schools: [one] }), await aPerson(app, { schools: [one] })];
    const far = await aPerson(app, { schools: [one, other] });
    const away = await aPerson(app, { schools: [other] });
    const past = await aPerson(app, { schools: [one] });
    await anEntry(app, { by: past, activity: await anActivity(app, { school: other }) });
    expect((await merge(boss, far, ann)).status).toBe(403);
    expect((await merge(boss, ann, far)).status).toBe(403);
    expect((await merge(boss, away, ann)).status).toBe(404);
    expect((await merge(boss, past, ann)).status).toBe(403);
    expect((await merge(boss, await anAdministrator(app), ann)).status).toBe(404);
    const done = await merge(boss, anna, ann);
    expect(done.status).toBe(200);
    expect((await undo(boss, done.body.merge.id)).status).toBe(200);
  });

  test('is rejected by a volunteer, of one’s own account, and of an account into itself', async () => {
    const [admin, ann] = [await anAdministrator(app), await aPerson(app)];
    expect((await merge(admin, admin, ann)).status).toBe(403);
    expect((await merge(admin, ann, ann)).status).toBe(400);
    expect((await merge(ann, admin, ann)).status).toBe(403);
  });

  test('is rejected if either account has already been merged', async () => {
    const { from, into, admin } = await aPair();
    const third = await aPerson(app);
    expect((await merge(admin, from, into)).status).toBe(200);
    for (const [one, other] of [
      [from, into],
      [from, third],
      [third, from],
    ] as const)
      expect((await merge(admin, one, other)).status).toBe(404);
  });

  test('is rejected under a legal hold or after a deletion request', async () => {
    const { from, into, admin } = await aPair();
    const held = await app.call('POST /api/admin/legal-holds', {
      token: admin.token,
      body: { userId: from.id, reason: 'Court order' },
    });
    expect(held.status).toBe(201);
    expect((await merge(admin, from, into)).status).toBe(409);
    expect((await merge(admin, into, from)).status).toBe(409);
    const next = await aPair();
    await app.call('POST /api/profile/erasure-request', { token: next.from.token, body: { reason: null } });
    expect((await merge(admin, next.from, next.into)).status).toBe(409);
  });

  test('moves an administrator’s rights, and undoing it moves them back', async () => {
    const [head, from, into] = [await anAdministrator(app), await anAdministrator(app), await aPerson(app)];
    const { body } = await merge(head, from, into);
    expect(body.user.role).toBe('admin');
    expect((await undo(head, body.merge.id)).body.user.role).toBe('admin');
    expect((await find(head, into)).role).toBe('user');
  });
});

describe('hours that one of the merged accounts verified or declined for the other', () => {
  const DECIDED = ['verified', 'declined'] as const;

  async function aDecision(verification: (typeof DECIDED)[number] = 'verified') {
    const school = await aSchool(app, { verification: 'on' });
    const walkIn = await aPerson(app, { schools: [school] });
    const boss = await aPersonWithRole(app, 'school-admin', school, { schools: [school] });
    const activity = await anActivity(app, { school });
    const entry = await anEntry(app, { by: walkIn, activity, hours: 12 });
    const { db } = app.deps.database;
    const at = app.clock.now();
    const counted_hundredths = verification === 'verified' ? 1200 : 0;
    await db
      .updateTable('time_entries')
      .set({ verification, counted_hundredths, decided_by: boss.id, decided_at: at })
      .where('id', '=', entry.id)
      .execute();
    const stateOf = () =>
      db
        .selectFrom('time_entries')
        .select(['user_id', 'verification', 'counted_hundredths', 'decided_by', 'decided_by_external'])
        .where('id', '=', entry.id)
        .executeTakeFirstOrThrow();
    return { walkIn, boss, admin: await anAdministrator(app), stateOf, before: await stateOf() };
  }

  test.each(DECIDED)('become pending if %s until the merge is undone', async (decision) => {
    const { walkIn, boss, stateOf, before } = await aDecision(decision);
    const { body } = await merge(boss, walkIn, boss);
    expect(await stateOf()).toEqual({
      user_id: boss.id,
      verification: 'waiting',
      counted_hundredths: 0,
      decided_by: null,
      decided_by_external: null,
    });
    await isTrue();
    await undo(boss, body.merge.id);
    expect(await stateOf()).toEqual(before);
    await isTrue();
  });

  test.each([
    ['merged', false],
    ['surviving', true],
  ])('become unverified if the %s account verified them by email', async (_which, verifierStays) => {
    const { walkIn, boss, admin, stateOf } = await aDecision();
    const { db } = app.deps.database;
    await db
      .updateTable('time_entries')
      .set({ decided_by: null, decided_by_external: boss.email })
      .where('user_id', '=', walkIn.id)
      .execute();
    const [from, into] = verifierStays ? [walkIn, boss] : [boss, walkIn];
    await merge(admin, from, into);
    expect((await stateOf()).verification).toBe('waiting');
  });
});

describe('verified hours', () => {
  /** Verified hours of a member at a school, by somebody or, without `by`, since their activity is trusted. */
  async function verifiedHours(school: { id: number }, by: { id: number } | null) {
    const member = await aPerson(app, { schools: [school] });
    const { id } = await anEntry(app, { by: member, activity: await anActivity(app, { school }), hours: 23 });
    const { db } = app.deps.database;
    const decided = { decided_by: by?.id ?? null, decided_at: app.clock.now() };
    await db
      .updateTable('time_entries')
      .set({ verification: 'verified', counted_hundredths: 2300, ...decided })
      .where('id', '=', id)
      .execute();
    const status = async () =>
      (await db.selectFrom('time_entries').selectAll().where('id', '=', id).executeTakeFirstOrThrow())
        .verification;
    return { member, status };
  }

  test('of a trusted activity become unverified in a merge if either account may mark it as trusted', async () => {
    const [school, admin] = [await aSchool(app, { verification: 'on' }), await anAdministrator(app)];
    for (const editorStays of [true, false]) {
      const editor = await aPersonWithRole(app, 'coordinator', school, { schools: [school] });
      const { member, status } = await verifiedHours(school, null);
      const [from, into] = editorStays ? [member, editor] : [editor, member];
      const { body } = await merge(admin, from, into);
      expect(await status()).toBe('waiting');
      await isTrue();
      await undo(admin, body.merge.id);
      expect(await status()).toBe('verified');
    }
  });

  test('of a trusted activity stay verified in a merge if neither account may mark it as trusted', async () => {
    const [school, admin] = [await aSchool(app, { verification: 'on' }), await anAdministrator(app)];
    const elsewhere = await aPersonWithRole(app, 'coordinator', await aSchool(app), { schools: [school] });
    const { member, status } = await verifiedHours(school, null);
    await merge(admin, member, elsewhere);
    expect(await status()).toBe('verified');
  });

  test('become unverified if an administrator merges another account into their own', async () => {
    const [school, other] = [await aSchool(app, { verification: 'on' }), await anAdministrator(app)];
    const boss = await aPersonWithRole(app, 'school-admin', school, { schools: [school] });
    const { member, status } = await verifiedHours(school, other);
    await merge(boss, member, boss);
    expect(await status()).toBe('waiting');
  });
});

describe('a merge that moves the address', () => {
  const signIn = async (email: string, password: string) =>
    (await app.call('POST /api/auth/login', { body: { email, password } })).body.user?.id;
  const setOwnPassword = async ({ id }: { id: number }, password: string) => {
    const change = { password_hash: await hashPassword(password) };
    await app.deps.database.db.updateTable('users').set(change).where('id', '=', id).execute();
  };

  test('when undone, removes rights that the surviving account got since, and lists them', async () => {
    const [school, other] = [await aSchool(app, { name: 'Elm' }), await aSchool(app, { name: 'Fir' })];
    const [admin, boss] = [await anAdministrator(app), await aPersonWithRole(app, 'school-admin', school)];
    const from = await aPerson(app, { schools: [school], firstName: 'Vera', lastName: 'Own' });
    const into = await aPersonWithRole(app, 'coordinator', school, { schools: [school] });
    const { body } = await merge(boss, from, into, { keep: { email: 'from', firstName: 'from' } });
    const grants = [
      { role: 'coordinator', schoolId: school.id },
      { role: 'auditor', schoolId: other.id },
    ];
    const given = await app.call(`PUT /api/admin/users/${into.id}`, {
      token: admin.token,
      body: { role: 'admin', grants, schoolIds: [school.id, other.id] },
    });
    expect(given.status).toBe(200);
    await app.call('POST /api/admin/invites', {
      token: (await app.call('POST /api/auth/login', { body: { email: from.email, password: PASSWORD } }))
        .body.token,
      body: { email: `friend-${from.email}`, schoolIds: [other.id] },
    });
    expect((await undo(boss, body.merge.id)).status).toBe(404);
    const parted = await undo(admin, body.merge.id);
    expect(parted.body.leftOut).toEqual(['district administrator', 'auditor of Fir', 'member of Fir']);
    expect(parted.body.message).toBe(
      `Vera Own has a separate account again. Pat ${into.lastName} no longer has what was added after the merge: district administrator, auditor of Fir, and member of Fir`,
    );
    expect(await find(admin, into)).toMatchObject({
      email: into.email,
      role: 'user',
      schools: [{ id: school.id }],
      grants: [{ role: 'coordinator', school: { id: school.id } }],
    });
    expect(await find(admin, from)).toMatchObject({ role: 'user', grants: [] });
    const { db } = app.deps.database;
    const invites = db.selectFrom('invites').select('id').where('invited_by', '=', into.id);
    expect(await invites.execute()).toEqual([]);
  });

  test('when undone, ends access to the surviving account by that address, and notifies both owners', async () => {
    const { from: ann, into: bob, admin } = await aPair();
    await setOwnPassword(bob, 'bob-of-old-71');
    const { body } = await merge(admin, ann, bob, { keep: { email: 'from' } });
    const token = (await app.call('POST /api/auth/login', { body: { email: ann.email, password: PASSWORD } }))
      .body.token;
    await app.call('POST /api/auth/forgot-password', { body: { email: ann.email } });
    await setOwnPassword(bob, 'ann-since-the-merge-5');
    await undo(admin, body.merge.id);
    expect((await app.call('GET /api/profile', { token })).status).toBe(401);
    const links = app.deps.database.db.selectFrom('password_links').select('id');
    expect(await links.where('user_id', '=', bob.id).execute()).toEqual([]);
    expect(await signIn(bob.email, 'ann-since-the-merge-5')).toBeUndefined();
    expect(await signIn(bob.email, 'bob-of-old-71')).toBe(bob.id);
    expect(await signIn(ann.email, PASSWORD)).toBe(ann.id);
    const [toAnn, toBob] = [await emailsSentTo(app, ann.email), await emailsSentTo(app, bob.email)];
    expect(toAnn.at(-1)?.text).toContain('Sign in with the password from before the merge.');
    expect(toAnn.at(-1)?.text).toContain('Devices that were already signed in were signed out.');
    expect(toBob.at(-1)?.text).toContain('Yours has this address again');
  });

  test('also moves the password, and disables that of the surviving account', async () => {
    const { from, into, admin } = await aPair();
    await setOwnPassword(into, 'known-to-others-33');
    await merge(admin, from, into, { keep: { email: 'from' } });
    expect(await signIn(from.email, 'known-to-others-33')).toBeUndefined();
    expect(await signIn(from.email, PASSWORD)).toBe(into.id);
  });
});

describe('undoing a merge', () => {
  test('does not restore rights that the surviving account has lost since', async () => {
    const [school, other] = [await aSchool(app, { name: 'Ash' }), await aSchool(app, { name: 'Birch' })];
    const admin = await anAdministrator(app);
    const from = await aPersonWithRole(app, 'coordinator', school, {
      role: 'admin',
      schools: [school, other],
      firstName: 'Dana',
      lastName: 'Gone',
    });
    const into = await aPerson(app, { schools: [school] });
    const { db } = app.deps.database;
    // The account that stays is a member of Birch by the merge alone, where it only had asked.
    await db
      .insertInto('user_schools')
      .values({ user_id: into.id, school_id: other.id, status: 'pending', created_at: app.clock.now() })
      .execute();
    const { body } = await merge(admin, from, into);
    const change = { role: 'user', grants: [], schoolIds: [school.id], isActive: false };
    const dismissed = await app.call(`PUT /api/admin/users/${into.id}`, { token: admin.token, body: change });
    expect(dismissed.status).toBe(200);
    const parted = await undo(admin, body.merge.id);
    expect(parted.body.user).toMatchObject({ role: 'user', isActive: false, grants: [] });
    expect(parted.body.user.schools).toMatchObject([{ id: school.id }]);
    expect(parted.body.leftOut).toEqual([
      'the active account',
      'district administrator',
      'coordinator at Ash',
      'member of Birch',
    ]);
    expect(parted.body.message).toBe(
      'Dana Gone has a separate account again, without what was removed in the meantime: the active account, district administrator, coordinator at Ash, and member of Birch',
    );
    expect(await find(admin, into)).toMatchObject({ schools: [{ id: school.id }], pendingSchools: [] });
    const login = { email: from.email, password: PASSWORD };
    expect((await app.call('POST /api/auth/login', { body: login })).status).toBe(401);
  });

  test('lets only the district reactivate the account if the district deactivated the surviving one', async () => {
    const [school, admin] = [await aSchool(app), await anAdministrator(app)];
    const boss = await aPersonWithRole(app, 'school-admin', school);
    const from = await aPerson(app, { schools: [school], firstName: 'Dana', lastName: 'Gone' });
    const into = await aPerson(app, { schools: [school] });
    const { body } = await merge(boss, from, into);
    const change = (by: { token: string }, { id }: { id: number }, isActive: boolean) =>
      app.call(`PUT /api/admin/users/${id}`, { token: by.token, body: { isActive } });
    await change(admin, into, false);
    expect((await undo(boss, body.merge.id)).status).toBe(404);
    expect((await undo(admin, body.merge.id)).body.user).toMatchObject({ id: from.id, isActive: false });
    const refused = await change(boss, from, true);
    expect([refused.status, refused.body.error]).toEqual([
      403,
      'The district deactivated the account of Dana Gone. Only a district administrator can reactivate, merge or delete it, or change its address or password.',
    ]);
    expect((await change(admin, from, true)).body.user).toMatchObject({ isActive: true });
  });

  test('restores only roles and photo approvals that the surviving account still has', async () => {
    const [school, admin] = [await aSchool(app), await anAdministrator(app)];
    const from = await aPersonWithRole(app, 'coordinator', school, { schools: [school] });
    const into = await aPerson(app);
    const { body } = await merge(admin, from, into);
    const { db } = app.deps.database;
    await db.updateTable('user_schools').set({ is_approved: 0 }).where('user_id', '=', into.id).execute();
    const parted = await undo(admin, body.merge.id);
    expect(parted.body).toMatchObject({
      leftOut: [],
      user: { isActive: true, schools: [{ id: school.id }] },
    });
    expect(parted.body.user.grants).toMatchObject([{ role: 'coordinator', school: { id: school.id } }]);
    const row = await db
      .selectFrom('user_schools')
      .select('is_approved')
      .where('user_id', '=', from.id)
      .executeTakeFirst();
    expect(row?.is_approved).toBe(0);
  });

  test('is possible for thirty days, after which the data for it is deleted', async () => {
    const { from, into, admin } = await aPair();
    const { body } = await merge(admin, from, into);
    const { db } = app.deps.database;
    const rows = () =>
      db.selectFrom('account_merge_rows').selectAll().where('merge_id', '=', body.merge.id).execute();
    expect((await rows()).length).toBeGreaterThan(3);
    app.clock.advance(31 * DAY_MS);
    await transaction(app.deps.database, (trx) => cleanUpMerges(trx, app.clock.now()));
    expect(await rows()).toEqual([]);
    const late = await anAdministrator(app);
    const reply = await undo(late, body.merge.id);
    expect([reply.status, reply.body.error]).toEqual([409, 'A merge can only be undone within 30 days']);
  });

  test('requires later merges into the same account to be undone first', async () => {
    const { from, into, admin } = await aPair();
    const third = await aPerson(app);
    const first = await merge(admin, from, into);
    const second = await merge(admin, third, into);
    expect((await undo(admin, first.body.merge.id)).status).toBe(409);
    expect((await undo(admin, second.body.merge.id)).status).toBe(200);
    expect((await undo(admin, first.body.merge.id)).status).toBe(200);
  });

  test('is rejected while another account uses the merged account’s address', async () => {
    const { from, into, admin } = await aPair();
    const { body } = await merge(admin, from, into);
    await aPerson(app, { email: from.email });
    expect((await undo(admin, body.merge.id)).status).toBe(409);
  });
});

test('erasing the surviving account erases the accounts merged into it', async () => {
  const { from, into, admin } = await aPair();
  const { body } = await merge(admin, from, into);
  const reply = await app.call(`POST /api/admin/users/${into.id}/erase`, { token: admin.token });
  expect(reply.status).toBe(200);
  const { db } = app.deps.database;
  const rows = await db
    .selectFrom('users')
    .select('first_name')
    .where('id', 'in', [from.id, into.id])
    .execute();
  expect(rows.map((row) => row.first_name)).toEqual(['Former', 'Former']);
  expect(await db.selectFrom('account_merges').selectAll().where('id', '=', body.merge.id).execute()).toEqual(
    [],
  );
  const record = await db.selectFrom('audit_events').selectAll().where('subject_id', '=', from.id).execute();
  expect(JSON.stringify(record)).not.toContain(from.email);
  await isTrue();
});

describe('a merge with concurrent requests', () => {
  test('succeeds once if another request merges the same people in the opposite direction', async () => {
    const { from, into, admin } = await aPair();
    const both = await Promise.all([merge(admin, from, into), merge(admin, into, from)]);
    expect(both.map(({ status }) => status).toSorted()).toEqual([200, 404]);
    await isTrue();
  });

  test('moves hours that are being logged to the surviving account', async () => {
    const { from, into, admin, here } = await aPair();
    const { db } = app.deps.database;
    const { id: _, ...row } = await db
      .selectFrom('time_entries')
      .selectAll()
      .where('user_id', '=', from.id)
      .where('activity_id', '=', here.id)
      .limit(1)
      .executeTakeFirstOrThrow();
    const reply = await sendDuring(
      app,
      (trx) =>
        trx
          .insertInto('time_entries')
          .values({ ...row, entry_date: '2026-01-20' as never })
          .execute(),
      () => merge(admin, from, into),
    );
    expect(reply.status).toBe(200);
    expect(await idsOf('time_entries', from)).toEqual([]);
    await isTrue();
  });

  test('fails, or is erased with the surviving account, if that account is being erased', async () => {
    const { from, into, admin } = await aPair();
    const both = await Promise.all([
      merge(admin, from, into),
      app.call(`POST /api/admin/users/${into.id}/erase`, { token: admin.token }),
    ]);
    expect(both[1].status).toBe(200);
    const { db } = app.deps.database;
    const left = await db.selectFrom('users').select('first_name').where('id', '=', from.id).execute();
    expect(left[0]?.first_name).toBe(both[0].status === 200 ? 'Former' : 'Anna');
    await isTrue();
  });
});

test('deleting the surviving account deletes the accounts merged into it', async () => {
  const [admin, from, into] = [await anAdministrator(app), await aPerson(app), await aPerson(app)];
  await merge(admin, from, into);
  const reply = await app.call(`DELETE /api/admin/users/${into.id}`, { token: admin.token });
  expect(reply.status).toBe(200);
  const { db } = app.deps.database;
  const left = await db.selectFrom('users').select('id').where('id', 'in', [from.id, into.id]).execute();
  expect(left).toEqual([]);
});

test('the merge preview counts each account’s data and names what prevents the merge', async () => {
  const { from, into, admin } = await aPair();
  const look = (one: number, other: number) =>
    app.call(`GET /api/admin/users/${one}/merge?into=${other}`, { token: admin.token });
  const { body } = await look(from.id, into.id);
  expect(body.problem).toBeNull();
  expect(body.from).toMatchObject({
    entries: 4,
    hours: 6.5,
    photos: 1,
    suggestions: 1,
    letters: 0,
    signsIn: true,
  });
  expect(body.into).toMatchObject({ entries: 1, hours: 1, photos: 0 });
  expect((await look(admin.id, into.id)).body.problem).toContain('your own account');
});

test('an account that can sign in cannot be merged into a guest volunteer, only the other way around', async () => {
  const { from, into, admin } = await aPair();
  const { db } = app.deps.database;
  await db
    .updateTable('users')
    .set({ is_walk_in: 1, password_hash: null })
    .where('id', '=', into.id)
    .execute();
  expect((await merge(admin, from, into)).status).toBe(409);
  const done = await merge(admin, into, from);
  expect(done.status).toBe(200);
  expect((await undo(admin, done.body.merge.id)).body.user.isWalkIn).toBe(true);
});

describe('a merge (edge cases)', () => {
  test('approves the surviving account for photos if the merged account was approved', async () => {
    const { from, into, admin, one } = await aPair();
    const { db } = app.deps.database;
    const isLetIn = async (id: number) =>
      (
        await db
          .selectFrom('user_schools')
          .select(['status', 'is_approved'])
          .where('user_id', '=', id)
          .where('school_id', '=', one.id)
          .executeTakeFirstOrThrow()
      ).is_approved;
    await db.updateTable('user_schools').set({ is_approved: 0 }).where('user_id', '=', into.id).execute();
    const { body } = await merge(admin, from, into);
    expect(await isLetIn(into.id)).toBe(1);
    expect((await undo(admin, body.merge.id)).status).toBe(200);
    expect([await isLetIn(into.id), await isLetIn(from.id)]).toEqual([0, 1]);
  });

  test('does not restore a school that was deleted before the undo', async () => {
    const { into, admin } = await aPair();
    const [gone, own] = [await aSchool(app), await aSchool(app)];
    const from = await aPerson(app, { schools: [gone, own] });
    const { body } = await merge(admin, from, into);
    await app.deps.database.db.deleteFrom('schools').where('id', '=', gone.id).execute();
    const parted = await undo(admin, body.merge.id);
    expect(parted.status).toBe(200);
    expect(parted.body.user.schools.map(({ id }: { id: number }) => id)).toEqual([own.id]);
  });

  test('keeps an imported account that another was merged into if the import is undone', async () => {
    const [admin, school, from] = [await anAdministrator(app), await aSchool(app), await aPerson(app)];
    const email = `new-${from.email}`;
    const list = { csv: `firstName,lastName,email\nNia,Lee,${email}\n`, schoolIds: [school.id] };
    const { token } = admin;
    const { body: seen } = await app.call('POST /api/admin/user-imports/preview', { token, body: list });
    const { body: made } = await app.call('POST /api/admin/user-imports', {
      token,
      body: { ...list, key: seen.preview.key, sendMail: false },
    });
    const { id } = await app.deps.database.db
      .selectFrom('users')
      .select('id')
      .where('email', '=', email)
      .executeTakeFirstOrThrow();
    const { body } = await merge(admin, from, { id });
    const taken = await app.call(`POST /api/admin/user-imports/${made.userImport.id}/undo`, { token });
    expect([taken.status, taken.body.keptCount]).toEqual([200, 1]);
    expect((await undo(admin, body.merge.id)).status).toBe(200);
    expect((await find(admin, from)).email).toBe(from.email);
  });

  test('keeps a service letter of the merged account verifiable, with its original name', async () => {
    const { from, into, admin } = await aPair();
    const asked = { startDate: '2026-01-01', endDate: '2026-03-01', schoolId: null, withDates: false };
    const { body } = await app.call('POST /api/reports/letters', {
      token: from.token,
      body: { ...asked, language: 'en' },
    });
    const check = () =>
      app.call('POST /api/letters/check', { body: { code: body.letter.code, lastName: 'Lee' } });
    const before = await check();
    expect(before.status).toBe(200);
    await merge(admin, from, into);
    const after = await check();
    expect([after.status, after.body.letter?.name]).toEqual([200, before.body.letter?.name]);
  });

  test('disables the merged account’s passkeys and two-factor authentication until it is undone', async () => {
    const { from, into, admin } = await aPair();
    const { db } = app.deps.database;
    const at = app.clock.now();
    await db
      .insertInto('totp_secrets')
      .values({ user_id: from.id, sealed: 'x', last_step: 0, created_at: at, last_used_at: null })
      .execute();
    await db
      .insertInto('passkeys')
      .values({
        user_id: from.id,
        credential_id: `key-${from.id}`,
        user_handle: `handle-${from.id}`,
        public_key: 'x',
        counter: 1,
        transports: '[]',
        rp_id: 'maplegrove.example',
        name: 'Phone',
        created_at: at,
      })
      .execute();
    const held = async () => ({
      keys: (
        await db.selectFrom('passkeys').select('user_id').where('rp_id', '=', 'maplegrove.example').execute()
      ).map((row) => row.user_id),
      steps: (await db.selectFrom('totp_secrets').select('user_id').execute()).map((row) => row.user_id),
    });
    const { body } = await merge(admin, from, into);
    expect(await held()).toEqual({ keys: [], steps: [] });
    const sealed = await db
      .selectFrom('account_merge_rows')
      .select('sealed')
      .where('merge_id', '=', body.merge.id)
      .execute();
    expect(JSON.stringify(sealed)).not.toContain(`key-${from.id}`);
    await undo(admin, body.merge.id);
    expect(await held()).toEqual({ keys: [from.id], steps: [from.id] });
  });

  test('keeps its undo data beyond thirty days under a legal hold', async () => {
    const { from, into, admin } = await aPair();
    const { body } = await merge(admin, from, into);
    await app.call('POST /api/admin/legal-holds', {
      token: admin.token,
      body: { userId: into.id, reason: 'Court order' },
    });
    app.clock.advance(31 * DAY_MS);
    await transaction(app.deps.database, (trx) => cleanUpMerges(trx, app.clock.now()));
    const row = await app.deps.database.db
      .selectFrom('account_merges')
      .select('sealed')
      .where('id', '=', body.merge.id)
      .executeTakeFirstOrThrow();
    expect(row.sealed).not.toBeNull();
  });

  test('appears with its date in the data export', async () => {
    const { from, into, admin } = await aPair();
    await merge(admin, from, into);
    const { body } = await app.call('GET /api/profile/data', { token: into.token });
    expect(body.merges).toEqual([{ mergedAt: app.clock.now(), undoneAt: null }]);
    expect(body.timeEntries).toHaveLength(6);
  });
});

describe('a request to merge', () => {
  test('merges once if sent twice with one Idempotency-Key', async () => {
    const { from, into, admin } = await aPair();
    const send = () =>
      app.call(`POST /api/admin/users/${from.id}/merge`, {
        token: admin.token,
        body: { into: into.id },
        headers: { 'idempotency-key': `merge-${from.id}` },
      });
    const [first, second] = [await send(), await send()];
    expect([first.status, second.status]).toEqual([200, 200]);
    expect(second.body.merge.id).toBe(first.body.merge.id);
  });

  test('is rejected if the account has changed since it was read', async () => {
    const { from, into, admin } = await aPair();
    const { version } = await find(admin, from);
    await app.call(`PUT /api/admin/users/${from.id}`, { token: admin.token, body: { firstName: 'Other' } });
    const reply = await app.call(`POST /api/admin/users/${from.id}/merge`, {
      token: admin.token,
      body: { into: into.id },
      headers: { 'if-match': `"${version}"` },
    });
    expect(reply.status).toBe(409);
  });
});

test('an hours import in progress logs a merged person’s hours for the surviving account', async () => {
  const { from, into, here } = await aPair();
  const [admin, third] = [await anAdministrator(app), await aPerson(app)];
  const { db } = app.deps.database;
  const { id } = await db
    .insertInto('time_entry_imports')
    .values({
      school_id: here.schoolId,
      imported_by: admin.id,
      imported_at: app.clock.now(),
      state: 'running',
      counts_immediately: 0,
      reason: null,
      planned: 1,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  const entries = JSON.stringify([[from.id, here.id, '2026-01-20', 1, null]]);
  await db.insertInto('time_entry_import_chunks').values({ import_id: id, piece: 0, entries }).execute();
  await merge(admin, from, into);
  await merge(admin, into, third);
  const before = await idsOf('time_entries', third);
  await transaction(app.deps.database, (trx) => processNextChunk(trx, id));
  expect((await idsOf('time_entries', third)).length).toBe(before.length + 1);
});

describe('the list of possible duplicates', () => {
  const look = (by: { token: string }, query = '') =>
    app.call(`GET /api/admin/duplicates?${query}`, { token: by.token });
  const namesOf = (body: { pairs: { one: { user: { id: number } }; other: { user: { id: number } } }[] }) =>
    body.pairs.map(({ one, other }) => [one.user.id, other.user.id]);

  test('is paginated, includes each account’s hours, and omits merged and dismissed pairs', async () => {
    const [admin, school] = [await anAdministrator(app), await aSchool(app)];
    const name = { firstName: 'Wilhelmina', lastName: `Pfeiffer ${school.id}`, schools: [school] };
    const people = [await aPerson(app, name), await aPerson(app, name), await aPerson(app, name)];
    const [one, two, three] = people.map(({ id }) => id) as [number, number, number];
    const activity = await anActivity(app, { school });
    await anEntry(app, { by: { id: two } as never, activity, hours: 2.5, date: '2026-01-05' });
    const search = `search=Pfeiffer%20${school.id}`;
    const first = await look(admin, `${search}&limit=2`);
    expect([first.body.total, first.body.pairs[0].reason]).toEqual([3, 'name']);
    const rest = await look(admin, `${search}&limit=2&cursor=${first.body.nextCursor}`);
    expect([...namesOf(first.body), ...namesOf(rest.body)]).toEqual([
      [one, two],
      [one, three],
      [two, three],
    ]);
    expect(rest.body.nextCursor).toBeNull();
    expect(first.body.pairs[0].other).toMatchObject({ entries: 1, hours: 2.5 });
    const tell = (areTwo: boolean) =>
      app.call(`PUT /api/admin/users/${two}/apart`, { token: admin.token, body: { other: one, areTwo } });
    expect((await tell(true)).status).toBe(200);
    expect((await tell(true)).status).toBe(200);
    expect(namesOf((await look(admin, search)).body)).toEqual([
      [one, three],
      [two, three],
    ]);
    await tell(false);
    expect((await look(admin, `${search}&userId=${one}`)).body.total).toBe(2);
    await merge(admin, { id: three }, { id: one });
    expect(namesOf((await look(admin, search)).body)).toEqual([[one, two]]);
    const said = await app.deps.database.db
      .selectFrom('audit_events')
      .select('action')
      .where('actor_id', '=', admin.id)
      .where('subject_id', '=', two)
      .orderBy('id')
      .execute();
    expect(said.map(({ action }) => action)).toEqual(['account.apart', 'account.alike']);
  });

  test('shows a school administrator only pairs within their schools', async () => {
    const [own, far] = [await aSchool(app), await aSchool(app)];
    const boss = await aPersonWithRole(app, 'school-admin', own);
    const name = { firstName: 'Bartholomew', lastName: `Quist ${own.id}` };
    const [one, two] = [
      await aPerson(app, { ...name, schools: [own] }),
      await aPerson(app, { ...name, schools: [own] }),
    ];
    await aPerson(app, { ...name, schools: [own, far] });
    await aPerson(app, { ...name, schools: [far] });
    const { body } = await look(boss);
    expect(namesOf(body)).toEqual([[one.id, two.id]]);
    expect((await look(one)).status).toBe(403);
  });

  test('pairs a guest volunteer with a member by name or by the address on the sheet', async () => {
    const [admin, school] = [await anAdministrator(app), await aSchool(app)];
    const member = await aPerson(app, {
      firstName: 'Ottoline',
      lastName: `Vane ${school.id}`,
      schools: [school],
    });
    const aWalkIn = async (firstName: string, contact_email: string | null) => {
      const walkIn = await aPerson(app, { firstName, lastName: `Vane ${school.id}`, schools: [school] });
      await app.deps.database.db
        .updateTable('users')
        .set({ is_walk_in: 1, password_hash: null, contact_email })
        .where('id', '=', walkIn.id)
        .execute();
      return walkIn.id;
    };
    await aWalkIn('Ottoline', null);
    await aWalkIn('O.', member.email.toUpperCase());
    const { body } = await look(admin, `userId=${member.id}`);
    expect(body.pairs.map(({ reason }: { reason: string }) => reason)).toEqual(['address', 'walkIn']);
  });
});

test('past merges are listed for administrators who may undo them', async () => {
  const [own, far] = [await aSchool(app), await aSchool(app)];
  const [boss, admin] = [await aPersonWithRole(app, 'school-admin', own), await anAdministrator(app)];
  const some = async (school: { id: number }) => {
    const [from, into] = [
      await aPerson(app, { schools: [school], firstName: 'Old', lastName: 'Name' }),
      await aPerson(app, { schools: [school], firstName: 'New', lastName: 'Name' }),
    ];
    return (await merge(admin, from, into)).body.merge.id;
  };
  const [here, there] = [await some(own), await some(far)];
  const list = async (by: { token: string }) =>
    (await app.call('GET /api/admin/merges', { token: by.token })).body.merges;
  expect(await list(boss)).toMatchObject([
    { id: here, name: 'Old Name', into: { name: 'New Name' }, undoneAt: null, canUndo: true },
  ]);
  const ids = (await list(admin)).map(({ id }: { id: number }) => id);
  expect(ids.slice(0, 2)).toEqual([there, here]);
  await undo(admin, here);
  expect((await list(boss))[0]).toMatchObject({ undoneAt: app.clock.now(), canUndo: false });
});

describe('the list of merges offers an undo', () => {
  /** Whether the list offers it to somebody, and whether the server then does it. */
  async function offered(by: { token: string }, id: number) {
    const { body } = await app.call('GET /api/admin/merges', { token: by.token });
    const found = body.merges.find((one: { id: number }) => one.id === id);
    const { status } = await undo(by, id);
    return [found?.canUndo, status];
  }

  async function aMerge(by: { token: string }, school: { id: number }, more: object = {}) {
    const from = await aPerson(app, { schools: [school], ...more });
    const into = await aPerson(app, { schools: [school] });
    return { from, into, id: (await merge(by, from, into)).body.merge.id as number };
  }

  const isGranted = (user: { id: number }, school: { id: number } | null) =>
    app.deps.database.db
      .insertInto('user_grants')
      .values({
        user_id: user.id,
        role: 'coordinator',
        school_id: school?.id ?? null,
        created_at: app.clock.now(),
      })
      .execute();

  test('to a school administrator only if all data of the account is at their school', async () => {
    const [own, far] = [await aSchool(app), await aSchool(app)];
    const [boss, admin] = [await aPersonWithRole(app, 'school-admin', own), await anAdministrator(app)];
    const plain = await aMerge(boss, own);
    const since = await aMerge(boss, own);
    // Hours at another school, of which the account is no member any more.
    await anEntry(app, { by: since.into, activity: await anActivity(app, { school: far }) });
    expect(await offered(boss, since.id)).toEqual([false, 404]);
    expect(await offered(boss, plain.id)).toEqual([true, 200]);
    expect(await offered(admin, since.id)).toEqual([true, 200]);
  });

  test('to no school administrator if it would restore a role beyond their school', async () => {
    const [own, far] = [await aSchool(app), await aSchool(app)];
    const [boss, admin] = [await aPersonWithRole(app, 'school-admin', own), await anAdministrator(app)];
    const granted = await aPerson(app, { schools: [own] });
    await isGranted(granted, far);
    const into = await aPerson(app, { schools: [own] });
    const { id } = (await merge(admin, granted, into)).body.merge;
    await app.deps.database.db.deleteFrom('user_grants').where('user_id', '=', into.id).execute();
    const chief = await anAdministrator(app);
    const plain = await aPerson(app, { schools: [own] });
    const second = (await merge(admin, chief, plain)).body.merge.id;
    const { db } = app.deps.database;
    await db.updateTable('users').set({ role: 'user' }).where('id', '=', plain.id).execute();
    expect(await offered(boss, id)).toEqual([false, 404]);
    expect(await offered(boss, second)).toEqual([false, 404]);
    expect(await offered(admin, id)).toEqual([true, 200]);
    expect(await offered(admin, second)).toEqual([true, 200]);
  });

  test('to no one under a legal hold, after a later merge, or if the address is taken', async () => {
    const [school, admin] = [await aSchool(app), await anAdministrator(app)];
    const held = await aMerge(admin, school);
    const hold = await app.call('POST /api/admin/legal-holds', {
      token: admin.token,
      body: { userId: held.into.id, reason: 'Court order' },
    });
    expect([hold.status, await offered(admin, held.id)]).toEqual([201, [false, 409]]);
    const first = await aMerge(admin, school);
    const second = (await merge(admin, await aPerson(app), first.into)).body.merge.id;
    expect(await offered(admin, first.id)).toEqual([false, 409]);
    expect(await offered(admin, second)).toEqual([true, 200]);
    expect(await offered(admin, first.id)).toEqual([true, 200]);
    const taken = await aMerge(admin, school);
    await aPerson(app, { email: taken.from.email });
    expect(await offered(admin, taken.id)).toEqual([false, 409]);
  });
});
