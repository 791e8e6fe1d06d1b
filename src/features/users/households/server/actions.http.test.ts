import { beforeEach, describe, expect, test } from 'vitest';
import { revokeRestoredLinks } from '#app/server/revoke-restored-links.ts';
import { transaction } from '#server/db/database.ts';
import { day, plusMilliseconds } from '#shared/calendar-date.ts';
import { anActivity, anAdministrator, anEntry, aPerson, aSchool } from '#test/builders.ts';
import { startApp, type TestApp } from '#test/harness.ts';
import { BY_ACCOUNT, BY_ADDRESS } from './actions.ts';

const PATH = '/api/profile/household';
const WRONG = 'This code is not valid or no longer works. Ask for a new one.';
const DAY_MS = 86_400_000;

type Person = Awaited<ReturnType<typeof aPerson>>;

let app: TestApp;
let school: Awaited<ReturnType<typeof aSchool>>;
let ann: Person;
let ben: Person;
beforeEach(async () => {
  app = await startApp();
  school = await aSchool(app);
  ann = await aPerson(app, { schools: [school], firstName: 'Ann', lastName: 'Lee' });
  ben = await aPerson(app, { schools: [school], firstName: 'Ben', lastName: 'Lee' });
});

const read = async (who: Person) => (await app.call(`GET ${PATH}`, { token: who.token })).body.household;
const make = (who: Person) => app.call(`POST ${PATH}`, { token: who.token });
const renew = (who: Person) => app.call(`POST ${PATH}/code`, { token: who.token });
const join = (who: Person, code: unknown, agrees: unknown = true) =>
  app.call(`POST ${PATH}/join`, { token: who.token, body: { code, agrees } });
const leave = (who: Person) => app.call(`DELETE ${PATH}`, { token: who.token });
const names = async (who: Person) =>
  (await read(who))?.members.map(({ name }: { name: string }) => name) ?? null;
const rows = () => app.deps.database.db.selectFrom('household_members').selectAll().execute();
const newCode = async (who: Person): Promise<string> => (await renew(who)).body.household.code.code;

/** A household of a number of users, Ann first. */
async function aHousehold(size: number): Promise<Person[]> {
  await make(ann);
  const all = [ann];
  while (all.length < size) {
    const one = await aPerson(app);
    expect((await join(one, await newCode(ann))).status).toBe(200);
    all.push(one);
  }
  return all;
}

describe('a household', () => {
  test('can be joined with a code, and shows each member’s hours and the total', async () => {
    expect(await read(ann)).toBe(null);
    const [activity, other] = [
      await anActivity(app, { school }),
      await anActivity(app, { school: await aSchool(app) }),
    ];
    await anEntry(app, { by: ann, activity, hours: 1.25, date: '2025-07-01' });
    await anEntry(app, { by: ben, activity: other, hours: 5.5 });
    await anEntry(app, { by: ben, activity, hours: 8, date: '2025-06-30' });
    await anEntry(app, { by: ben, activity, hours: 3, deletedBy: ben });
    await anEntry(app, { by: await aPerson(app), activity, hours: 4 });
    const made = await make(ann);
    expect(made.body.message).toBe('Family group created');
    const { code, until } = made.body.household.code;
    expect(code).toMatch(/^[2-9A-HJ-NP-Z]{4}-[2-9A-HJ-NP-Z]{4}$/);
    expect(until > '2025-07-01').toBe(true);
    const joined = await join(ben, ` ${code.toLowerCase().replace('-', ' ')} `);
    expect(joined.body).toEqual({
      household: {
        members: [
          { name: 'Ann Lee', hours: 1.25, isYou: false },
          { name: 'Ben Lee', hours: 5.5, isYou: true },
        ],
        hours: 6.75,
        yearStart: '2025-07-01',
        code: null,
      },
      message: 'You joined the family group',
    });
    // The code is used up, and a code is its owner's alone.
    expect((await read(ann)).code).toBe(null);
    await renew(ann);
    expect([(await read(ann)).code === null, (await read(ben)).code]).toEqual([false, null]);
  });

  test('lists members by name, not by hours', async () => {
    const activity = await anActivity(app, { school });
    const zoe = await aPerson(app, { firstName: 'Amy', lastName: 'Zane' });
    await anEntry(app, { by: zoe, activity, hours: 9 });
    await anEntry(app, { by: ben, activity, hours: 3 });
    await make(zoe);
    await join(ben, await newCode(zoe));
    await join(ann, await newCode(zoe));
    expect(await names(ben)).toEqual(['Ann Lee', 'Ben Lee', 'Amy Zane']);
  });

  test('adds no member without consent', async () => {
    const { code } = (await make(ann)).body.household.code;
    for (const agrees of [false, 'true', 1, null, []]) {
      expect((await join(ben, code, agrees)).status, String(agrees)).toBe(400);
    }
    const without = await app.call(`POST ${PATH}/join`, { token: ben.token, body: { code } });
    expect([without.status, await read(ben)]).toEqual([400, null]);
  });

  test('cannot be joined by a member of another household', async () => {
    await make(ann);
    await make(ben);
    const code = await newCode(ann);
    const reply = await join(ben, code);
    expect([reply.status, reply.body.error]).toEqual([
      409,
      'You already belong to a family group. Leave it first.',
    ]);
    // A code that is not valid is answered the same, so that replies reveal nothing about codes.
    expect(await join(ben, 'ABCDEFGH')).toMatchObject({ status: 409, body: reply.body });
    expect([await names(ann), await names(ben)]).toEqual([['Ann Lee'], ['Ben Lee']]);
  });

  test('is created once, even if it is requested twelve times at once', async () => {
    const replies = await Promise.all(Array.from({ length: 12 }, () => make(ann)));
    expect(replies.map(({ status }) => status)).toEqual(replies.map(() => 200));
    expect(new Set(replies.map(({ body }) => body.household.code.code)).size).toBe(1);
    expect(await rows()).toHaveLength(1);
  });

  test('hides deactivated members, and is deleted when only they are left', async () => {
    await aHousehold(1);
    await join(ben, await newCode(ann));
    const code = await newCode(ben);
    await app.deps.database.db.updateTable('users').set({ is_active: 0 }).where('id', '=', ben.id).execute();
    expect(await names(ann)).toEqual(['Ann Lee']);
    expect((await join(await aPerson(app), code)).body.error).toBe(WRONG);
    await leave(ann);
    expect(await rows()).toEqual([]);
  });
});

describe('a household code', () => {
  test('admits one person, even if that person submits it several times', async () => {
    const { code } = (await make(ann)).body.household.code;
    const replies = await Promise.all([join(ben, code), join(ben, code), join(ben, code)]);
    expect(replies.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect((await join(await aPerson(app), code)).body.error).toBe(WRONG);
    expect(await names(ann)).toEqual(['Ann Lee', 'Ben Lee']);
  });

  test('expires after seven days, when replaced, or when its owner leaves', async () => {
    const first = (await make(ann)).body.household.code.code;
    const second = await newCode(ann);
    expect((await join(ben, first)).status).toBe(404);
    app.clock.set(plusMilliseconds(app.clock.now(), 7 * DAY_MS - 1));
    // Sessions end with quiet days: new people, who sign in now.
    const [cara, dan] = [await aPerson(app), await aPerson(app)];
    expect((await join(cara, second)).status).toBe(200);
    const third = await newCode(cara);
    const fourth = (await make(dan)).body.household.code.code;
    expect((await leave(dan)).status).toBe(200);
    expect((await join(await aPerson(app), fourth)).status).toBe(404);
    app.clock.set(plusMilliseconds(app.clock.now(), 7 * DAY_MS));
    expect((await join(await aPerson(app), third)).status).toBe(404);
  });

  test('expires in a restored backup, because it may have been used since', async () => {
    const { code } = (await make(ann)).body.household.code;
    const { db } = app.deps.database;
    await transaction(app.deps.database, (trx) => revokeRestoredLinks(trx, day('2026-03-01')));
    expect(await db.selectFrom('household_members').select(['user_id', 'code']).execute()).toEqual([
      { user_id: ann.id, code: null },
    ]);
    const cara = await aPerson(app);
    expect((await join(cara, code)).status).toBe(404);
  });

  test('cannot be guessed: wrong codes pause the account, then the IP address', async () => {
    const { code } = (await make(ann)).body.household.code;
    const typed = ['', 'ABCD', 'x'.repeat(201), 'ABCDEFGH', 'ÄÄÄÄÄÄÄÄ', '0O1I0O1I', '👨‍👩‍👧', '//'];
    for (const one of typed) expect([400, 404], one).toContain((await join(ben, one)).status);
    const many = await Promise.all(Array.from({ length: 30 }, () => join(ben, 'ABCDEFGH')));
    expect(many.filter(({ status }) => status === 404).length).toBeLessThanOrEqual(BY_ACCOUNT.tries);
    const refused = await join(ben, code);
    expect([refused.status, refused.body.error]).toEqual([429, 'Too many attempts. Please try again later.']);
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
    // Others go on, until the address is used up.
    await app.deps.database.db
      .updateTable('rate_limits')
      .set({ failures: BY_ADDRESS.tries })
      .where('key', 'like', 'household-codes-from:%')
      .execute();
    const cara = await aPerson(app);
    expect([(await join(cara, 'ABCDEFGH')).status, await read(cara)]).toEqual([429, null]);
  });

  test('does not count as an attempt if it is correct', async () => {
    await make(ann);
    for (let times = 0; times < BY_ACCOUNT.tries + 2; times += 1) {
      expect((await join(ben, await newCode(ann))).status).toBe(200);
      await leave(ben);
    }
  });
});

describe('two people who join a household at once', () => {
  test('do not exceed the limit of eight members', async () => {
    const all = await aHousehold(7);
    const [one, other] = [await newCode(ann), await newCode(all[1] ?? ann)];
    const cara = await aPerson(app);
    const replies = await Promise.all([join(ben, one), join(cara, other)]);
    expect(replies.map(({ status }) => status).toSorted()).toEqual([200, 409]);
    expect(replies.find(({ status }) => status === 409)?.body.error).toBe(
      'A family group can have up to 8 members',
    );
    expect(await names(ann)).toHaveLength(8);
    expect((await renew(ann)).status).toBe(409);
  });

  test('cannot both use the same code', async () => {
    const { code } = (await make(ann)).body.household.code;
    const cara = await aPerson(app);
    const replies = await Promise.all([join(ben, code), join(cara, code)]);
    expect(replies.map(({ status }) => status).toSorted()).toEqual([200, 404]);
    expect(await names(ann)).toHaveLength(2);
  });
});

describe('leaving a household', () => {
  test('removes the member, and deletes the household when the last one leaves', async () => {
    await make(ann);
    await join(ben, await newCode(ann));
    expect((await leave(ben)).body.message).toBe('You left the family group');
    expect((await leave(ben)).status).toBe(200);
    expect([await read(ben), await names(ann)]).toEqual([null, ['Ann Lee']]);
    await leave(ann);
    expect(await rows()).toEqual([]);
    expect((await renew(ann)).status).toBe(404);
  });

  test('deletes the household if all members leave at once', async () => {
    const all = await aHousehold(4);
    expect((await Promise.all(all.map(leave))).map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    expect(await rows()).toEqual([]);
  });
});

describe('household data', () => {
  test('is hidden from administrators in accounts, lists and the audit log', async () => {
    const ada = await anAdministrator(app);
    await make(ann);
    await join(ben, await newCode(ann));
    const { household, code } =
      (await rows()).map((row) => ({ ...row, code: row.code ?? 'no code' }))[0] ?? {};
    for (const path of [`/api/admin/users/${ann.id}`, '/api/admin/users', '/api/admin/audit', PATH]) {
      const { text } = await app.call(`GET ${path}`, { token: ada.token });
      expect(text).not.toContain(household);
      expect(text).not.toContain(code);
      expect(text.toLowerCase().replace('{"household":null}', '')).not.toContain('household');
    }
  });

  test('in a data export is the user’s own membership, without the other members', async () => {
    await make(ann);
    await join(ben, await newCode(ann));
    const code = await newCode(ann);
    const { text } = await app.call('GET /api/profile/data', { token: ann.token });
    expect(JSON.parse(text).household).toMatchObject({
      joinedAt: app.clock.now(),
      code: code.replace('-', ''),
    });
    expect(text).not.toContain('Ben');
    expect(
      JSON.parse((await app.call('GET /api/profile/data', { token: ben.token })).text).household.code,
    ).toBe(null);
  });

  test('no longer includes members who are erased, deleted or merged', async () => {
    const ada = await anAdministrator(app);
    await make(ann);
    await join(ben, await newCode(ann));
    const cara = await aPerson(app);
    await join(cara, await newCode(ann));
    const erased = await app.call(`POST /api/admin/users/${ben.id}/erase`, { token: ada.token });
    expect(erased.status, erased.text).toBe(200);
    const into = await aPerson(app);
    const merged = await app.call(`POST /api/admin/users/${cara.id}/merge`, {
      token: ada.token,
      body: { into: into.id },
    });
    expect(merged.status, merged.text).toBe(200);
    // A merge by an administrator puts nobody into a household.
    expect([await names(ann), await read(into)]).toEqual([['Ann Lee'], null]);
    await app.call(`POST /api/admin/merges/${merged.body.merge.id}/undo`, { token: ada.token });
    expect(await names(ann)).toEqual(['Ann Lee']);
    await app.call(`DELETE /api/admin/users/${ann.id}`, { token: ada.token });
    expect(await rows()).toEqual([]);
  });

  test('does not remain when the last active member is erased', async () => {
    const ada = await anAdministrator(app);
    await make(ann);
    await join(ben, await newCode(ann));
    await app.deps.database.db.updateTable('users').set({ is_active: 0 }).where('id', '=', ben.id).execute();
    await app.call(`POST /api/admin/users/${ann.id}/erase`, { token: ada.token });
    expect(await rows()).toEqual([]);
  });
});
