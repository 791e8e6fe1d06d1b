import { describe, expect, test } from 'vitest';
import { aGrant, anActivity, anAdministrator, aPerson, aSchool } from '#test/builders.ts';
import { aStoredPhoto } from '#test/google-drive.ts';
import { startApp, type TestApp } from '#test/harness.ts';
import { phonePhoto } from '#test/images/draw-image.ts';
import { emailsSentTo } from '#test/sent-emails.ts';
import { upload } from '#test/upload.ts';

/** A school with one photo of an activity; `seenBy` is the district's setting. */
async function aDistrict(seenBy: 'members' | 'approved', environment: Record<string, string> = {}) {
  const app = await startApp(environment);
  const school = await aSchool(app, { name: 'Lincoln' });
  const activity = await anActivity(app, { school, name: 'Book fair' });
  const uploader = await aPerson(app, { schools: [school] });
  const ada = await anAdministrator(app);
  const photo = await aStoredPhoto(app, { activity, by: uploader });
  const choose = (photosSeenBy: 'members' | 'approved') =>
    app.call('PUT /api/admin/settings', { token: ada.token, body: { photosSeenBy } });
  expect((await choose(seenBy)).status).toBe(200);
  return { app, school, activity, uploader, ada, photo, choose };
}

let people = 0;
const someone = (schoolIds: readonly number[]) => ({
  firstName: 'Sam',
  lastName: 'Self',
  email: `self${++people}@maplegrove.example`,
  password: 'a long enough secret',
  schoolIds,
});

/** What a user sees of a photo: the counts in the lists, and the status of the photo itself. */
async function seen(
  app: TestApp,
  token: string,
  activity: { id: number; schoolId: number },
  photo: { id: number },
) {
  const list = await app.call(`GET /api/activities/${activity.id}/photos`, { token });
  const all = await app.call(`GET /api/schools/${activity.schoolId}/photos`, { token });
  const { body } = await app.call('GET /api/activities', { token });
  const one = await app.call(`GET /api/photos/${photo.id}`, { token });
  return {
    listed: list.body.photos.length,
    total: list.body.pagination.total,
    all: all.body.photos.length,
    counted: body.activities.find(({ id }: { id: number }) => id === activity.id).photoCount,
    one: one.status,
  };
}

const NOTHING = { listed: 0, total: 0, all: 0, counted: 0, one: 404 };
const ALL = { listed: 1, total: 1, all: 1, counted: 1, one: 200 };

describe('photos for approved members only', () => {
  test('are hidden from self-registered members while the setting is on', async () => {
    const { app, school, activity, photo, choose } = await aDistrict('members');
    const { body } = await app.call('POST /api/auth/register', { body: someone([school.id]) });
    expect(await seen(app, body.token, activity, photo)).toEqual(ALL);
    await choose('approved');
    expect(await seen(app, body.token, activity, photo)).toEqual(NOTHING);
    const taken = await app.call(`POST /api/photos/${photo.id}/takedown`, { token: body.token, body: {} });
    expect(taken.status).toBe(404);
    await choose('members');
    expect(await seen(app, body.token, activity, photo)).toEqual(ALL);
  });

  test('are visible to users whom an administrator created, invited or gave a role', async () => {
    const { app, school, activity, photo, ada, uploader } = await aDistrict('approved');
    const admin = { token: ada.token };
    const made = someone([school.id]);
    await app.call('POST /api/admin/users', { ...admin, body: { ...made, role: 'user', isActive: true } });
    const signedIn = await app.call('POST /api/auth/login', { body: made });
    expect(await seen(app, signedIn.body.token, activity, photo)).toEqual(ALL);

    const asked = someone([school.id]);
    const { body } = await app.call('POST /api/admin/invites', {
      ...admin,
      body: { email: asked.email, role: 'user', schoolIds: [school.id] },
    });
    expect(body.invite.email).toBe(asked.email);
    const [letter] = await emailsSentTo(app, asked.email);
    const inviteCode = /invite=([\w-]+)/.exec(letter?.text ?? '')?.[1];
    const invited = await app.call('POST /api/auth/register', { body: { ...asked, inviteCode } });
    expect(await seen(app, invited.body.token, activity, photo)).toEqual(ALL);

    const self = await app.call('POST /api/auth/register', { body: someone([school.id]) });
    await aGrant(app, self.body.user, 'auditor', school);
    expect(await seen(app, self.body.token, activity, photo)).toEqual(ALL);
    expect(await seen(app, ada.token, activity, photo)).toEqual(ALL);
    expect(await seen(app, uploader.token, activity, photo)).toEqual(ALL);
  });

  test('are visible once an administrator approves the request to join', async () => {
    const { app, school, activity, photo, ada } = await aDistrict('approved', { REGISTRATION: 'approval' });
    const { body } = await app.call('POST /api/auth/register', { body: someone([school.id]) });
    const approved = await app.call('POST /api/admin/memberships/approve', {
      token: ada.token,
      body: { userId: body.user.id, schoolId: school.id, unconfirmed: true },
    });
    expect(approved.status).toBe(200);
    expect(await seen(app, body.token, activity, photo)).toEqual(ALL);
  });

  test('are visible once an administrator adds a self-registered member to the school', async () => {
    const { app, school, activity, photo, ada } = await aDistrict('approved');
    const { body } = await app.call('POST /api/auth/register', { body: someone([school.id]) });
    const added = await app.call('POST /api/admin/users/many', {
      token: ada.token,
      body: { userIds: [body.user.id], deed: 'join', schoolId: school.id, count: 1, unconfirmed: true },
    });
    expect([added.status, added.body.changed]).toEqual([200, []]);
    expect(await seen(app, body.token, activity, photo)).toEqual(ALL);
  });

  test('stay visible to their uploader and at other schools', async () => {
    const { app, school, activity, photo, ada } = await aDistrict('approved');
    const { body } = await app.call('POST /api/auth/register', { body: someone([school.id]) });
    const sent = await upload(app, {
      by: body,
      to: activity,
      files: [{ name: 'own.jpg', content: await phonePhoto(44, 30) }],
    });
    expect(sent.status).toBe(201);
    expect(await seen(app, body.token, activity, photo)).toEqual({ ...NOTHING, listed: 1, total: 1, all: 1 });
    const other = await aSchool(app, { name: 'Oak Hill' });
    const theirs = await anActivity(app, { school: other, name: 'Fair' });
    const shown = await aStoredPhoto(app, { activity: theirs, by: body.user });
    await app.call(`PUT /api/admin/users/${body.user.id}`, {
      token: ada.token,
      body: {
        ...someone([school.id, other.id]),
        email: body.user.email,
        password: '',
        role: 'user',
        isActive: true,
        unconfirmed: true,
      },
    });
    expect((await seen(app, body.token, theirs, shown)).one).toBe(200);
    expect((await seen(app, body.token, activity, photo)).one).toBe(404);
  });
});
