import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { prepare } from '#app/server/start.ts';
import type { Trx } from '#server/db/database.ts';
import { hashToken } from '#server/secrets.ts';
import { millisecondsOf } from '#shared/calendar-date.ts';
import { recordOf } from '#test/audit-log.ts';
import { anActivity, anAddress, anAdministrator, aPerson, aSchool, PASSWORD } from '#test/builders.ts';
import { sendDuring } from '#test/concurrent-requests.ts';
import { caller, startApp, type TestApp } from '#test/harness.ts';
import { NO_ID, readPages } from '#test/list-requests.ts';
import { linkIn } from '#test/mail-server.ts';
import { emailsSentTo } from '#test/sent-emails.ts';
import { redeemConfirmation } from '../../server/email-confirmation-store.ts';
import { insertUser } from '../../server/store.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

type Mode = 'open' | 'verify-email' | 'approval' | 'invite';
type District = {
  app: TestApp;
  school: { id: number; name: string };
  other: { id: number; name: string };
  admin: string;
};

const districts = new Map<Mode, District>();
beforeAll(async () => {
  for (const mode of ['open', 'verify-email', 'approval', 'invite'] as const) {
    const app = await startApp({ REGISTRATION: mode, PUBLIC_URL: 'https://hours.maplegrove.example' });
    const school = await aSchool(app, { name: 'Lincoln' });
    const other = await aSchool(app, { name: 'Madison' });
    districts.set(mode, { app, school, other, admin: (await anAdministrator(app)).token });
  }
});
// An administrator's session ends after a quiet hour.
beforeEach(async () => {
  for (const district of districts.values()) {
    district.app.clock.advance(2 * HOUR);
    district.admin = (await anAdministrator(district.app)).token;
  }
});

function districtOf(mode: Mode): District {
  const district = districts.get(mode);
  if (district === undefined) throw new Error(`no district with ${mode}`);
  return district;
}

let number = 0;
const newEmail = () => `new${++number}@maplegrove.example`;

const register = (mode: Mode, given: Record<string, unknown> = {}) =>
  districtOf(mode).app.call('POST /api/auth/register', { body: registration(mode, given) });

function registration(mode: Mode, given: Record<string, unknown> = {}) {
  const { school } = districtOf(mode);
  return {
    email: newEmail(),
    password: PASSWORD,
    firstName: 'Maria',
    lastName: 'Núñez',
    schoolIds: [school.id],
    ...given,
  };
}

async function invite(mode: Mode, given: Record<string, unknown> = {}) {
  const { app, school, admin } = districtOf(mode);
  const email = newEmail();
  const reply = await app.call('POST /api/admin/invites', {
    token: admin,
    body: { email, schoolIds: [school.id], ...given },
  });
  const to = String(given['email'] ?? email);
  const letters = await emailsSentTo(app, to);
  return { reply, email: to, letter: letters.at(-1), code: linkIn(letters.at(-1), 'invite') };
}

const idsOf = (schools: { id: number }[]) => schools.map((school) => school.id);
const login = (app: TestApp, email: string, password = PASSWORD) =>
  app.call('POST /api/auth/login', { body: { email, password } });

describe('the language of a new account', () => {
  test('is the language sent with the registration, in the reply and in the profile', async () => {
    const { app } = districtOf('open');
    const reply = await register('open', { language: 'es' });
    expect(reply.body.user.language).toBe('es');
    const { body } = await app.call('GET /api/profile', { token: reply.body.token });
    expect(body.user.language).toBe('es');
    const [record] = await recordOf(app, 'user', body.user.id);
    expect(record).toMatchObject({ action: 'account.register', after: { language: 'es' } });
  });

  test('is unset if the registration names none', async () => {
    const { body } = await register('open');
    expect(body.user.language).toBeNull();
  });

  test('must be a supported language', async () => {
    const reply = await register('open', { language: 'fr' });
    expect(reply.status).toBe(400);
    expect(reply.body.fields).toEqual({ language: 'Please choose a language from the list' });
  });

  test('is the language sent when the emailed link is used', async () => {
    const { app } = districtOf('verify-email');
    const email = newEmail();
    await register('verify-email', { email });
    const token = linkIn((await emailsSentTo(app, email)).at(-1), 'verify');
    const body = { token, newPassword: PASSWORD, language: 'es' };
    expect((await app.call('POST /api/auth/verify-email', { body })).status).toBe(200);
    const signedIn = await app.call('POST /api/auth/login', { body: { email, password: PASSWORD } });
    expect(signedIn.body.user.language).toBe('es');
  });
});

describe('registering with an emailed link', () => {
  const confirm = (token: unknown, given: Record<string, unknown> = { newPassword: PASSWORD }) =>
    districtOf('verify-email').app.call('POST /api/auth/verify-email', { body: { token, ...given } });
  const newestLink = async (email: string) =>
    linkIn((await emailsSentTo(districtOf('verify-email').app, email)).at(-1), 'verify');

  test('returns 202, and the link creates the account once', async () => {
    const { app, school, other } = districtOf('verify-email');
    const email = newEmail();
    const reply = await register('verify-email', { email });
    expect([reply.status, reply.body]).toEqual([
      202,
      {
        message: `We sent a link to ${email}. Open it within 24 hours to confirm your address and choose your password.`,
      },
    ]);
    expect((await login(app, email)).status).toBe(401);
    const [letter] = await emailsSentTo(app, email);
    expect(letter?.text).toMatch(/https:\/\/hours\.maplegrove\.example\/\?verify=[\w-]{43}\n/);
    const token = linkIn(letter, 'verify');
    const looked = await confirm(token, {});
    expect(looked.body).toEqual({ registration: { email, firstName: 'Maria', lastName: 'Núñez' } });
    expect((await confirm(token, { newPassword: '12345' })).body.error).toBe(
      'Password must be at least 6 characters long',
    );
    const confirmed = await confirm(token);
    expect([confirmed.status, confirmed.body.message]).toEqual([
      200,
      'Your account is ready. You can sign in now.',
    ]);
    const signedIn = await login(app, email);
    expect([signedIn.status, idsOf(signedIn.body.user.schools)]).toEqual([200, [school.id]]);
    // The address is proven: another school asks for no further link.
    const more = { token: signedIn.body.token, body: { schoolIds: [school.id, other.id] } };
    expect((await app.call('PUT /api/profile', more)).status).toBe(200);
    expect([(await confirm(token)).status, (await confirm(token)).body.error]).toEqual([
      400,
      'This link is not valid or has expired',
    ]);
  });

  test('accepts any password in the form, because the link asks for one', async () => {
    const email = newEmail();
    expect((await register('verify-email', { email, password: '12345' })).status).toBe(202);
    expect((await register('open', { password: '12345' })).status).toBe(400);
    expect((await confirm(await newestLink(email))).status).toBe(200);
  });

  test('returns the same reply for an existing account, and notifies its owner', async () => {
    const { app } = districtOf('verify-email');
    const ann = await aPerson(app);
    const reply = await register('verify-email', { email: ann.email });
    expect([reply.status, Object.keys(reply.body)]).toEqual([202, ['message']]);
    expect(reply.body.message).toContain(`We sent a link to ${ann.email}.`);
    const [letter] = await emailsSentTo(app, ann.email);
    expect(letter?.subject).toBe('You already have an account');
    expect((await login(app, ann.email)).status).toBe(200);
  });

  test('twice invalidates the first link', async () => {
    const { app } = districtOf('verify-email');
    const email = newEmail();
    await register('verify-email', { email });
    const first = await newestLink(email);
    await register('verify-email', { email });
    const second = await newestLink(email);
    expect((await confirm(first)).status).toBe(400);
    expect((await confirm(second)).status).toBe(200);
    expect((await login(app, email)).status).toBe(200);
  });

  test('lets the owner of the address set the password, not a stranger who registered it', async () => {
    const { app } = districtOf('verify-email');
    const email = newEmail();
    await register('verify-email', { email });
    await register('verify-email', { email, password: 'attackers-own-1', firstName: 'Mallory' });
    const token = await newestLink(email);
    const made = await confirm(token, { newPassword: 'readers-own-22', firstName: 'Maria' });
    expect(made.status).toBe(200);
    expect((await login(app, email, 'attackers-own-1')).status).toBe(401);
    const { user } = (await login(app, email, 'readers-own-22')).body;
    expect([user.firstName, user.lastName]).toEqual(['Maria', 'Núñez']);
    const stored = await app.deps.database.db.selectFrom('email_confirmations').selectAll().execute();
    expect(JSON.stringify(stored)).not.toContain('argon2');
  });

  test.each([
    ['a day later', async () => districtOf('verify-email').app.clock.advance(DAY)],
    [
      'once another account has the address',
      async (email: string) => {
        await aPerson(districtOf('verify-email').app, { email });
      },
    ],
  ])('no longer works %s', async (_when, wait) => {
    const email = newEmail();
    await register('verify-email', { email });
    const token = await newestLink(email);
    await wait(email);
    expect((await confirm(token)).status).toBeGreaterThanOrEqual(400);
  });

  test.each([
    ['open', 'schools'],
    ['approval', 'pendingSchools'],
    ['invite', 'pendingSchools'],
  ] as const)('after a switch to %s mode, adds the remaining school to %s', async (mode, joined) => {
    const { app, school } = districtOf('verify-email');
    const closed = await aSchool(app);
    const email = newEmail();
    await register('verify-email', { email, schoolIds: [school.id, closed.id] });
    const token = await newestLink(email);
    await app.deps.database.db.deleteFrom('schools').where('id', '=', closed.id).execute();
    const after = await prepare({ ...app.deps.config, registration: mode }, { clock: app.clock });
    await after.app.ready();
    try {
      const body = { token, newPassword: PASSWORD };
      expect((await caller(after.app)('POST /api/auth/verify-email', { body })).status).toBe(200);
    } finally {
      await after.app.close();
    }
    const { user } = (await login(app, email)).body;
    expect([idsOf(user[joined]), user.schools.length + user.pendingSchools.length]).toEqual([[school.id], 1]);
  });

  test.each([[undefined], [''], [7], ['guessed']])('rejects the token %j', async (token) => {
    const reply = await confirm(token);
    expect([reply.status, reply.body.error]).toEqual([400, 'This link is not valid or has expired']);
  });

  test('is rejected if another account has just taken the address', async () => {
    const { app } = districtOf('verify-email');
    const email = newEmail();
    await register('verify-email', { email });
    const token = await newestLink(email);
    const at = app.clock.now();
    const taken = { email, firstName: 'Eve', lastName: 'Early', role: 'user', isActive: true } as const;
    const take = (trx: Trx) => insertUser(trx, { ...taken, passwordHash: null, at, isVerified: false });
    const reply = await sendDuring(app, take, () => confirm(token));
    expect([reply.status, reply.body.error]).toEqual([409, 'An account with this email already exists']);
  });

  test('is rejected if a concurrent request has used the link', async () => {
    const { app, school } = districtOf('verify-email');
    const use = (token: string) => (trx: Trx) => redeemConfirmation(trx, hashToken(token), app.clock.now());
    const email = newEmail();
    await register('verify-email', { email });
    const ann = await aPerson(app, { schools: [school] });
    const wanted = newEmail();
    await app.call('PUT /api/profile', { token: ann.token, body: { email: wanted } });
    for (const address of [email, wanted]) {
      const token = (await newestLink(address)) ?? '';
      const reply = await sendDuring(app, use(token), () => confirm(token));
      expect([reply.status, reply.body.error]).toEqual([400, 'This link is not valid or has expired']);
      expect((await login(app, address)).status).toBe(401);
    }
  });

  test('invalidates the link if an account for the address was created meanwhile', async () => {
    const { app } = districtOf('verify-email');
    const email = newEmail();
    await register('verify-email', { email });
    const token = await newestLink(email);
    await aPerson(app, { email });
    await register('verify-email', { email });
    expect((await confirm(token, {})).body.error).toBe('This link is not valid or has expired');
  });

  test('creates one account if the link is used twice at the same moment', async () => {
    const email = newEmail();
    await register('verify-email', { email });
    const token = await newestLink(email);
    const replies = await Promise.all([confirm(token), confirm(token)]);
    expect(replies.map((reply) => reply.status).toSorted()).toEqual([200, 400]);
  });

  test('sends at most five emails to an address, however often it is registered', async () => {
    const { app } = districtOf('verify-email');
    const email = newEmail();
    for (let i = 0; i < 8; i++) expect((await register('verify-email', { email })).status).toBe(202);
    expect((await emailsSentTo(app, email)).length).toBeLessThanOrEqual(5);
  });

  test('omits the name from the email, because the submitter may not own the address', async () => {
    const { app } = districtOf('verify-email');
    const email = newEmail();
    await register('verify-email', { email, firstName: 'Win http://evil.example' });
    expect(JSON.stringify(await emailsSentTo(app, email))).not.toContain('evil');
  });
});

describe('the confirmation email for a new account', () => {
  const lettersAfter = async (mode: Mode, given: Record<string, unknown> = {}) => {
    const email = String(given['email'] ?? newEmail());
    expect((await register(mode, { ...given, email })).status).toBe(201);
    const letters = await emailsSentTo(districtOf(mode).app, email);
    return letters.filter(({ subject }) => subject === 'Please confirm your email address');
  };

  test('is sent in approval mode, but not in open mode or after an invitation', async () => {
    expect((await lettersAfter('approval'))[0]?.text).toContain('this address belongs to your account');
    expect(await lettersAfter('open')).toEqual([]);
    const { email, code } = await invite('approval');
    expect(await lettersAfter('approval', { email, inviteCode: code })).toEqual([]);
  });

  test('is sent to each of eleven people who register within an hour', async () => {
    for (let i = 0; i < 11; i++) expect(await lettersAfter('approval')).toHaveLength(1);
  });

  test('is not sent to an address that got five emails within an hour', async () => {
    const { app } = districtOf('approval');
    const email = newEmail();
    const counted = { failures: 5, window_started_at: app.clock.now(), blocked_until: null, strikes: 0 };
    await app.deps.database.db
      .insertInto('rate_limits')
      .values({ key: `confirm-letters:${email}`, ...counted })
      .execute();
    expect(await lettersAfter('approval', { email })).toEqual([]);
  });

  test('is not needed to join another school after an emailed invitation', async () => {
    const { app, school, other } = districtOf('verify-email');
    const { email, code, reply } = await invite('verify-email');
    // As if there were a mail server: the code was sent to the address, and shown to nobody else.
    const mailed = app.deps.database.db.updateTable('invites').set({ is_shown: 0 });
    await mailed.where('id', '=', reply.body.invite.id).execute();
    const { token } = (await register('verify-email', { email, inviteCode: code })).body;
    const wanted = { token, body: { schoolIds: [school.id, other.id] } };
    expect((await app.call('PUT /api/profile', wanted)).status).toBe(200);
  });
});

describe('registrations', () => {
  test('from one IP address are limited to 600 an hour', async () => {
    const { app } = districtOf('open');
    const from = '203.0.113.250';
    const counted = { failures: 599, window_started_at: app.clock.now(), blocked_until: null, strikes: 0 };
    await app.deps.database.db
      .insertInto('rate_limits')
      .values({ key: `registrations:${from}`, ...counted })
      .execute();
    const send = () => app.call('POST /api/auth/register', { from, body: registration('open') });
    expect([(await send()).status, (await send()).status]).toEqual([201, 429]);
  });
});

describe('joining another school in verify-email mode', () => {
  test('requires a confirmed address, and emails a link at most every ten minutes', async () => {
    const { app, school, other } = districtOf('verify-email');
    const ann = await aPerson(app, { schools: [school], isProven: false });
    const wanted = { schoolIds: [school.id, other.id] };
    const save = () => app.call('PUT /api/profile', { token: ann.token, body: wanted });
    const refused = await save();
    expect([refused.status, refused.body.error]).toEqual([
      403,
      `Please confirm your email address first. We sent a link to ${ann.email}. Then join Madison.`,
    ]);
    app.clock.advance(10 * MINUTE - 1);
    await save();
    expect(await emailsSentTo(app, ann.email)).toHaveLength(1);
    app.clock.advance(1);
    await save();
    const letters = await emailsSentTo(app, ann.email);
    expect(letters).toHaveLength(2);
    const body = { token: linkIn(letters.at(-1), 'verify') };
    expect((await app.call('POST /api/auth/verify-email', { token: ann.token, body })).status).toBe(200);
    expect(idsOf((await save()).body.user.schools)).toEqual([school.id, other.id]);
  });
});

describe('changing the address in verify-email mode', () => {
  const save = (by: { token: string }, body: object) =>
    districtOf('verify-email').app.call('PUT /api/profile', { token: by.token, body });
  const open = (by: { token: string }, token: unknown) =>
    districtOf('verify-email').app.call('POST /api/auth/verify-email', { token: by.token, body: { token } });
  const lettersAt = async (email: string) => emailsSentTo(districtOf('verify-email').app, email);

  test('returns the same reply whether or not the address is taken, and changes nothing yet', async () => {
    const { app, school } = districtOf('verify-email');
    const [bob, ann, eve] = [
      await aPerson(app, { schools: [school] }),
      await aPerson(app, { schools: [school] }),
      await aPerson(app, { schools: [school] }),
    ];
    const free = newEmail();
    const [taken, answered] = [await save(ann, { email: bob.email }), await save(eve, { email: free })];
    const shape = ({ status, body }: typeof taken, email: string, { id, email: own, lastName }: typeof ann) =>
      JSON.stringify([status, body])
        .replaceAll(email, '<asked>')
        .replaceAll(own, '<own>')
        .replaceAll(lastName, '<name>')
        .replaceAll(`"id":${id},`, '');
    expect(shape(taken, bob.email, ann)).toBe(shape(answered, free, eve));
    expect([taken.status, taken.body.user.email]).toEqual([200, ann.email]);
    expect(taken.body.message).toBe(
      `To use ${bob.email}, open the link we sent to that address within 24 hours.`,
    );
    const [letter] = await lettersAt(bob.email);
    expect(letter?.subject).toBe('Someone asked to use your email address');
    expect(JSON.stringify(letter)).not.toContain(ann.email);
    expect((await lettersAt(free)).map(({ subject }) => subject)).toEqual([
      'Please confirm your email address',
    ]);
    expect((await login(app, free)).status).toBe(401);
  });

  test('returns the same reply but sends no email after five emails in an hour', async () => {
    const { app, school } = districtOf('verify-email');
    const ann = await aPerson(app, { schools: [school] });
    const email = newEmail();
    const counted = { failures: 5, window_started_at: app.clock.now(), blocked_until: null, strikes: 0 };
    await app.deps.database.db
      .insertInto('rate_limits')
      .values({ key: `confirm-letters:${email}`, ...counted })
      .execute();
    const reply = await save(ann, { email });
    expect([reply.status, reply.body.message]).toEqual([
      200,
      `To use ${email}, open the link we sent to that address within 24 hours.`,
    ]);
    expect(await lettersAt(email)).toEqual([]);
  });

  test('takes effect when the link is opened, which notifies the old address', async () => {
    const { app, school, other } = districtOf('verify-email');
    const ann = await aPerson(app, { schools: [school], isProven: true });
    const email = newEmail();
    expect((await save(ann, { email, firstName: 'Anna' })).body.user).toMatchObject({
      email: ann.email,
      firstName: 'Anna',
    });
    await app.call('POST /api/auth/forgot-password', { body: { email: ann.email } });
    const reset = linkIn((await lettersAt(ann.email)).at(-1), 'token');
    const token = linkIn((await lettersAt(email)).at(-1), 'verify');
    expect((await open(ann, token)).status).toBe(200);
    expect((await open(ann, token)).status).toBe(400);
    expect([(await login(app, email)).status, (await login(app, ann.email)).status]).toEqual([200, 401]);
    expect((await lettersAt(ann.email)).at(-1)?.subject).toBe('Your email address was changed');
    const used = await app.call('POST /api/auth/reset-password', {
      body: { token: reset, newPassword: 'another-meadow-3' },
    });
    expect(used.status).toBe(400);
    expect((await save(ann, { schoolIds: [school.id, other.id] })).status).toBe(200);
    const [edit] = (await recordOf(app, 'user', ann.id)).filter(({ after }) => after?.email === email);
    expect(edit).toMatchObject({ action: 'account.edit', actorId: ann.id, before: { email: ann.email } });
  });

  test('accepts its link once, and sends no email to an unconfirmed old address', async () => {
    const { app, school } = districtOf('verify-email');
    const ann = await aPerson(app, { schools: [school], isProven: false });
    const email = newEmail();
    await save(ann, { email });
    const [letter] = await lettersAt(email);
    expect(letter?.text).toContain('Someone wants to use this address for their account');
    const mailed = await app.deps.database.db
      .selectFrom('emails')
      .select('kind')
      .where('user_id', '=', ann.id)
      .execute();
    expect(mailed).toEqual([{ kind: 'confirm-address' }]);
    const token = linkIn(letter, 'verify');
    const replies = await Promise.all([open(ann, token), open(ann, token)]);
    expect(replies.map(({ status }) => status).toSorted()).toEqual([200, 400]);
    expect(await lettersAt(ann.email)).toEqual([]);
  });

  test('is rejected if another account has just taken the address', async () => {
    const { app, school } = districtOf('verify-email');
    const ann = await aPerson(app, { schools: [school], isProven: true });
    const email = newEmail();
    await save(ann, { email });
    const token = linkIn((await lettersAt(email)).at(-1), 'verify');
    const at = app.clock.now();
    const taken = { email, firstName: 'Eve', lastName: 'Early', role: 'user', isActive: true } as const;
    const take = (trx: Trx) => insertUser(trx, { ...taken, passwordHash: null, at, isVerified: false });
    const reply = await sendDuring(app, take, () => open(ann, token));
    expect([reply.status, reply.body.error]).toEqual([409, 'An account with this email already exists']);
    expect((await login(app, ann.email)).status).toBe(200);
    expect(await lettersAt(ann.email)).toEqual([]);
  });

  test('fails if another account got the address, or an administrator set a different one, meanwhile', async () => {
    const { app, school, admin } = districtOf('verify-email');
    const ann = await aPerson(app, { schools: [school] });
    const email = newEmail();
    await save(ann, { email });
    const token = linkIn((await lettersAt(email)).at(-1), 'verify');
    await aPerson(app, { email });
    expect((await open(ann, token)).status).toBe(409);
    const eve = await aPerson(app, { schools: [school] });
    const wanted = newEmail();
    await save(eve, { email: wanted });
    const link = linkIn((await lettersAt(wanted)).at(-1), 'verify');
    const chosen = await app.call(`PUT /api/admin/users/${eve.id}`, {
      token: admin,
      body: { email: newEmail() },
    });
    expect(chosen.status).toBe(200);
    expect((await open(eve, link)).status).toBe(400);
  });
});

describe('approval mode', () => {
  const pendingOf = async (search = '') => {
    const { app, admin } = districtOf('approval');
    return app.call(`GET /api/admin/memberships?status=pending&search=${search}`, { token: admin });
  };
  const decide = (what: 'approve' | 'decline', userId: unknown, schoolId: unknown) => {
    const { app, admin } = districtOf('approval');
    const body = { userId, schoolId, unconfirmed: true };
    return app.call(`POST /api/admin/memberships/${what}`, { token: admin, body });
  };

  test('signs a new user in, but shows no school data until an administrator approves', async () => {
    const { app, school } = districtOf('approval');
    const activity = await anActivity(app, { school });
    const reply = await register('approval', { lastName: 'Pending' });
    expect([reply.status, reply.body.message]).toEqual([
      201,
      'Welcome, Maria! Someone at the school will review your request soon.',
    ]);
    expect(reply.body.user).toMatchObject({
      schools: [],
      pendingSchools: [{ id: school.id, name: 'Lincoln', logoUrl: null }],
    });
    const { token, user } = reply.body;
    const entry = { activityId: activity.id, hours: 1, schoolId: school.id };
    expect((await app.call(`GET /api/activities?schoolId=${school.id}`, { token })).status).toBe(404);
    expect((await app.call('GET /api/activities', { token })).body.activities).toEqual([]);
    expect((await app.call('POST /api/time-entries', { token, body: entry })).status).toBe(404);

    const { memberships, total } = (await pendingOf('pending')).body;
    expect(total).toBe(1);
    expect(memberships).toEqual([
      {
        user: { id: user.id, firstName: 'Maria', lastName: 'Pending', email: user.email },
        isEmailConfirmed: false,
        school: { id: school.id, name: 'Lincoln', logoUrl: null },
        requestedAt: app.clock.now(),
      },
    ]);
    const approved = await decide('approve', user.id, school.id);
    expect([approved.status, approved.body]).toEqual([200, { message: 'Maria Pending can now see Lincoln' }]);
    const profile = await app.call('GET /api/profile', { token });
    expect([idsOf(profile.body.user.schools), profile.body.user.pendingSchools]).toEqual([[school.id], []]);
    expect((await app.call('POST /api/time-entries', { token, body: entry })).status).toBe(201);
    expect((await emailsSentTo(app, user.email)).at(-1)?.subject).toBe('Welcome to Lincoln');
    expect((await pendingOf('pending')).body.total).toBe(0);
    expect((await recordOf(app, 'user', user.id)).at(-1)).toMatchObject({
      action: 'membership.approve',
      schoolId: school.id,
    });
  });

  test('emails a declined user, who can request the school again', async () => {
    const { app, school } = districtOf('approval');
    const { user, token } = (await register('approval')).body;
    const declined = await decide('decline', user.id, school.id);
    expect(declined.body.message).toBe('The request from Maria Núñez to join Lincoln was declined');
    expect((await app.call('GET /api/profile', { token })).body.user.pendingSchools).toEqual([]);
    expect((await emailsSentTo(app, user.email)).at(-1)?.text).toContain('was not approved');
    const again = await app.call('PUT /api/profile', { token, body: { schoolIds: [school.id] } });
    expect(idsOf(again.body.user.pendingSchools)).toEqual([school.id]);
  });

  test.each([
    ['approve', 'decline'],
    ['approve', 'approve'],
    ['decline', 'approve'],
  ] as const)('returns 409 for %s followed by %s', async (first, second) => {
    const { school } = districtOf('approval');
    const { user } = (await register('approval')).body;
    expect((await decide(first, user.id, school.id)).status).toBe(200);
    const reply = await decide(second, user.id, school.id);
    expect([reply.status, reply.body]).toEqual([409, { error: 'This request has already been decided' }]);
  });

  test('decides and emails once if two administrators decide at once', async () => {
    const { app, school } = districtOf('approval');
    const { user } = (await register('approval')).body;
    const replies = await Promise.all([
      decide('approve', user.id, school.id),
      decide('decline', user.id, school.id),
    ]);
    expect(replies.map((reply) => reply.status).toSorted()).toEqual([200, 409]);
    const told = (await emailsSentTo(app, user.email)).filter((letter) =>
      letter.subject?.includes('Lincoln'),
    );
    expect(told).toHaveLength(1);
  });

  test('emails a confirmation link, and requires a confirmed address for approval by default', async () => {
    const { app, school, admin } = districtOf('approval');
    const { user, token: session } = (await register('approval', { lastName: 'Unproven' })).body;
    const approve = () =>
      app.call('POST /api/admin/memberships/approve', {
        token: admin,
        body: { userId: user.id, schoolId: school.id },
      });
    const refused = await approve();
    expect([refused.status, refused.body.error]).toEqual([
      409,
      `${user.email} is not confirmed yet. Approve only if you know that the address belongs to this person.`,
    ]);
    const body = { token: linkIn((await emailsSentTo(app, user.email)).at(-1), 'verify') };
    expect((await app.call('POST /api/auth/verify-email', { token: session, body })).status).toBe(200);
    expect((await pendingOf('unproven')).body.memberships[0].isEmailConfirmed).toBe(true);
    expect((await approve()).status).toBe(200);
  });

  test('returns 404 for a decision about an unknown user, and 400 for an invalid user id', async () => {
    const { school } = districtOf('approval');
    expect((await decide('approve', 999_999, school.id)).status).toBe(404);
    expect((await decide('approve', 'x', school.id)).status).toBe(400);
  });

  test('requires approval to join another school later, and leaving withdraws the request', async () => {
    const { app, school, other } = districtOf('approval');
    const ann = await aPerson(app, { schools: [school] });
    const save = (schoolIds: number[]) =>
      app.call('PUT /api/profile', { token: ann.token, body: { schoolIds } });
    const asked = await save([school.id, other.id]);
    expect([idsOf(asked.body.user.schools), idsOf(asked.body.user.pendingSchools)]).toEqual([
      [school.id],
      [other.id],
    ]);
    const [edit] = await recordOf(app, 'user', ann.id);
    expect(edit?.after).toMatchObject({ schoolIds: [school.id], pendingSchoolIds: [other.id] });
    const renamed = await app.call('PUT /api/profile', { token: ann.token, body: { firstName: 'Anna' } });
    expect(idsOf(renamed.body.user.pendingSchools)).toEqual([other.id]);
    expect((await save([school.id])).body.user.pendingSchools).toEqual([]);
  });

  test('emails a confirmation link for another school, unless the address is confirmed or changing', async () => {
    const { app, school, other } = districtOf('approval');
    const lettersAfter = async (given: Parameters<typeof aPerson>[1], change: object = {}) => {
      const ann = await aPerson(app, { schools: [school], ...given });
      const body = { schoolIds: [school.id, other.id], ...change };
      const reply = await app.call('PUT /api/profile', { token: ann.token, body });
      expect(idsOf(reply.body.user.pendingSchools)).toEqual([other.id]);
      return (await emailsSentTo(app, ann.email)).map(({ subject }) => subject);
    };
    expect(await lettersAfter({ isProven: false })).toEqual(['Please confirm your email address']);
    expect(await lettersAfter({})).toEqual([]);
    expect(await lettersAfter({}, { email: newEmail() })).toEqual(['Your email address was changed']);
  });

  test('lists pending requests in pages, oldest first', async () => {
    const { app, admin } = districtOf('approval');
    for (let i = 0; i < 5; i++) {
      await register('approval', { lastName: 'Queue' });
      app.clock.advance(1000);
    }
    const pages = await readPages(app, '/api/admin/memberships?search=queue', admin, 2);
    const waiting = pages.flatMap((page) => page['memberships'] as { requestedAt: string }[]);
    expect(waiting).toHaveLength(5);
    expect(waiting).toEqual(waiting.toSorted((a, b) => (a.requestedAt < b.requestedAt ? -1 : 1)));
    expect((await pendingOf('nobody-like-that')).body).toMatchObject({ memberships: [], total: 0 });
  });

  test('lets only administrators see or decide requests, invitations and deletion requests', async () => {
    const { app } = districtOf('approval');
    const { token } = await aPerson(app);
    for (const call of [
      'GET /api/admin/memberships',
      'POST /api/admin/memberships/approve',
      'POST /api/admin/memberships/decline',
      'GET /api/admin/invites',
      'POST /api/admin/invites',
      'DELETE /api/admin/invites/1',
      'GET /api/admin/erasure-requests',
      'POST /api/admin/users/1/erase',
      'POST /api/admin/invites/1/resend',
      'POST /api/admin/erasure-requests/1/decline',
      'GET /api/admin/waiting',
    ]) {
      expect([call, (await app.call(call, { token })).status]).toEqual([call, 403]);
      expect([call, (await app.call(call)).status]).toEqual([call, 401]);
    }
  });
});

const waitsInFolder = (email: string) =>
  `The invitation for ${email} is ready, but email isn't set up, so it wasn't sent. Give them this link yourself.`;

describe('an invitation', () => {
  test('by email admits one person in every registration mode', async () => {
    for (const mode of districts.keys()) {
      const { app, school } = districtOf(mode);
      const { reply, email, code, letter } = await invite(mode);
      expect([reply.status, reply.body.message]).toEqual([201, waitsInFolder(email)]);
      // No mail server is set here: anyone who invites is given the letter's link.
      expect(reply.body.link).toBe(`https://hours.maplegrove.example/?invite=${code}`);
      expect(letter?.text).toMatch(/https:\/\/hours\.maplegrove\.example\/\?invite=[\w-]{43}\n/);
      const shown = await app.call(`GET /api/auth/invites/${code}`);
      expect(shown.body).toEqual({
        invite: { email, role: 'user', schools: [{ id: school.id, name: 'Lincoln', logoUrl: null }] },
      });
      const joined = await register(mode, { email, inviteCode: code });
      expect([mode, joined.status, joined.body.user.role]).toEqual([mode, 201, 'user']);
      expect(idsOf(joined.body.user.schools)).toEqual([school.id]);
      const again = await register(mode, { inviteCode: code });
      const wrong = 'This invitation is invalid or has expired. Please ask for a new one.';
      expect([again.status, again.body]).toEqual([400, { error: wrong, fields: { inviteCode: wrong } }]);
      expect((await app.call(`GET /api/auth/invites/${code}`)).status).toBe(400);
    }
  });

  test('is required in invite mode, and a guessed code is rejected', async () => {
    const { app } = districtOf('invite');
    const email = newEmail();
    expect((await register('invite', { email })).status).toBe(403);
    expect((await register('invite', { email, inviteCode: 'guessed' })).status).toBe(400);
    expect((await login(app, email)).status).toBe(401);
  });

  test('is valid for its address and its schools only', async () => {
    const { other, school } = districtOf('invite');
    const { email, code } = await invite('invite');
    const stranger = await register('invite', { inviteCode: code });
    const another = 'This invitation was sent to a different email address';
    expect([stranger.status, stranger.body]).toEqual([400, { error: another, fields: { email: another } }]);
    const greedy = await register('invite', {
      email,
      inviteCode: code,
      schoolIds: [school.id, other.id],
    });
    expect([greedy.status, greedy.body.error]).toEqual([
      403,
      'You need an invitation to join Madison. Please contact help@maplegrove.example.',
    ]);
    expect((await register('invite', { email, inviteCode: code })).status).toBe(201);
  });

  test('gives different errors for another address and for an unknown code', async () => {
    const { app, other } = districtOf('invite');
    const { code } = await invite('invite');
    const stranger = await aPerson(app);
    const join = (inviteCode: string) =>
      app.call('PUT /api/profile', {
        token: stranger.token,
        body: { schoolIds: [other.id], inviteCode },
      });
    const sentence = 'This invitation was sent to a different email address';
    const refused = await join(code ?? '');
    expect([refused.status, refused.body]).toEqual([
      400,
      { error: sentence, fields: { inviteCode: sentence } },
    ]);
    const wrong = 'This invitation is invalid or has expired. Please ask for a new one.';
    expect((await join('x'.repeat(43))).body).toEqual({ error: wrong, fields: { inviteCode: wrong } });
    // A code counts for nothing where no school is named.
    const renamed = { token: stranger.token, body: { firstName: 'Ann', inviteCode: 'x'.repeat(43) } };
    expect((await app.call('PUT /api/profile', renamed)).status).toBe(200);
  });

  test('gives access to its schools at once, even in approval mode', async () => {
    const { school, other } = districtOf('approval');
    const { email, code } = await invite('approval');
    const reply = await register('approval', {
      email,
      inviteCode: code,
      schoolIds: [school.id, other.id],
    });
    expect([idsOf(reply.body.user.schools), idsOf(reply.body.user.pendingSchools)]).toEqual([
      [school.id],
      [other.id],
    ]);
  });

  test('can create an administrator, but the body of a registration cannot', async () => {
    const { email, code } = await invite('open', { role: 'admin' });
    expect((await register('open', { email, inviteCode: code })).body.user.role).toBe('admin');
    const other = await invite('open');
    const reply = await register('open', { email: other.email, inviteCode: other.code, role: 'admin' });
    expect(reply.body.user.role).toBe('user');
  });

  test('creates one account if used twice at the same moment', async () => {
    const { email, code } = await invite('invite');
    const replies = await Promise.all([
      register('invite', { email, inviteCode: code }),
      register('invite', { email, inviteCode: code }),
    ]);
    expect(replies.map((reply) => reply.status === 201).toSorted()).toEqual([false, true]);
  });

  test('expires after two weeks, and can be revoked earlier', async () => {
    const { app } = districtOf('invite');
    const expired = await invite('invite');
    app.clock.advance(14 * DAY);
    expect((await register('invite', { email: expired.email, inviteCode: expired.code })).status).toBe(400);
    const token = (await anAdministrator(app)).token;
    districtOf('invite').admin = token;
    const revoked = await invite('invite');
    const { id } = revoked.reply.body.invite;
    const reply = await app.call(`DELETE /api/admin/invites/${id}`, { token });
    expect([reply.status, reply.body]).toEqual([200, { message: 'Invitation withdrawn' }]);
    expect((await register('invite', { email: revoked.email, inviteCode: revoked.code })).status).toBe(400);
    expect((await app.call(`DELETE /api/admin/invites/${id}`, { token })).status).toBe(404);
  });

  test('can be resent with a new link, which invalidates the first one', async () => {
    const { app } = districtOf('invite');
    const first = await invite('invite');
    const { id, expiresAt } = first.reply.body.invite;
    app.clock.advance(DAY);
    const { token } = await anAdministrator(app);
    const reply = await app.call(`POST /api/admin/invites/${id}/resend`, { token });
    expect([reply.status, reply.body.message]).toEqual([200, waitsInFolder(first.email)]);
    expect(millisecondsOf(reply.body.invite.expiresAt) - millisecondsOf(expiresAt)).toBe(DAY);
    const letters = await emailsSentTo(app, first.email);
    const code = linkIn(letters.at(-1), 'invite');
    expect(reply.body.link).toMatch(new RegExp(`invite=${code}$`));
    expect(letters).toHaveLength(2);
    expect((await register('invite', { email: first.email, inviteCode: first.code })).status).toBe(400);
    expect((await register('invite', { email: first.email, inviteCode: code })).status).toBe(201);
    expect((await recordOf(app, 'invite', id)).map((deed) => deed.action)).toEqual([
      'invite.create',
      'invite.resend',
    ]);
  });

  test('can be neither revoked nor resent once used', async () => {
    const { app, admin } = districtOf('open');
    const { reply, email, code } = await invite('open');
    await register('open', { email, inviteCode: code });
    for (const call of ['DELETE /api/admin/invites/:id', 'POST /api/admin/invites/:id/resend']) {
      const used = await app.call(call.replace(':id', reply.body.invite.id), { token: admin });
      expect([used.status, used.body]).toEqual([409, { error: 'This invitation has already been used' }]);
      for (const id of NO_ID) {
        const none = await app.call(call.replace(':id', id), { token: admin });
        expect([none.status, none.body.error]).toEqual([404, 'Invitation not found']);
      }
    }
  });

  test.each([
    [{ email: '' }, 'email', 'Email address is required'],
    [{ email: 'ann' }, 'email', 'Please enter a valid email address'],
    [{ schoolIds: [] }, 'schoolIds', 'Please select at least one school'],
    [{ schoolIds: [999_999] }, 'schoolIds', 'Please select at least one school'],
  ])('with %j is rejected with an error at the field', async (given, field, message) => {
    const { app, school, admin } = districtOf('open');
    const body = { email: newEmail(), schoolIds: [school.id], ...given };
    const reply = await app.call('POST /api/admin/invites', { token: admin, body });
    expect([reply.status, reply.body]).toEqual([400, { error: message, fields: { [field]: message } }]);
  });

  test('sends no email if it is revoked before that, and stays in the audit log', async () => {
    const { app, school, admin } = districtOf('open');
    const email = newEmail();
    const body = { email, schoolIds: [school.id] };
    const { invite } = (await app.call('POST /api/admin/invites', { token: admin, body })).body;
    await app.call(`POST /api/admin/invites/${invite.id}/resend`, { token: admin });
    expect((await app.call(`DELETE /api/admin/invites/${invite.id}`, { token: admin })).status).toBe(200);
    expect(await emailsSentTo(app, email)).toEqual([]);
    const [, resent, revoked] = await recordOf(app, 'invite', invite.id);
    expect(resent).toMatchObject({ action: 'invite.resend', after: { email, expiresAt: invite.expiresAt } });
    expect(revoked).toMatchObject({
      action: 'invite.revoke',
      before: { email, role: 'user', schoolIds: [school.id] },
    });
  });

  test('is listed with its sender but without its code, newest first', async () => {
    const { app, school, admin } = districtOf('open');
    const sent = [];
    for (let i = 0; i < 5; i++) sent.push(await invite('open', { email: `listed${i}@maplegrove.example` }));
    await register('open', { email: 'listed0@maplegrove.example', inviteCode: sent[0]?.code });
    const pages = await readPages(app, '/api/admin/invites?search=listed', admin, 2);
    const listed = pages.flatMap((page) => page['invites'] as { email: string }[]);
    expect(listed.map((found) => found.email)).toEqual(
      [4, 3, 2, 1, 0].map((i) => `listed${i}@maplegrove.example`),
    );
    expect(pages[0]).toMatchObject({ total: 5 });
    const open = await app.call('GET /api/admin/invites?search=listed&status=open', { token: admin });
    expect(open.body.total).toBe(4);
    expect(open.body.invites[0]).toEqual({
      id: expect.any(Number),
      grants: [],
      email: 'listed4@maplegrove.example',
      role: 'user',
      schools: [{ id: school.id, name: 'Lincoln', logoUrl: null }],
      invitedBy: expect.objectContaining({ firstName: 'Ada' }),
      createdAt: app.clock.now(),
      expiresAt: expect.any(String),
      usedAt: null,
    });
    const stored = await app.deps.database.db.selectFrom('invites').selectAll().execute();
    for (const { code } of sent) expect(JSON.stringify(stored)).not.toContain(code);
  });

  test('lets an existing account join another school by its code, never by the address alone', async () => {
    const { app, school, other } = districtOf('invite');
    const wanted = [school.id, other.id];
    const save = (token: string, body: object) => app.call('PUT /api/profile', { token, body });
    const ann = await aPerson(app, { schools: [school] });
    expect((await save(ann.token, { schoolIds: wanted })).body.error).toBe(
      'You need an invitation to join Madison. Please contact help@maplegrove.example.',
    );
    const { code } = await invite('invite', { email: ann.email, schoolIds: [other.id] });
    // Not even a confirmed address: what an invitation gives was sent with its code.
    expect((await save(ann.token, { schoolIds: wanted })).status).toBe(403);
    expect(idsOf((await save(ann.token, { schoolIds: wanted, inviteCode: code })).body.user.schools)).toEqual(
      wanted,
    );
    expect((await app.call(`GET /api/auth/invites/${code}`)).status).toBe(400);
  });
});

test('with a mail server, only the email contains the invitation link', async () => {
  const app = await startApp({ SMTP_URL: 'smtp://127.0.0.1:9' });
  const { token } = await anAdministrator(app);
  const school = await aSchool(app);
  const email = anAddress();
  const body = { email, schoolIds: [school.id] };
  const reply = await app.call('POST /api/admin/invites', { token, body });
  expect([reply.body.message, reply.body.link]).toEqual([`Invitation sent to ${email}`, null]);
  const again = await app.call(`POST /api/admin/invites/${reply.body.invite.id}/resend`, { token });
  expect([again.body.message, again.body.link]).toEqual([`Invitation sent to ${email} again`, null]);
  expect((await app.call('GET /api/admin/waiting', { token })).body.lettersInFolder).toBe(false);
});
