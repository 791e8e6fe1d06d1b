import { describe, expect, test } from 'vitest';
import { recordOf } from '#test/audit-log.ts';
import { aGrant, anActivity, anAdministrator, aPerson, aPersonWithRole, aSchool } from '#test/builders.ts';
import { aStoredPhoto } from '#test/google-drive.ts';
import { startApp, type TestApp } from '#test/harness.ts';
import { phonePhoto } from '#test/images/draw-image.ts';
import { readPages } from '#test/list-requests.ts';
import { emailsSentTo } from '#test/sent-emails.ts';
import { openLink, upload } from '#test/upload.ts';

let pictures = 0;
const aPicture = async () => ({ name: 'fair.jpg', content: await phonePhoto(40 + ++pictures, 30) });

async function aDistrict() {
  const app = await startApp();
  const school = await aSchool(app, { name: 'Lincoln' });
  const activity = await anActivity(app, { school, name: 'Book fair' });
  const volunteer = await aPerson(app, { schools: [school] });
  const other = await aPerson(app, { schools: [school] });
  const ada = await anAdministrator(app);
  return { app, school, activity, volunteer, other, ada };
}

const change = (app: TestApp, by: { token: string }, body: unknown) =>
  app.call('PUT /api/admin/photos/settings', { token: by.token, body });
const idsSeenBy = async (app: TestApp, by: { token: string }, activity: { id: number }) => {
  const { body } = await app.call(`GET /api/activities/${activity.id}/photos`, { token: by.token });
  expect(body.pagination.total).toBe(body.photos.length);
  return body.photos.map((photo: { id: number }) => photo.id);
};

describe('photo settings', () => {
  test('are off by default, and a change leaves the others unchanged', async () => {
    const { app, volunteer, ada } = await aDistrict();
    const rules = () => app.call('GET /api/photos/rules', { token: volunteer.token });
    expect((await rules()).body).toEqual({ rules: { consentText: null, review: false } });
    const { body } = await change(app, ada, { consent: true, consentText: ' All agreed. ' });
    expect(body).toEqual({
      settings: {
        consent: true,
        consentText: 'All agreed.',
        translations: null,
        review: false,
        notify: [],
      },
      message: 'Photo settings saved',
    });
    await change(app, ada, { review: true });
    expect((await rules()).body).toEqual({ rules: { consentText: 'All agreed.', review: true } });
    const read = await app.call('GET /api/admin/photos/settings', { token: ada.token });
    expect(read.body.settings).toMatchObject({ consent: true, review: true });
    const { db } = app.deps.database;
    const records = await db
      .selectFrom('audit_events')
      .selectAll()
      .where('action', '=', 'photo.settings')
      .execute();
    expect(records.map((row) => JSON.parse(row.after ?? ''))).toMatchObject([
      { review: false },
      { review: true },
    ]);
  });

  test('reject a blank or long consent text, and recipients who are not administrators', async () => {
    const { app, volunteer, ada } = await aDistrict();
    const refused = [
      await change(app, ada, { consentText: '  ' }),
      await change(app, ada, { consentText: 'x'.repeat(501) }),
      await change(app, ada, { notify: [volunteer.id] }),
      await change(app, ada, { notify: [999_999] }),
    ];
    expect(refused.map(({ status, body }) => [status, Object.keys(body.fields)])).toEqual([
      [400, ['consentText']],
      [400, ['consentText']],
      [400, ['notify']],
      [400, ['notify']],
    ]);
  });
});

test('an upload without required consent is rejected, and given consent is audited', async () => {
  const { app, activity, volunteer, ada } = await aDistrict();
  await change(app, ada, { consent: true });
  const send = async (fields: Record<string, string>) =>
    upload(app, { by: volunteer, to: activity, files: [await aPicture()], fields });
  for (const fields of [{}, { consent: 'false' }, { consent: 'on' }] as Record<string, string>[]) {
    const { status, body } = await send(fields);
    const sentence = 'Please confirm that everyone in the photo may be shown';
    expect([status, body.fields]).toEqual([400, { consent: sentence }]);
  }
  expect((await send({ consent: 'true' })).status).toBe(201);
  const { after } = await app.deps.database.db
    .selectFrom('audit_events')
    .select('after')
    .where('action', '=', 'photo.upload')
    .executeTakeFirstOrThrow();
  expect(JSON.parse(after ?? '')).toMatchObject({ consent: true, containsStudents: false });
});

test('the audit log of the uploader contains events of the photo by other users', async () => {
  const { app, activity, volunteer, other, ada } = await aDistrict();
  await change(app, ada, { review: true });
  const { body } = await upload(app, { by: volunteer, to: activity, files: [await aPicture()] });
  const path = `photos/${body.photos[0].id}`;
  const calls: [string, { token: string }, object?][] = [
    [`POST /api/admin/${path}/approve`, ada],
    [`PUT /api/${path}`, ada, { caption: 'Tables' }],
    [`POST /api/${path}/takedown`, other, {}],
    [`DELETE /api/${path}`, ada],
    [`POST /api/${path}/restore`, ada],
  ];
  for (const [call, { token }, sent] of calls) {
    expect([call, (await app.call(call, { token, body: sent })).status]).toEqual([call, 200]);
  }
  const log = await app.call(`GET /api/admin/audit?userId=${volunteer.id}`, { token: ada.token });
  const found = log.body.records.map(({ action }: { action: string }) => action);
  expect(found.filter((action: string) => action.startsWith('photo.')).sort()).toEqual(
    ['approve', 'caption', 'delete', 'restore', 'takedown', 'upload'].map((deed) => `photo.${deed}`),
  );
});

describe('photo review', () => {
  test('hides a photo from other members until it is approved', async () => {
    const { app, school, activity, volunteer, other, ada } = await aDistrict();
    await change(app, ada, { review: true });
    const sent = await upload(app, { by: volunteer, to: activity, files: [await aPicture()] });
    expect(sent.body.message).toBe('1 photo uploaded. Others can see it after an administrator approves it.');
    const [photo] = sent.body.photos;
    expect(photo.review).toBe('waiting');
    expect(await idsSeenBy(app, volunteer, activity)).toEqual([photo.id]);
    expect(await idsSeenBy(app, ada, activity)).toEqual([photo.id]);
    expect(await idsSeenBy(app, other, activity)).toEqual([]);
    const asks = (path: string) => app.call(path, { token: other.token });
    expect((await asks(`GET /api/photos/${photo.id}`)).status).toBe(404);
    expect((await asks(`DELETE /api/photos/${photo.id}`)).status).toBe(404);

    const queue = await app.call(`GET /api/admin/photos/review?schoolId=${school.id}`, { token: ada.token });
    expect(queue.body.photos).toMatchObject([{ id: photo.id, takedown: null, user: { id: volunteer.id } }]);
    const count = await app.call('GET /api/admin/photos/review/count', { token: ada.token });
    expect(count.body).toEqual({ count: 1 });

    const approve = () => app.call(`POST /api/admin/photos/${photo.id}/approve`, { token: ada.token });
    const approved = await approve();
    expect([approved.body.message, approved.body.photo.review]).toEqual(['Photo approved', 'visible']);
    expect((await approve()).status).toBe(409);
    expect(await idsSeenBy(app, other, activity)).toEqual([photo.id]);
    expect((await openLink(app, photo.signedUrl)).status).toBe(403);
    expect((await openLink(app, approved.body.photo.signedUrl)).status).toBe(200);
  });

  test('lists pending photos in pages, oldest first', async () => {
    const { app, school, activity, volunteer, ada } = await aDistrict();
    await change(app, ada, { review: true });
    const sent: number[] = [];
    for (let i = 0; i < 3; i++) {
      const { body } = await upload(app, { by: volunteer, to: activity, files: [await aPicture()] });
      sent.push(body.photos[0].id);
    }
    const pages = await readPages(app, `/api/admin/photos/review?schoolId=${school.id}`, ada.token, 2);
    const idsIn = (page: Record<string, unknown>) => (page['photos'] as { id: number }[]).map(({ id }) => id);
    expect(pages.map(idsIn)).toEqual([sent.slice(0, 2), sent.slice(2)]);
    expect(pages[0]?.['pagination']).toEqual({ total: 3 });
    const another = await aSchool(app);
    const ask = (path: string) => app.call(`GET /api/admin/photos/${path}`, { token: ada.token });
    const elsewhere = await ask(`review?schoolId=${another.id}`);
    expect([elsewhere.body.photos, elsewhere.body.pagination.total]).toEqual([[], 0]);
    expect((await ask(`review/count?schoolId=${another.id}`)).body).toEqual({ count: 0 });
    // A cursor of one list does not work in another.
    const { body } = await ask(`review?schoolId=${school.id}&limit=1`);
    for (const list of ['', `schoolId=${another.id}&`]) {
      expect((await ask(`review?${list}limit=1&cursor=${body.nextCursor}`)).status).toBe(400);
    }
  });

  test("approves an administrator's upload automatically", async () => {
    const { app, activity, other, ada } = await aDistrict();
    await change(app, ada, { review: true });
    const { body } = await upload(app, { by: ada, to: activity, files: [await aPicture()] });
    expect(await idsSeenBy(app, other, activity)).toEqual([body.photos[0].id]);
  });
});

describe('hiding a photo', () => {
  test('invalidates its links permanently, even if it is approved later', async () => {
    const { app, activity, volunteer, other, ada } = await aDistrict();
    const { body } = await upload(app, { by: volunteer, to: activity, files: [await aPicture()] });
    const [photo] = body.photos;
    const links = [photo.signedUrl, photo.thumbnailSignedUrl];
    const opened = () => Promise.all(links.map(async (link) => (await openLink(app, link)).status));
    expect(await opened()).toEqual([200, 200]);
    await app.call(`POST /api/photos/${photo.id}/takedown`, { token: other.token, body: {} });
    const queue = await app.call('GET /api/admin/photos/review', { token: ada.token });
    const approved = await app.call(`POST /api/admin/photos/${photo.id}/approve`, { token: ada.token });
    expect(await opened()).toEqual([403, 403]);
    expect((await openLink(app, queue.body.photos[0].signedUrl)).status).toBe(403);
    expect((await openLink(app, approved.body.photo.signedUrl)).status).toBe(200);
    const { body: list } = await app.call(`GET /api/activities/${activity.id}/photos`, {
      token: other.token,
    });
    expect((await openLink(app, list.photos[0].thumbnailSignedUrl)).status).toBe(200);
  });

  test('takes effect immediately, and emails every administrator the reason', async () => {
    const { app, activity, volunteer, other, ada } = await aDistrict();
    const bea = await anAdministrator(app);
    const { body } = await upload(app, { by: volunteer, to: activity, files: [await aPicture()] });
    const [photo] = body.photos;
    const ask = (by: { token: string }) =>
      app.call(`POST /api/photos/${photo.id}/takedown`, { token: by.token, body: { reason: 'My daughter' } });
    expect((await ask(other)).body).toEqual({
      message: 'Thank you. The photo is hidden until an administrator reviews it.',
    });
    expect((await openLink(app, photo.signedUrl)).status).toBe(403);
    expect(await idsSeenBy(app, volunteer, activity)).toEqual([]);
    expect((await ask(volunteer)).status).toBe(404);
    const again = await upload(app, {
      by: volunteer,
      to: activity,
      files: [{ name: 'again.jpg', content: await phonePhoto(40 + pictures, 30) }],
    });
    expect(again.body.photos).toEqual([]);

    const queue = await app.call('GET /api/admin/photos/review', { token: ada.token });
    expect(queue.body.photos).toMatchObject([
      { id: photo.id, review: 'reported', takedown: { reason: 'My daughter', by: { id: other.id } } },
    ]);
    for (const { email } of [ada, bea]) {
      const [letter, ...more] = await emailsSentTo(app, email);
      expect([letter?.subject, more]).toEqual(['Photo hidden at Lincoln', []]);
      expect(letter?.text).toContain('Their reason: My daughter');
    }

    await app.call(`POST /api/admin/photos/${photo.id}/approve`, { token: ada.token });
    expect(await idsSeenBy(app, other, activity)).toEqual([photo.id]);
    const [, down, up] = await recordOf(app, 'photo', photo.id);
    expect([down, up]).toMatchObject([
      { action: 'photo.takedown', before: { review: 'visible' }, after: { review: 'reported' } },
      { action: 'photo.approve', before: { review: 'reported' }, after: { review: 'visible' } },
    ]);
  });

  test('returns the same reply twice, and sends one email, to the chosen administrator only', async () => {
    const { app, activity, volunteer, ada } = await aDistrict();
    const bea = await anAdministrator(app);
    await change(app, ada, { notify: [bea.id] });
    const { body } = await upload(app, { by: volunteer, to: activity, files: [await aPicture()] });
    const ask = () => app.call(`POST /api/photos/${body.photos[0].id}/takedown`, { token: ada.token });
    const [first, second] = [await ask(), await ask()];
    expect(first.status).toBe(200);
    expect([second.status, second.body]).toEqual([first.status, first.body]);
    expect([
      (await emailsSentTo(app, bea.email)).length,
      (await emailsSentTo(app, ada.email)).length,
    ]).toEqual([1, 0]);
  });
});

describe('hidden-photo emails to school administrators', () => {
  test('cover only the schools that the recipient administers', async () => {
    const { app, school, activity, volunteer, ada } = await aDistrict();
    const roosevelt = await aSchool(app, { name: 'Roosevelt' });
    const there = await anActivity(app, { school: roosevelt, name: 'Bake sale' });
    const [head, gone, away] = [
      await aPersonWithRole(app, 'school-admin', school),
      await aPersonWithRole(app, 'school-admin', school),
      await aPersonWithRole(app, 'school-admin', roosevelt),
    ];
    await aGrant(app, ada, 'school-admin', school);
    const others = [
      await aPersonWithRole(app, 'coordinator', school),
      await aPersonWithRole(app, 'auditor', school),
      await aPersonWithRole(app, 'auditor', null),
    ];
    const { db } = app.deps.database;
    await db.updateTable('users').set({ is_active: 0 }).where('id', '=', gone.id).execute();
    const takeDown = async (at: { id: number; schoolId: number }) => {
      const photo = await aStoredPhoto(app, { by: volunteer, activity: at });
      await app.call(`POST /api/photos/${photo.id}/takedown`, { token: ada.token });
    };
    await takeDown({ ...activity, schoolId: school.id });
    const told = async (person: { email: string }) =>
      (await emailsSentTo(app, person.email)).map(({ subject }) => subject);
    expect(await told(head)).toEqual(['Photo hidden at Lincoln']);
    expect(await told(ada)).toEqual(['Photo hidden at Lincoln']);
    for (const person of [gone, away, ...others]) expect(await told(person)).toEqual([]);
    // The district's list only replaces its own administrators, not the school's.
    await change(app, ada, { notify: [(await anAdministrator(app)).id] });
    await takeDown({ ...activity, schoolId: school.id });
    expect([(await told(head)).length, (await told(ada)).length]).toEqual([2, 1]);
    await db.deleteFrom('user_grants').where('user_id', '=', head.id).execute();
    await takeDown({ ...activity, schoolId: school.id });
    await takeDown({ ...there, schoolId: roosevelt.id });
    expect(await told(head)).toHaveLength(2);
    expect(await told(away)).toEqual(['Photo hidden at Roosevelt']);
  });

  test('are combined into one hourly digest per recipient above the limit', async () => {
    const { app, school, activity, volunteer } = await aDistrict();
    const roosevelt = await aSchool(app, { name: 'Roosevelt' });
    const there = await anActivity(app, { school: roosevelt, name: 'Bake sale' });
    const head = await aPersonWithRole(app, 'school-admin', school);
    const away = await aPersonWithRole(app, 'school-admin', roosevelt);
    await app.deps.database.db
      .insertInto('user_schools')
      .values({
        user_id: volunteer.id,
        school_id: roosevelt.id,
        status: 'active',
        created_at: app.clock.now(),
      })
      .execute();
    for (const [at, times] of [
      [{ ...activity, schoolId: school.id }, 13],
      [{ ...there, schoolId: roosevelt.id }, 3],
    ] as const) {
      for (let n = 0; n < times; n++) {
        const photo = await aStoredPhoto(app, { by: volunteer, activity: at });
        await app.call(`POST /api/photos/${photo.id}/takedown`, { token: volunteer.token });
      }
    }
    app.clock.advance(60 * 60_000);
    const subjects = async (person: { email: string }) =>
      (await emailsSentTo(app, person.email)).map(({ subject }) => subject);
    expect(await subjects(away)).toEqual(['More photos were hidden']);
    expect((await subjects(head)).slice(-2)).toEqual(['Photo hidden at Lincoln', 'More photos were hidden']);
    expect(await subjects(head)).toHaveLength(11);
  });
});

describe('many hide requests by one user', () => {
  test('send ten emails, and one hourly digest for the rest', async () => {
    const { app, school, activity, volunteer, ada } = await aDistrict();
    const asks = async (by: { token: string }, count: number) => {
      const statuses = new Set<number>();
      for (let n = 0; n < count; n++) {
        const photo = await aStoredPhoto(app, {
          by: volunteer,
          activity: { ...activity, schoolId: school.id },
        });
        statuses.add((await app.call(`POST /api/photos/${photo.id}/takedown`, { token: by.token })).status);
      }
      return [...statuses];
    };
    const subjects = async () => {
      const letters = await emailsSentTo(app, ada.email);
      return Object.entries(Object.groupBy(letters, ({ subject }) => subject ?? '')).map(
        ([subject, some]) => [subject, some?.length],
      );
    };
    expect(await asks(volunteer, 14)).toEqual([200]);
    expect(await subjects()).toEqual([['Photo hidden at Lincoln', 10]]);
    app.clock.advance(60 * 60_000);
    expect(await subjects()).toEqual([
      ['Photo hidden at Lincoln', 10],
      ['More photos were hidden', 1],
    ]);
  });

  test('are limited to 50 an hour, not counting repeated requests', async () => {
    const { app, school, activity, volunteer, other, ada } = await aDistrict();
    const aPhoto = () => aStoredPhoto(app, { by: volunteer, activity: { ...activity, schoolId: school.id } });
    const ask = ({ id }: { id: number }, by: { token: string }) =>
      app.call(`POST /api/photos/${id}/takedown`, { token: by.token });
    const first = await aPhoto();
    await ask(first, ada);
    for (let n = 0; n < 49; n++) expect((await ask(await aPhoto(), ada)).status).toBe(200);
    expect((await ask(first, ada)).status).toBe(200);
    const late = await aPhoto();
    const refused = await ask(late, ada);
    expect([refused.status, refused.body]).toEqual([
      429,
      { error: 'Too many attempts. Please try again later.' },
    ]);
    expect((await ask(late, other)).status).toBe(200);
  });
});
