import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { plusMilliseconds } from '#shared/calendar-date.ts';
import { recordOf } from '#test/audit-log.ts';
import {
  aCategory,
  aGrant,
  anActivity,
  anAddress,
  anAdministrator,
  anEntry,
  aPerson,
  aPersonWithRole,
  aPhoto,
  aSchool,
  aSuggestion,
  PASSWORD,
} from '#test/builders.ts';
import { startApp, type TestApp } from '#test/harness.ts';

let app: TestApp;
let admin: Awaited<ReturnType<typeof anAdministrator>>;
let own: { id: number; name: string };
let other: { id: number; name: string };
let head: Awaited<ReturnType<typeof aPerson>>;
beforeAll(async () => {
  app = await startApp();
  admin = await anAdministrator(app);
});
beforeEach(async () => {
  own = await aSchool(app);
  other = await aSchool(app);
  head = await aPersonWithRole(app, 'school-admin', own);
});

const by = (token: string) => (call: string, body?: object) =>
  app.call(call, { token, ...(body === undefined ? {} : { body }) });
const change = (token: string, id: number, body: object) => by(token)(`PUT /api/admin/users/${id}`, body);
const grantsOf = async (id: number) => {
  const { body } = await change(admin.token, id, { isActive: true });
  return body.user.grants.map(({ role, school }: { role: string; school: { id: number } | null }) => [
    role,
    school?.id ?? null,
  ]);
};

describe('a role', () => {
  test('can be granted and revoked by a district administrator, with audit events', async () => {
    const ann = await aPerson(app, { schools: [own] });
    const grants = [
      { role: 'coordinator', schoolId: own.id },
      { role: 'auditor', schoolId: null },
    ];
    const given = await change(admin.token, ann.id, { grants });
    expect(given.body.user.grants).toEqual([
      { role: 'auditor', school: null },
      { role: 'coordinator', school: { id: own.id, name: own.name } },
    ]);
    const profile = await by(ann.token)('GET /api/profile');
    expect(profile.body.user.grants).toEqual(given.body.user.grants);
    expect(profile.body.user.may).toContain('edit entries');
    expect(profile.body.user.may).not.toContain('run the district');
    const login = await app.call('POST /api/auth/login', { body: { email: ann.email, password: PASSWORD } });
    expect(login.body.user.grants).toEqual(given.body.user.grants);
    await change(admin.token, ann.id, { grants: [], firstName: 'Anna' });
    // One row for each role, in the record of its school alone.
    const deeds = (await recordOf(app, 'user', ann.id)).filter(({ action }) => action === 'account.change');
    expect(deeds).toMatchObject([
      { action: 'account.change', schoolId: own.id, before: {}, after: { coordinatorOf: [own.id] } },
      { action: 'account.change', schoolId: null, before: {}, after: { auditorOfAll: true } },
      { action: 'account.change', schoolId: null, before: { auditorOfAll: true }, after: {} },
      { action: 'account.change', schoolId: own.id, before: { coordinatorOf: [own.id] }, after: {} },
      { action: 'account.change', schoolId: null, after: { firstName: 'Anna' } },
    ]);
    expect(deeds[0]?.after).toEqual({ coordinatorOf: [own.id] });
    const told = await by(head.token)(`GET /api/admin/audit?limit=50`);
    expect(told.body.records.map((one: { changes: object[] }) => one.changes)).toEqual([
      [{ field: 'coordinatorOf', before: [own.name], after: null }],
      [{ field: 'coordinatorOf', before: null, after: [own.name] }],
    ]);
    expect(await grantsOf(ann.id)).toEqual([]);
    expect((await by(ann.token)('GET /api/profile')).body.user.may).toEqual([]);
  });

  test('applies at once to a new account, which then needs no school', async () => {
    const person = { email: anAddress(), firstName: 'Nia', lastName: 'New', schoolIds: [] };
    const grants = [{ role: 'auditor', schoolId: null }];
    expect((await by(admin.token)('POST /api/admin/users', person)).status).toBe(400);
    const made = await by(admin.token)('POST /api/admin/users', { ...person, grants });
    expect([made.status, made.body.user.grants]).toEqual([201, [{ role: 'auditor', school: null }]]);
    expect((await change(admin.token, made.body.user.id, { grants: [] })).status).toBe(400);
    expect(await grantsOf(made.body.user.id)).toEqual([['auditor', null]]);
  });

  test('can cover all schools only for an auditor, and a single school only if it exists', async () => {
    const ann = await aPerson(app, { schools: [own] });
    const give = (grant: object) => change(admin.token, ann.id, { grants: [grant] });
    expect((await give({ role: 'coordinator', schoolId: null })).status).toBe(400);
    expect((await give({ role: 'principal', schoolId: own.id })).status).toBe(400);
    expect((await give({ role: 'coordinator', schoolId: 999_999 })).status).toBe(404);
    expect(await grantsOf(ann.id)).toEqual([]);
  });

  test('filters the list of users', async () => {
    const ann = await aPerson(app, { schools: [own] });
    const cora = await aPersonWithRole(app, 'coordinator', own, { schools: [other] });
    const idsOf = async (query: string) => {
      const { body } = await by(admin.token)(`GET /api/admin/users?${query}`);
      expect(body.total).toBe(body.users.length);
      return body.users.map(({ id }: { id: number }) => id).sort();
    };
    expect(await idsOf(`schoolId=${own.id}`)).toEqual([head.id, ann.id, cora.id].sort());
    expect(await idsOf(`schoolId=${own.id}&role=coordinator`)).toEqual([cora.id]);
    expect(await idsOf(`schoolId=${other.id}&role=coordinator`)).toEqual([]);
    expect(await idsOf(`schoolId=${other.id}&role=user`)).toEqual([cora.id]);
    expect(await idsOf(`schoolId=${own.id}&role=volunteer`)).toEqual([ann.id]);
    expect(await idsOf(`schoolId=${other.id}&role=volunteer`)).toEqual([cora.id]);
  });

  test('as a filter of the list, combines with those for status and last sign-in', async () => {
    const { db } = app.deps.database;
    const school = await aSchool(app);
    const signedIn = async (days: number | null, isActive: 0 | 1 = 1) => {
      const { id } = await aPerson(app, { schools: [school] });
      const last = days === null ? null : plusMilliseconds(app.clock.now(), -days * 86_400_000);
      await db
        .updateTable('users')
        .set({ last_login_at: last, is_active: isActive })
        .where('id', '=', id)
        .execute();
      return id;
    };
    const [lately, month, year] = [await signedIn(30), await signedIn(31), await signedIn(366)];
    const [never, left] = [await signedIn(null), await signedIn(1, 0)];
    const idsOf = async (query: string) => {
      const { body } = await by(admin.token)(`GET /api/admin/users?schoolId=${school.id}&${query}`);
      expect(body.total).toBe(body.users.length);
      return new Set(body.users.map(({ id }: { id: number }) => id));
    };
    expect(await idsOf('state=inactive')).toEqual(new Set([left]));
    expect(await idsOf('state=active')).toEqual(new Set([lately, month, year, never]));
    expect(await idsOf('lastSignIn=never')).toEqual(new Set([never]));
    expect(await idsOf('lastSignIn=notForMonth')).toEqual(new Set([month, year, never]));
    expect(await idsOf('state=active&lastSignIn=notForYear&role=volunteer')).toEqual(new Set([year, never]));
    for (const wrong of ['state=gone', 'lastSignIn=today']) {
      expect((await by(admin.token)(`GET /api/admin/users?${wrong}`)).status).toBe(400);
    }
    const elsewhere = await aPersonWithRole(app, 'school-admin', await aSchool(app));
    expect((await by(elsewhere.token)('GET /api/admin/users?state=inactive')).body.users).toEqual([]);
  });

  test('as a filter of the list, applies to totals and pages within the viewer’s schools', async () => {
    const coras: number[] = [];
    for (const _ of Array(5)) {
      coras.push((await aPersonWithRole(app, 'coordinator', own, { schools: [own, other] })).id);
      await aPerson(app, { schools: [own] });
      await aPersonWithRole(app, 'coordinator', other);
    }
    for (const { token } of [head, admin]) {
      const found: number[] = [];
      let cursor = '';
      do {
        const { body } = await by(token)(
          `GET /api/admin/users?role=coordinator&schoolId=${own.id}&limit=2&cursor=${cursor}`,
        );
        expect(body.total).toBe(5);
        expect(body.users.length).toBeLessThanOrEqual(2);
        found.push(...body.users.map(({ id }: { id: number }) => id));
        cursor = body.nextCursor ?? '';
      } while (cursor !== '');
      expect(found.toSorted()).toEqual(coras.toSorted());
    }
    expect((await by(head.token)('GET /api/admin/users?role=coordinator')).body.total).toBe(5);
    expect((await by(head.token)('GET /api/admin/users?role=principal')).status).toBe(400);
    const elsewhere = `GET /api/admin/users?role=coordinator&schoolId=${other.id}`;
    expect((await by(head.token)(elsewhere)).status).toBe(404);
  });

  test('is part of the user’s data export, and is erased with them', async () => {
    const ann = await aPersonWithRole(app, 'auditor', null, { schools: [own] });
    const download = await by(ann.token)('GET /api/profile/data');
    expect(JSON.parse(download.text).grants).toMatchObject([{ role: 'auditor', schoolId: null }]);
    await by(admin.token)(`POST /api/admin/users/${ann.id}/erase`);
    const { db } = app.deps.database;
    expect(await db.selectFrom('user_grants').selectAll().where('user_id', '=', ann.id).execute()).toEqual(
      [],
    );
  });

  test('ends when its school is deleted, with an audit event', async () => {
    await by(admin.token)(`DELETE /api/admin/schools/${own.id}`);
    expect((await recordOf(app, 'user', head.id)).at(-1)).toMatchObject({
      action: 'account.change',
      actorId: admin.id,
      schoolId: own.id,
      before: { schoolAdminOf: [own.id] },
      after: {},
    });
    expect((await by(head.token)('GET /api/admin/users')).status).toBe(403);
  });
});

describe('a school administrator', () => {
  test('sees the people of the school, and nothing about their other schools', async () => {
    const ann = await aPerson(app, { schools: [own, other] });
    await aGrant(app, ann, 'coordinator', other);
    await aPerson(app, { schools: [other] });
    const { body } = await by(head.token)('GET /api/admin/users');
    const [found] = body.users.filter(({ id }: { id: number }) => id === ann.id);
    expect([body.total, body.users.length]).toEqual([2, 2]);
    expect(found.schools.map(({ id }: { id: number }) => id)).toEqual([own.id]);
    expect(found.userSchools).toHaveLength(1);
    expect(found.grants).toEqual([]);
    expect((await by(head.token)(`GET /api/admin/users?schoolId=${other.id}`)).status).toBe(404);
  });

  test('changes only roles and memberships of the school', async () => {
    const third = await aSchool(app);
    const ann = await aPerson(app, { schools: [own, other] });
    await aGrant(app, ann, 'auditor', third);
    const answer = await change(head.token, ann.id, {
      schoolIds: [],
      grants: [{ role: 'coordinator', schoolId: own.id }],
    });
    expect([answer.status, answer.body.user.schools]).toEqual([200, []]);
    expect((await grantsOf(ann.id)).sort()).toEqual([
      ['auditor', third.id],
      ['coordinator', own.id],
    ]);
    const whole = await change(admin.token, ann.id, { isActive: true });
    expect(whole.body.user.schools.map(({ id }: { id: number }) => id)).toEqual([other.id]);
  });

  test('leaves a request to join another school pending', async () => {
    const ann = await aPerson(app, { schools: [own, other] });
    const { db } = app.deps.database;
    const request = db.updateTable('user_schools').set({ status: 'pending' });
    await request.where('user_id', '=', ann.id).where('school_id', '=', other.id).execute();
    expect((await change(head.token, ann.id, { schoolIds: [own.id] })).status).toBe(200);
    const whole = await change(admin.token, ann.id, { isActive: true });
    expect(whole.body.user.pendingSchools.map(({ id }: { id: number }) => id)).toEqual([other.id]);
  });

  test('cannot grant rights beyond their own or to people elsewhere', async () => {
    const ann = await aPerson(app, { schools: [own] });
    const stranger = await aPerson(app, { schools: [other] });
    const give = async (id: number, body: object) => (await change(head.token, id, body)).status;
    expect(await give(ann.id, { role: 'admin' })).toBe(403);
    expect(await give(ann.id, { grants: [{ role: 'auditor', schoolId: null }] })).toBe(403);
    expect(await give(ann.id, { grants: [{ role: 'coordinator', schoolId: other.id }] })).toBe(404);
    expect(await give(ann.id, { schoolIds: [own.id, other.id] })).toBe(404);
    expect(await give(stranger.id, { firstName: 'Nia' })).toBe(404);
    expect(await give(head.id, { grants: [] })).toBe(403);
    const made = (body: object) =>
      by(head.token)('POST /api/admin/users', {
        email: anAddress(),
        firstName: 'Nia',
        lastName: 'New',
        schoolIds: [own.id],
        ...body,
      });
    expect((await made({ role: 'admin' })).status).toBe(403);
    expect((await made({ schoolIds: [other.id] })).status).toBe(404);
    expect((await made({ grants: [{ role: 'school-admin', schoolId: other.id }] })).status).toBe(404);
    expect((await made({ grants: [{ role: 'school-admin', schoolId: own.id }] })).status).toBe(201);
    expect(await grantsOf(ann.id)).toEqual([]);
  });

  test('cannot change or delete users whose rights go beyond the school', async () => {
    const chief = await aPerson(app, { role: 'admin', schools: [own] });
    const wide = await aPersonWithRole(app, 'coordinator', other, { schools: [own] });
    const everywhere = await aPersonWithRole(app, 'auditor', null, { schools: [own] });
    expect((await change(head.token, chief.id, { firstName: 'Nia' })).status).toBe(403);
    expect((await by(head.token)(`DELETE /api/admin/users/${chief.id}`)).status).toBe(403);
    for (const { id } of [wide, everywhere]) {
      expect((await change(head.token, id, { email: anAddress() })).status).toBe(403);
      expect((await change(head.token, id, { password: 'sunny-meadow-21' })).status).toBe(403);
      expect((await change(head.token, id, { isActive: false })).status).toBe(403);
      expect((await by(head.token)(`DELETE /api/admin/users/${id}`)).status).toBe(403);
      expect((await change(head.token, id, { firstName: 'Nia' })).status).toBe(403);
    }
    const only = await aPerson(app, { schools: [own] });
    expect((await change(head.token, only.id, { password: 'sunny-meadow-21' })).status).toBe(200);
  });

  test('sees as locked exactly the fields that would be rejected', async () => {
    const chief = await aPerson(app, { role: 'admin', schools: [own] });
    const wide = await aPersonWithRole(app, 'auditor', null, { schools: [own] });
    const member = await aPerson(app, { schools: [own, other] });
    const plain = await aPersonWithRole(app, 'coordinator', own, { schools: [own] });
    const tries = {
      name: (id: number) => change(head.token, id, { firstName: 'Nia' }),
      email: (id: number) => change(head.token, id, { email: anAddress() }),
      password: (id: number) => change(head.token, id, { password: 'sunny-meadow-21' }),
      isActive: (id: number) => change(head.token, id, { isActive: false }),
      deletion: (id: number) => by(head.token)(`DELETE /api/admin/users/${id}`),
    };
    const { body } = await by(head.token)('GET /api/admin/users?limit=50');
    for (const { id } of [chief, wide, member, plain]) {
      const { closed } = body.users.find((user: { id: number }) => user.id === id);
      const refused: string[] = [];
      for (const [name, send] of Object.entries(tries))
        if ((await send(id)).status === 403) refused.push(name);
      if (id === chief.id) expect(closed).toEqual(['everything']);
      expect(refused).toEqual(id === chief.id ? Object.keys(tries) : closed);
    }
    const everyone = (await by(admin.token)(`GET /api/admin/users?schoolId=${own.id}`)).body.users;
    expect(new Set(everyone.flatMap(({ closed }: { closed: string[] }) => closed))).toEqual(new Set());
    const looking = await aPersonWithRole(app, 'coordinator', own);
    const seen = (await by(looking.token)('GET /api/admin/users')).body.users;
    expect(seen.every(({ closed }: { closed: string[] }) => closed[0] === 'everything')).toBe(true);
  });

  test('sends invitations with roles at the school, which apply once accepted', async () => {
    const email = anAddress();
    const grants = [{ role: 'coordinator', schoolId: own.id }];
    const invite = (body: object) =>
      by(head.token)('POST /api/admin/invites', { email, schoolIds: [own.id], ...body });
    expect((await invite({ role: 'admin' })).status).toBe(403);
    expect((await invite({ schoolIds: [other.id] })).status).toBe(404);
    expect((await invite({ grants: [{ role: 'auditor', schoolId: null }] })).status).toBe(403);
    const made = await invite({ grants });
    expect(made.body.invite.grants).toEqual([
      { role: 'coordinator', school: { id: own.id, name: own.name } },
    ]);
    const inviteCode = new URL(made.body.link).searchParams.get('invite');
    const registered = await app.call('POST /api/auth/register', {
      body: { email, password: PASSWORD, firstName: 'Nia', lastName: 'New', schoolIds: [own.id], inviteCode },
    });
    expect([registered.status, registered.body.user.grants]).toEqual([201, made.body.invite.grants]);
  });

  test('sees and revokes only invitations that concern no other school', async () => {
    const invite = async (schoolIds: number[], more: object = {}) => {
      const { body } = await by(admin.token)('POST /api/admin/invites', {
        email: anAddress(),
        schoolIds,
        ...more,
      });
      return body.invite.id;
    };
    const mine = await invite([own.id]);
    const both = await invite([own.id, other.id]);
    const wide = await invite([own.id], { grants: [{ role: 'auditor', schoolId: null }] });
    const { body } = await by(head.token)('GET /api/admin/invites');
    expect([body.total, body.invites.map(({ id }: { id: number }) => id)]).toEqual([1, [mine]]);
    expect((await by(head.token)('GET /api/admin/waiting')).body.waiting.openInvites).toBe(1);
    for (const id of [both, wide]) {
      expect((await by(head.token)(`DELETE /api/admin/invites/${id}`)).status).toBe(404);
      expect((await by(head.token)(`POST /api/admin/invites/${id}/resend`)).status).toBe(404);
    }
    expect((await by(head.token)(`DELETE /api/admin/invites/${mine}`)).status).toBe(200);
  });

  test('decides who joins the school, and with which role', async () => {
    const waiting = async (school: { id: number }) => {
      const person = await aPerson(app, { schools: [school], isProven: true });
      const { db } = app.deps.database;
      await db
        .updateTable('user_schools')
        .set({ status: 'pending' })
        .where('user_id', '=', person.id)
        .execute();
      return person.id;
    };
    const [here, there] = [await waiting(own), await waiting(other)];
    const list = await by(head.token)('GET /api/admin/memberships');
    expect([
      list.body.total,
      list.body.memberships.map((one: { user: { id: number } }) => one.user.id),
    ]).toEqual([1, [here]]);
    const versionBefore = (await change(admin.token, here, { isActive: true })).body.user.version;
    const approve = (userId: number, schoolId: number, grants?: object[]) =>
      by(head.token)('POST /api/admin/memberships/approve', { userId, schoolId, grants });
    expect((await approve(there, other.id)).status).toBe(404);
    expect((await approve(here, own.id, [{ role: 'auditor', schoolId: null }])).status).toBe(403);
    expect((await approve(here, own.id, [{ role: 'auditor', schoolId: own.id }])).status).toBe(200);
    expect(await grantsOf(here)).toEqual([['auditor', own.id]]);
    // A form that was open meanwhile knows nothing of that role.
    const stale = await app.call(`PUT /api/admin/users/${here}`, {
      token: head.token,
      body: { grants: [] },
      headers: { 'If-Match': String(versionBefore) },
    });
    expect(stale.status).toBe(409);
  });

  test('imports people with a role at the school', async () => {
    const [email, elsewhere] = [anAddress(), anAddress()];
    const csv = [
      'firstName,lastName,email,role,schools',
      `Nia,New,${email},Coordinator,${own.name}`,
      `Una,Used,${elsewhere},school-admin,${other.name}`,
      '',
    ].join('\n');
    const preview = await by(head.token)('POST /api/admin/user-imports/preview', { csv });
    expect(preview.body.preview.counts).toMatchObject({ created: 1, faulty: 1 });
    const notes = preview.body.preview.rows.flatMap((row: { notes: string[] }) => row.notes);
    expect(notes).toEqual([expect.stringMatching(/^Will be a coordinator there/)]);
    const given = { csv, key: preview.body.preview.key, sendMail: false, leaveOutFaulty: true };
    await by(head.token)('POST /api/admin/user-imports', given);
    const { body } = await by(head.token)('GET /api/admin/users?role=coordinator');
    expect(body.users).toMatchObject([{ email, grants: [{ role: 'coordinator', school: { id: own.id } }] }]);
    const [deed] = await recordOf(app, 'user', body.users[0].id);
    expect(deed).toMatchObject({ action: 'account.create', after: { coordinatorOf: [own.id] } });
  });

  test('imports people into the school, but no administrators', async () => {
    const line = (role: string, school: string) => `Nia,New,${anAddress()},${role},${school}\n`;
    const csv = `firstName,lastName,email,role,schools\n${line('user', own.name)}${line('user', other.name)}${line('admin', own.name)}`;
    const { body } = await by(head.token)('POST /api/admin/user-imports/preview', { csv });
    expect(body.preview.counts).toMatchObject({ created: 1, faulty: 2 });
    const given = { csv, key: body.preview.key, sendMail: false, leaveOutFaulty: true };
    const done = await by(head.token)('POST /api/admin/user-imports', given);
    expect([done.status, done.body.userImport?.people]).toEqual([201, 1]);
    expect((await by(head.token)('GET /api/admin/user-imports')).body.userImports).toHaveLength(1);
    const second = await aPersonWithRole(app, 'school-admin', own);
    expect((await by(second.token)('GET /api/admin/user-imports')).body.userImports).toEqual([]);
    const outside = await by(head.token)('POST /api/admin/user-imports/preview', {
      csv,
      schoolIds: [other.id],
    });
    expect(outside.status).toBe(404);
  });
});

describe('a coordinator', () => {
  test('edits and deletes hours of the school, but cannot restore them', async () => {
    const cora = await aPersonWithRole(app, 'coordinator', own);
    const ann = await aPerson(app, { schools: [own] });
    const activity = await anActivity(app, { school: own });
    const { id } = await anEntry(app, { by: ann, activity });
    expect((await by(cora.token)(`PUT /api/admin/time-entries/${id}`, { hours: 3 })).status).toBe(200);
    expect((await by(cora.token)(`DELETE /api/time-entries/${id}`)).status).toBe(200);
    expect((await by(cora.token)(`POST /api/time-entries/${id}/restore`)).status).toBe(404);
    expect((await by(head.token)(`POST /api/time-entries/${id}/restore`)).status).toBe(200);
    const away = await anActivity(app, { school: other });
    const far = await anEntry(app, { by: await aPerson(app, { schools: [other] }), activity: away });
    expect((await by(cora.token)(`DELETE /api/time-entries/${far.id}`)).status).toBe(404);
    expect(
      (await by(cora.token)(`PUT /api/time-entries/${id}`, { activityId: away.id, hours: 1 })).status,
    ).toBe(404);
  });

  test('sees only their own hours on the volunteer screens, and logs their own at the school', async () => {
    const cora = await aPersonWithRole(app, 'coordinator', own);
    const activity = await anActivity(app, { school: own });
    await anEntry(app, { by: await aPerson(app, { schools: [own] }), activity });
    await by(cora.token)('POST /api/time-entries', { activityId: activity.id, hours: 1 });
    const { body } = await by(cora.token)(`GET /api/time-entries?schoolId=${own.id}`);
    expect(body.timeEntries.map((one: { user: { id: number } }) => one.user.id)).toEqual([cora.id]);
    expect((await by(cora.token)('GET /api/admin/time-entries')).body.total).toBe(2);
  });
});

describe('an auditor', () => {
  test('reads the school’s data and history, but changes nothing', async () => {
    const audrey = await aPersonWithRole(app, 'auditor', own);
    const ann = await aPerson(app, { schools: [own] });
    const activity = await anActivity(app, { school: own });
    const entry = await anEntry(app, { by: ann, activity });
    const photo = await aPhoto(app, { by: ann, activity });
    const read = by(audrey.token);
    expect((await read('GET /api/admin/time-entries')).body.total).toBe(1);
    expect((await read(`GET /api/photos/${photo.id}`)).body.photo).toMatchObject({
      user: { id: ann.id },
      canEdit: false,
      canDelete: false,
    });
    expect((await read(`PUT /api/photos/${photo.id}`, { caption: 'x' })).status).toBe(403);
    expect((await read(`DELETE /api/photos/${photo.id}`)).status).toBe(403);
    expect((await read(`POST /api/photos/${photo.id}/takedown`, {})).status).toBe(404);
    expect((await read('GET /api/admin/photos/trash')).status).toBe(403);
    expect((await read(`PUT /api/time-entries/${entry.id}`, { activityId: 1, hours: 2 })).status).toBe(404);
    expect((await read(`PUT /api/admin/time-entries/${entry.id}`, { hours: 2 })).status).toBe(403);
  });

  test('reads the audit log of the school, without IP addresses', async () => {
    const audrey = await aPersonWithRole(app, 'auditor', own);
    const everywhere = await aPersonWithRole(app, 'auditor', null);
    const make = (school: { id: number }, name: string) =>
      by(admin.token)('POST /api/admin/categories', { schoolId: school.id, name });
    await make(own, 'Gardening');
    await make(other, 'Baking');
    await change(admin.token, audrey.id, { firstName: 'Audrey' });
    const records = async (token: string) => (await by(token)('GET /api/admin/audit?limit=50')).body.records;
    const mine = await records(audrey.token);
    expect(mine.map((one: { thing: { name: string } }) => one.thing.name)).toEqual(['Gardening']);
    expect(mine[0].address).toBeNull();
    const all = await records(everywhere.token);
    expect(all.length).toBeGreaterThan(1);
    expect(all.every((one: { school: object | null }) => one.school !== null)).toBe(true);
    expect((await records(admin.token))[0].address).not.toBeNull();
  });
});

describe('totals, analytics and lists', () => {
  test.each(['school-admin', 'coordinator', 'auditor'] as const)(
    'with the role %s cover only its school',
    async (role) => {
      const holder = await aPersonWithRole(app, role, own);
      for (const school of [own, other]) {
        const person = await aPerson(app, { schools: [school] });
        const category = await aCategory(app, { school });
        await anEntry(app, { by: person, activity: await anActivity(app, { school, category }) });
        await aSuggestion(app, { by: person, school, category });
      }
      const read = by(holder.token);
      const summary = await read('GET /api/admin/time-entries/summary');
      expect(summary.body.summary).toMatchObject({ totalEntries: 1, uniqueUsers: 1 });
      const overview = await read('GET /api/admin/analytics/overview');
      expect(overview.body.schools.map(({ id }: { id: number }) => id)).toEqual([own.id]);
      expect((await read('GET /api/admin/activity-suggestions/count')).body.pendingCount).toBe(1);
      expect((await read('GET /api/admin/schools')).body).toMatchObject({
        total: 1,
        schools: [{ id: own.id }],
      });
      expect((await read('GET /api/admin/activities')).body.total).toBe(1);
      expect((await read(`GET /api/admin/time-entries/summary?schoolId=${other.id}`)).status).toBe(404);
      const waiting = await read('GET /api/admin/waiting');
      expect(waiting.body.waiting).toEqual({ memberships: 0, erasureRequests: 0, openInvites: 0 });
    },
  );
});

describe('an export link', () => {
  test('is invalid once its creator loses the role', async () => {
    const cora = await aPersonWithRole(app, 'coordinator', own, { schools: [own] });
    const ask = async () => {
      const { body } = await by(cora.token)('POST /api/admin/time-entries/export', {
        format: 'csv',
        schoolId: own.id,
      });
      return body.url as string;
    };
    const [used, dead] = [await ask(), await ask()];
    expect((await app.call(`GET ${used}`)).status).toBe(200);
    await change(admin.token, cora.id, { grants: [{ role: 'coordinator', schoolId: other.id }] });
    expect((await app.call(`GET ${dead}`)).status).toBe(404);
  });
});
