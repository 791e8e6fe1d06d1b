import { beforeAll, expect, test } from 'vitest';
import { allEndpoints, callOf } from '#test/all-endpoints.ts';
import { aCategory, anActivity, anAdministrator, anEntry, aPerson, aPhoto, aSchool } from '#test/builders.ts';
import { differences, storedState } from '#test/fuzz/stored-state.ts';
import { startApp, type TestApp } from '#test/harness.ts';

let app: TestApp;
let given: Awaited<ReturnType<typeof aDistrict>>;
beforeAll(async () => {
  // Decided, since saving the defaults for the first time is a decision.
  app = await startApp({ REGISTRATION: 'approval' });
  given = await aDistrict();
});

async function aDistrict() {
  const school = await aSchool(app);
  const pat = await aPerson(app, { schools: [school] });
  const ada = await anAdministrator(app);
  const category = await aCategory(app, { school });
  const activity = await anActivity(app, { school, category, activeFrom: null });
  const entry = await anEntry(app, { by: pat, activity, notes: 'Set the tables up' });
  const passkey = await app.deps.database.db
    .insertInto('passkeys')
    .values({
      user_id: ada.id,
      credential_id: 'a-passkey',
      user_handle: 'ada',
      public_key: 'key',
      counter: 0,
      transports: '',
      rp_id: 'localhost',
      name: 'Phone',
      created_at: app.clock.now(),
    })
    .returning(['id', 'name'])
    .executeTakeFirstOrThrow();
  const photo = await aPhoto(app, { by: pat, activity });
  return { school, pat, ada, category, activity, entry, photo, passkey };
}

/** What each PUT is about: its address, and where what is there now can be read in the form in which it is sent. */
const CALLS: Readonly<Record<string, () => { put: string; get?: string; part?: string; body?: object }>> = {
  'PUT /profile/goal': () => ({ put: '/profile/goal', body: { hours: null } }),
  'PUT /profile/mailings': () => ({
    put: '/profile/mailings',
    body: { isWanted: true },
  }),
  'PUT /profile/reminders': () => ({
    put: '/profile/reminders',
    body: { afterEvents: false, weekly: false, decisions: false },
  }),
  'PUT /admin/milestones': () => ({ put: '/admin/milestones', body: { milestones: [] } }),
  'PUT /profile': () => ({ put: '/profile', get: '/profile', part: 'user' }),
  'PUT /time-entries/:id': () => ({ put: `/time-entries/${given.entry.id}`, ...entryBody() }),
  'PUT /admin/time-entries/:id': () => ({ put: `/admin/time-entries/${given.entry.id}`, ...entryBody() }),
  'PUT /photos/:id': () => ({
    put: `/photos/${given.photo.id}`,
    get: `/photos/${given.photo.id}`,
    part: 'photo',
  }),
  'PUT /admin/system/backup-mail': () => ({
    put: '/admin/system/backup-mail',
    get: '/admin/system/backup-mail',
    part: 'mail',
  }),
  'PUT /my-activity-suggestions/mail': () => ({
    put: '/my-activity-suggestions/mail',
    get: '/my-activity-suggestions/mail',
    part: 'mail',
  }),
  'PUT /my-verifications/mail': () => ({
    put: '/my-verifications/mail',
    body: { isWanted: true },
  }),
  'PUT /admin/users/:id': () => ({
    put: `/admin/users/${given.pat.id}`,
    body: {
      email: given.pat.email,
      firstName: given.pat.firstName,
      lastName: given.pat.lastName,
      role: 'user',
      isActive: true,
      password: '',
      schoolIds: [given.school.id],
    },
  }),
  'PUT /admin/users/:id/apart': () => ({
    put: `/admin/users/${given.pat.id}/apart`,
    body: { other: given.ada.id, areTwo: false },
  }),
  'PUT /admin/schools/:id': () => ({
    put: `/admin/schools/${given.school.id}`,
    body: { name: given.school.name },
  }),
  'PUT /admin/categories/:id': () => ({
    put: `/admin/categories/${given.category.id}`,
    get: '/admin/categories',
    part: 'categories',
  }),
  'PUT /admin/activities/:id': () => ({
    put: `/admin/activities/${given.activity.id}`,
    get: '/admin/activities',
    part: 'activities',
  }),
  'PUT /admin/photos/settings': () => ({
    put: '/admin/photos/settings',
    get: '/admin/photos/settings',
    part: 'settings',
  }),
  'PUT /admin/google-drive/settings': () => ({
    put: '/admin/google-drive/settings',
    body: { nightly: false, folder: null },
  }),
  'PUT /admin/first-run': () => ({ put: '/admin/first-run', body: { isOpen: false } }),
  'PUT /admin/settings': () => ({
    put: '/admin/settings',
    get: '/admin/settings',
    part: 'settings',
  }),
  'PUT /profile/second-factor/passkeys/:id': () => ({
    put: `/profile/second-factor/passkeys/${given.passkey.id}`,
    body: { name: given.passkey.name },
  }),
  'PUT /admin/reports/rate': () => ({
    put: '/admin/reports/rate',
    get: '/admin/reports/rate',
    part: 'rate',
  }),
};

/** A password is always a change: nobody may see whether it is the one that was. */
const ALWAYS_A_CHANGE = ['PUT /auth/change-password'];

function entryBody() {
  return { get: '/time-entries', part: 'timeEntries' };
}

test('the calls of this file cover every PUT endpoint', async () => {
  const puts = [...(await allEndpoints()).values()].filter(({ method }) => method === 'PUT').map(callOf);
  expect(puts.toSorted()).toEqual([...Object.keys(CALLS), ...ALWAYS_A_CHANGE].toSorted());
});

test.each(Object.entries(CALLS))('%s that changes nothing writes nothing', async (call, about) => {
  const { token } = given.ada;
  if (call.endsWith('/rate')) {
    const body = { hourlyRate: 33.49, source: 'Independent Sector', year: 2026 };
    await app.call('PUT /api/admin/reports/rate', { token, body });
  }
  const { put, get, part = '', body } = about();
  const found = get === undefined ? undefined : (await app.call(`GET /api${get}`, { token })).body[part];
  const asItIs = body ?? (Array.isArray(found) ? found[0] : found);
  const before = await storedState(app);
  const reply = await app.call(`PUT /api${put}`, { token, body: asItIs });
  expect([reply.status, typeof reply.body.message]).toEqual([200, 'string']);
  expect(differences(before, await storedState(app))).toEqual([]);
});
