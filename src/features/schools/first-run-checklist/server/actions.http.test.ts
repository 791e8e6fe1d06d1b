import { expect, test } from 'vitest';
import { ensureAdministrator } from '#features/auth/server/first-administrator.ts';
import { anActivity, anAdministrator, aSchool } from '#test/builders.ts';
import { startApp, type TestApp } from '#test/harness.ts';

const PATH = '/api/admin/first-run';
const OPEN = { DISTRICT_NAME: '', SUPPORT_EMAIL: '', TIME_ZONE: '' };
const ADMIN = { ADMIN_EMAIL: 'ada@maple.example', ADMIN_PASSWORD: 'maple-lantern-42' };

async function signIn(app: TestApp): Promise<string> {
  const body = { email: ADMIN.ADMIN_EMAIL, password: ADMIN.ADMIN_PASSWORD };
  return (await app.call('POST /api/auth/login', { body })).body.token;
}

const toDo = (found: { steps: { name: string; isDone: boolean; isPutAway: boolean }[] }) =>
  found.steps.filter(({ isDone, isPutAway }) => !isDone && !isPutAway).map(({ name }) => name);

test('a new district has a checklist whose steps follow its data', async () => {
  const app = await startApp({ ...OPEN, ...ADMIN });
  await ensureAdministrator(app.deps);
  const token = await signIn(app);
  const read = async () => (await app.call(`GET ${PATH}`, { token })).body;
  const first = await read();
  expect(first.isOpen).toBe(true);
  expect(toDo(first)).toEqual([
    'access',
    'you',
    'district',
    'timeZone',
    'school',
    'activities',
    'mail',
    'people',
    'backup',
  ]);
  await app.call('PUT /api/profile', { token, body: { firstName: 'Ada', lastName: 'Reyes' } });
  const body = {
    districtName: 'Maple Grove',
    supportEmail: 'help@maple.example',
    registration: 'approval',
    timeZone: 'America/Chicago',
    mail: { url: 'smtp://mail.example.org' },
  };
  await app.call('PUT /api/admin/settings', { token, body });
  expect(toDo(await read())).toEqual(['school', 'activities', 'people', 'backup']);
  const school = await aSchool(app);
  expect(toDo(await read())).toEqual(['activities', 'people', 'backup']);
  await anActivity(app, { school });
  await app.call('POST /api/admin/invites', {
    token,
    body: { email: 'b@maple.example', schoolIds: [school.id] },
  });
  expect(toDo(await read())).toEqual(['backup']);
  const skipped = await app.call(`PUT ${PATH}`, { token, body: { putAway: ['backup'] } });
  expect([skipped.status, skipped.body.isOpen, toDo(skipped.body)]).toEqual([200, false, []]);
});

test('dismissing or reopening the checklist applies to all administrators', async () => {
  const app = await startApp({ ...OPEN, ...ADMIN });
  await ensureAdministrator(app.deps);
  const [token, other] = [await signIn(app), (await anAdministrator(app)).token];
  await app.call(`PUT ${PATH}`, { token, body: { isOpen: false } });
  expect((await app.call(`GET ${PATH}`, { token: other })).body.isOpen).toBe(false);
  await app.call(`PUT ${PATH}`, { token: other, body: { isOpen: true } });
  expect((await app.call(`GET ${PATH}`, { token })).body.isOpen).toBe(true);
  const rows = await app.deps.database.db
    .selectFrom('audit_events')
    .select('action')
    .where('action', '=', 'district.first-run')
    .execute();
  expect(rows).toHaveLength(2);
  expect((await app.call(`PUT ${PATH}`, { token, body: { putAway: ['nothing'] } })).status).toBe(400);
});

test('the checklist is not open in an existing district', async () => {
  const app = await startApp();
  const { token } = await anAdministrator(app);
  await ensureAdministrator(app.deps);
  expect((await app.call(`GET ${PATH}`, { token })).body.isOpen).toBe(false);
});
