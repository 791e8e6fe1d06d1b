import { beforeAll, expect, test } from 'vitest';
import { anActivity, anAdministrator, aPerson, aPersonWithRole, aSchool } from '#test/builders.ts';
import { startApp, type TestApp } from '#test/harness.ts';
import { drawn } from '#test/images/draw-image.ts';
import { readPages } from '#test/list-requests.ts';
import { openLink, upload } from '#test/upload.ts';

let app: TestApp;
let ada: { token: string };
let ofLincoln: { token: string };
let member: { token: string };
let lincoln: { id: number };
let added: { id: number; thumbnailSignedUrl: string }[];

const get = (by: { token: string }, path: string) =>
  app.call(`GET /api/admin/photos${path}`, { token: by.token });
const idsOf = (rows: readonly { id: number }[]) => rows.map(({ id }) => id);

// Fair: two photos, the latest of them reported. Garden: one. Chess: none. Harbor's fair: one.
beforeAll(async () => {
  app = await startApp();
  ada = await anAdministrator(app);
  lincoln = await aSchool(app, { name: 'Lincoln' });
  const harbor = await aSchool(app, { name: 'Harbor' });
  ofLincoln = await aPersonWithRole(app, 'coordinator', lincoln);
  const volunteer = await aPerson(app, { schools: [lincoln, harbor] });
  member = volunteer;
  const fair = await anActivity(app, { school: lincoln, name: 'Fair' });
  const garden = await anActivity(app, { school: lincoln, name: 'Garden' });
  await anActivity(app, { school: lincoln, name: 'Chess' });
  const other = await anActivity(app, { school: harbor, name: 'Fair of Harbor' });
  added = [];
  for (const [at, to] of [fair, fair, garden, other].entries()) {
    const content = await drawn(200 + at, 100)
      .jpeg()
      .toBuffer();
    const { body } = await upload(app, { by: volunteer, to, files: [{ name: `${at}.jpg`, content }] });
    added.push(body.photos[0]);
  }
  await app.call(`POST /api/photos/${added[1]?.id}/takedown`, { token: volunteer.token, body: {} });
});

test('administrators and coordinators list the photos of their schools in pages, latest first', async () => {
  const all = idsOf(added).reverse();
  expect((await get(ada, '')).body.pagination.total).toBe(4);
  const pages = await readPages(app, '/api/admin/photos', ada.token, 3);
  expect(idsOf(pages.flatMap(({ photos }) => photos as { id: number }[]))).toEqual(all);
  expect(idsOf((await get(ada, `?schoolId=${lincoln.id}`)).body.photos)).toEqual(all.slice(1));
  expect(idsOf((await get(ofLincoln, '')).body.photos)).toEqual(all.slice(1));
  expect((await get(member, '')).status).toBe(403);
});

test('administrators and coordinators list activities with photos by name, with the latest visible photo', async () => {
  const { body } = await get(ada, '/activities');
  const facts = body.activities.map(
    ({ name, photoCount, latest }: { name: string; photoCount: number; latest: { id: number } | null }) => [
      name,
      photoCount,
      latest?.id,
    ],
  );
  expect(facts).toEqual([
    ['Fair', 2, added[0]?.id],
    ['Fair of Harbor', 1, added[3]?.id],
    ['Garden', 1, added[2]?.id],
  ]);
  expect((await openLink(app, body.activities[0].latest.thumbnailSignedUrl)).status).toBe(200);
  const pages = await readPages(app, '/api/admin/photos/activities', ada.token, 2);
  expect(pages.flatMap(({ activities }) => activities as unknown[])).toHaveLength(3);
  const named = async (by: { token: string }, query: string) =>
    (await get(by, `/activities${query}`)).body.activities.map(({ name }: { name: string }) => name);
  expect(await named(ada, '?search=fair')).toEqual(['Fair', 'Fair of Harbor']);
  expect(await named(ofLincoln, '')).toEqual(['Fair', 'Garden']);
  expect((await get(member, '/activities')).status).toBe(403);
});

test('an activity has no latest photo if its only photo is hidden', async () => {
  const school = await aSchool(app);
  const by = await aPerson(app, { schools: [school] });
  const to = await anActivity(app, { school, name: 'Play' });
  const content = await drawn(90, 60).jpeg().toBuffer();
  const { body } = await upload(app, { by, to, files: [{ name: 'play.jpg', content }] });
  const seen = async () => (await get(ada, `/activities?schoolId=${school.id}`)).body.activities;
  expect(await seen()).toMatchObject([{ photoCount: 1, latest: { id: body.photos[0].id } }]);
  await app.call(`POST /api/photos/${body.photos[0].id}/takedown`, { token: by.token, body: {} });
  expect(await seen()).toMatchObject([{ photoCount: 1, latest: null }]);
  await app.call(`DELETE /api/photos/${body.photos[0].id}`, { token: ada.token });
  expect(await seen()).toEqual([]);
});
