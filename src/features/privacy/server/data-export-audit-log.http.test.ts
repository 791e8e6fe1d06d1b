import { beforeAll, describe, expect, test } from 'vitest';
import { ACTIONS } from '#features/audit/contract.ts';
import { anActivity, anAdministrator, aPerson, aPhoto, aSchool, PASSWORD } from '#test/builders.ts';
import { startApp, type TestApp } from '#test/harness.ts';

const STATE = ['countedHours', 'decisionNote', 'reopenNote', 'verification'];
const ENTRY = [
  ...['activityId', 'entryDate', 'hours', 'notes', 'reason', 'schoolId', 'userId'],
  ...STATE,
].toSorted();
const ACCOUNT = [
  ...['email', 'firstName', 'isActive', 'language', 'lastName', 'pendingSchoolIds', 'role', 'schoolIds'],
];
const IDEA = ['activeFrom', 'activeUntil', 'categoryId', 'description', 'isYearLong', 'name', 'reason'];
const LETTER = ['endDate', 'hours', 'letter', 'startDate'];
const DECISION = ['activityId', 'adminReason', 'status'];
const PHOTO = ['activityId', 'caption', 'consent', 'containsStudents', 'originalName', 'review'];

/** The fields that a person gets of each action upon them or a thing of theirs; of every other action, none. */
const HANDED_OUT: Readonly<Record<string, readonly string[]>> = {
  'entry.log': ENTRY,
  'entry.edit': ENTRY,
  'entry.delete': ENTRY,
  'entry.restore': ENTRY,
  'entry.ask-outside': ['by'],
  'entry.ask-reopening': STATE,
  'entry.name-supervisor': ['by'],
  'entry.verify': STATE,
  'entry.decline': STATE,
  'entry.reopen': STATE,
  'entry.undo-decision': STATE,
  'entry.verify-outside': ['by', 'hours', 'reason'],
  'entry.decline-outside': ['by', 'hours', 'reason'],
  'account.register': ACCOUNT,
  'account.create': ACCOUNT,
  'account.edit': ACCOUNT,
  'account.change': [...ACCOUNT, 'password'].toSorted(),
  'erasure.ask': ['reason'],
  'erasure.decline': ['reason'],
  'membership.add': ['schoolIds'],
  'session.end-others': ['ended'],
  'session.end-provider': ['ended', 'provider'],
  'session.provider': ['provider'],
  'provider.link': ['provider'],
  'provider.unlink': ['provider'],
  'access.refuse': ['request'],
  'access.miss': ['request'],
  'access.claim': ['fields', 'request'],
  'photo.upload': PHOTO,
  'photo.caption': ['caption'],
  'photo.delete': PHOTO,
  'photo.restore': PHOTO,
  'photo.approve': ['review'],
  'photo.takedown': ['review'],
  'letter.issue': LETTER,
  'letter.withdraw': ['letter'],
  'suggestion.submit': IDEA,
  'suggestion.approve': DECISION,
  'suggestion.reject': DECISION,
  'suggestion.delete': DECISION,
  'suggestion.remove': [...IDEA, ...DECISION].toSorted(),
};

// Every field that any action records, and some that none should.
const FIELDS = [
  ...new Set([...ENTRY, ...ACCOUNT, ...IDEA, ...DECISION, ...PHOTO, ...LETTER]),
  ...[
    'by',
    'provider',
    'password',
    'ended',
    'trash',
    'importId',
    'members',
    'kept',
    'people',
    'format',
    'rows',
    'notify',
    'request',
    'fields',
    'secret',
  ],
];
const OWNABLE = ['time-entry', 'photo', 'suggestion'];

let app: TestApp;
beforeAll(async () => {
  app = await startApp();
});

type Kept = {
  action: string;
  actorId: number | null;
  personId: number | null;
  subject: string;
  subjectId: number;
};

async function keep({ action, actorId, personId, subject, subjectId }: Kept, marker: string): Promise<void> {
  const values = JSON.stringify(Object.fromEntries(FIELDS.map((field) => [field, `${marker} ${field}`])));
  await app.deps.database.db
    .insertInto('audit_events')
    .values({
      at: app.clock.now(),
      actor_id: actorId,
      action,
      subject,
      subject_id: subjectId,
      school_id: null,
      person_id: personId,
      before: values,
      after: values,
      address: '10.9.9.9',
      request_id: 'request',
    })
    .execute();
}

const recordOf = async (token: string) => {
  const reply = await app.call('GET /api/profile/data', { token });
  return JSON.parse(reply.text).record as Record<string, unknown>[];
};

describe('the audit log in a data export', () => {
  test.each(Object.entries(ACTIONS))(
    'shows the user affected by %s only the permitted fields',
    async (action, { thing }) => {
      const ann = await aPerson(app);
      const subjectId = thing === 'user' ? ann.id : 4_711;
      await keep({ action, actorId: 999, personId: ann.id, subject: thing, subjectId }, 'own');
      const [row] = await recordOf(ann.token);
      const fields = HANDED_OUT[action] ?? [];
      const saved =
        fields.length === 0 ? null : Object.fromEntries(fields.map((name) => [name, `own ${name}`]));
      expect(row).toEqual({
        at: app.clock.now(),
        action,
        subject: thing,
        subjectId,
        before: saved,
        after: saved,
        address: null,
      });
    },
  );

  test.each(Object.entries(ACTIONS))(
    'shows the actor of %s only action, time and IP address if it affected another user',
    async (action, { thing }) => {
      const eve = await aPerson(app);
      const other = await aPerson(app);
      const subjectId = thing === 'user' ? other.id : 4_712;
      await keep({ action, actorId: eve.id, personId: other.id, subject: thing, subjectId }, 'foreign');
      const [row] = await recordOf(eve.token);
      expect(row).toEqual({ at: app.clock.now(), action, address: '10.9.9.9' });
    },
  );

  test.each(Object.entries(ACTIONS))(
    'omits the values of %s without an affected user, except of entries, photos and suggestions',
    async (action, { thing }) => {
      const eve = await aPerson(app);
      const subjectId = thing === 'user' ? 4_713 : eve.id;
      await keep({ action, actorId: eve.id, personId: null, subject: thing, subjectId }, 'mine');
      const [row] = await recordOf(eve.token);
      const hasValues = OWNABLE.includes(thing) && HANDED_OUT[action] !== undefined;
      expect(JSON.stringify(row).includes('mine')).toBe(hasValues);
    },
  );

  test('omits the details of an action that this version does not know', async () => {
    const ann = await aPerson(app);
    await keep(
      { action: 'entry.somehow', actorId: ann.id, personId: null, subject: 'time-entry', subjectId: 1 },
      'new',
    );
    await keep(
      { action: 'toString', actorId: 999, personId: ann.id, subject: 'user', subjectId: ann.id },
      'new',
    );
    expect(await recordOf(ann.token)).toMatchObject([
      { at: app.clock.now(), action: 'entry.somehow' },
      { at: app.clock.now(), action: 'toString' },
      { action: 'account.download' },
    ]);
    const rows = await recordOf(ann.token);
    expect(rows.slice(0, 2).map((row) => Object.keys(row))).toEqual([
      ['at', 'action'],
      ['at', 'action'],
    ]);
  });
});

test('the reason for hiding a photo is shown to its author and to reviewers, never to the uploader', async () => {
  const school = await aSchool(app);
  const activity = await anActivity(app, { school });
  const uploader = await aPerson(app, { schools: [school] });
  const asker = await aPerson(app, { schools: [school] });
  const admin = await anAdministrator(app);
  const photo = await aPhoto(app, { by: uploader, activity });
  const reason = 'My daughter is in witness protection';
  await app.call(`POST /api/photos/${photo.id}/takedown`, { token: asker.token, body: { reason } });
  const download = async (token: string) => (await app.call('GET /api/profile/data', { token })).text;
  expect(await download(uploader.token)).not.toContain('witness');
  expect(await download(uploader.token)).toContain('photo.takedown');
  expect(await download(asker.token)).toContain(reason);
  const rows = await app.deps.database.db.selectFrom('audit_events').select(['before', 'after']).execute();
  expect(JSON.stringify(rows)).not.toContain('witness');
  const waiting = await app.call('GET /api/admin/photos/review', { token: admin.token });
  expect(waiting.text).toContain(reason);
});

test('the data export of a former administrator reveals nothing about other people', async () => {
  const school = await aSchool(app, { name: 'Madison' });
  const eve = await anAdministrator(app);
  const head = await anAdministrator(app);
  const activity = await anActivity(app, { school });
  const made = await app.call('POST /api/admin/users', {
    token: eve.token,
    body: {
      email: 'secret.volunteer@maplegrove.example',
      firstName: 'Secret',
      lastName: 'Volunteer',
      schoolIds: [school.id],
      password: PASSWORD,
    },
  });
  const { id } = made.body.user;
  await app.call(`PUT /api/admin/users/${id}`, { token: eve.token, body: { firstName: 'Hidden' } });
  await app.call('POST /api/admin/time-entries', {
    token: eve.token,
    body: { userId: id, activityId: activity.id, hours: 1, notes: 'Secret notes' },
  });
  await app.call('POST /api/admin/invites', {
    token: eve.token,
    body: { email: 'secret.guest@maplegrove.example', schoolIds: [school.id] },
  });
  await app.deps.database.db
    .insertInto('drive_connection')
    .values({
      id: 1,
      refresh_token: 'sealed',
      access_token: null,
      access_expires_at: null,
      account: 'secret.principal@maplegrove.example',
      connected_by: eve.id,
      connected_at: app.clock.now(),
      lost_at: null,
    })
    .execute();
  const demoted = await app.call(`PUT /api/admin/users/${eve.id}`, {
    token: head.token,
    body: { role: 'user', schoolIds: [school.id] },
  });
  expect(demoted.status).toBe(200);
  const login = await app.call('POST /api/auth/login', { body: { email: eve.email, password: PASSWORD } });
  const { text } = await app.call('GET /api/profile/data', { token: login.body.token });
  expect(text).toContain('account.create');
  expect(/secret|hidden/i.exec(text)?.[0]).toBeUndefined();
  const { record, driveConnection } = JSON.parse(text);
  expect(driveConnection).toEqual({ connectedAt: app.clock.now(), lostAt: null, account: null });
  const others = record.filter((row: { subjectId?: number }) => row.subjectId === id);
  expect(others).toEqual([]);
});
