import { beforeEach, describe, expect, test } from 'vitest';
import { DAILY_JOBS } from '#app/server/job-list.ts';
import { fileNames, newStorageKey } from '#features/photos/server/photo-files.ts';
import { makeRenditions } from '#features/photos/server/renditions.ts';
import { KINDS } from '#features/schools/district-settings/retention-periods.ts';
import { saveSetting } from '#features/schools/district-settings/server/settings.ts';
import { countWrongRollups } from '#features/time-entries/rollups/server/rollups.ts';
import { transaction } from '#server/db/database.ts';
import { runDueJobs } from '#server/jobs/daily-jobs.ts';
import { type Instant, plusMilliseconds } from '#shared/calendar-date.ts';
import { anActivity, anAdministrator, anEntry, aPerson, aPhoto, aSchool } from '#test/builders.ts';
import { NOW, startApp, type TestApp } from '#test/harness.ts';
import { phonePhoto } from '#test/images/draw-image.ts';
import { emailsSentTo } from '#test/sent-emails.ts';
import { upload } from '#test/upload.ts';
import { deleteExpiredRecords, RETENTION_JOB } from './cleanup.ts';

const DAY_MS = 86_400_000;

let app: TestApp;
let admin: { id: number; token: string };
beforeEach(async () => {
  app = await startApp();
  admin = await anAdministrator(app);
});

const settings = () => app.call('GET /api/admin/settings', { token: admin.token });
const change = (retention: object) =>
  app.call('PUT /api/admin/settings', { token: admin.token, body: { retention } });
/** Periods that hold already, since a shorter one waits a day. */
const keep = (retention: object) =>
  transaction(app.deps.database, (trx) => saveSetting(trx, 'retention', retention));
const preview = (retention: object) =>
  app.call('POST /api/admin/settings/preview', { token: admin.token, body: { retention } });
const cancel = () => app.call('DELETE /api/admin/settings/retention-pending', { token: admin.token });
const recorded = async () => {
  const rows = await app.deps.database.db
    .selectFrom('audit_events')
    .select(['action', 'before', 'after', 'actor_id'])
    .where('action', 'in', ['retention.settings', 'retention.shorten', 'retention.cancel'])
    .orderBy('id')
    .execute();
  return rows.map(({ action, before, after, actor_id }) => [action, before, after, actor_id]);
};
const idsIn = async (table: 'time_entries' | 'photos' | 'audit_events' | 'emails' | 'sessions' | 'exports') =>
  (await app.deps.database.db.selectFrom(table).select('id').orderBy('id').execute()).map(({ id }) => id);
const ago = (days: number) => plusMilliseconds(app.clock.now(), -days * DAY_MS);
const done = async () =>
  (
    await app.deps.database.db
      .selectFrom('audit_events')
      .select('after')
      .where('action', '=', 'retention.delete')
      .execute()
  ).map(({ after }) => JSON.parse(after ?? ''));
const aRow = async (at: Instant, given: { actor?: number; person?: number; school?: number } = {}) => {
  const values = {
    actor_id: given.actor ?? null,
    person_id: given.person ?? null,
    school_id: given.school ?? null,
  };
  const row = {
    at,
    action: 'session.fail',
    subject: 'user',
    subject_id: null,
    address: '192.0.2.1',
    ...values,
  };
  return (
    await app.deps.database.db
      .insertInto('audit_events')
      .values(row)
      .returning('id')
      .executeTakeFirstOrThrow()
  ).id;
};

const STANDARD = {
  entries: null,
  photos: null,
  audit: 84,
  addresses: 90,
  mails: 30,
  sessions: 30,
  signInFailures: 1,
  exports: 1,
  imports: 30,
};

/** The other settings of the district, as the product has them. */
const OTHERS = {
  secondFactor: 'optional',
  secondFactorGraceDays: 14,
  districtName: 'Maple Grove Schools',
  supportEmail: 'help@maplegrove.example',
  schoolYearStart: '07-01',
  timeZone: 'America/Chicago',
  isTimeZoneFixed: false,
  isAccessDecided: false,
  registration: 'open',
  photosSeenBy: 'members',
  languages: ['en', 'es'],
  logoUrl: null,
  mail: { url: null, server: null, isReadable: true, from: null },
};
const SET_BY_SERVER = ['districtName', 'supportEmail', 'timeZone'];

describe('retention periods', () => {
  test('have defaults, and changes are recorded in the audit log', async () => {
    expect((await settings()).body).toEqual({
      settings: { retention: STANDARD, ...OTHERS },
      setByServer: SET_BY_SERVER,
      retentionPending: null,
    });
    const changed = await change({ audit: 96, addresses: 120 });
    const retention = { ...STANDARD, audit: 96, addresses: 120 };
    expect([changed.status, changed.body]).toEqual([
      200,
      {
        settings: { retention, ...OTHERS },
        setByServer: SET_BY_SERVER,
        retentionPending: null,
        message: 'Settings saved',
      },
    ]);
    expect((await settings()).body.settings.retention).toEqual(retention);
    await change({ audit: 96 });
    expect(await recorded()).toEqual([
      ['retention.settings', '{"audit":84,"addresses":90}', '{"audit":96,"addresses":120}', admin.id],
    ]);
    expect((await change({ audit: null })).body.settings.retention.audit).toBeNull();
  });

  test('are shortened a day after every district administrator is notified', async () => {
    const other = await aPerson(app, { role: 'admin', firstName: 'Bo', isProven: true });
    const retired = await anAdministrator(app);
    await app.deps.database.db
      .updateTable('users')
      .set({ is_active: 0 })
      .where('id', '=', retired.id)
      .execute();
    const { body } = await change({ entries: 60, mails: 40, sessions: 20 });
    const effectiveAt = plusMilliseconds(NOW, DAY_MS);
    const pending = { values: { entries: 60, sessions: 20 }, effectiveAt };
    expect(body).toMatchObject({
      settings: { retention: { ...STANDARD, mails: 40 } },
      retentionPending: pending,
      message: 'Settings saved. Shorter retention starts on Mar 5, 2026, 12:00 PM.',
    });
    expect((await settings()).body.retentionPending).toEqual(pending);
    const [letter, ...more] = await emailsSentTo(app, other.email);
    expect(more).toEqual([]);
    expect(letter?.text).toContain('Ada');
    expect(letter?.text).toContain('Time entries: 60 months (now Forever)');
    expect(letter?.text).toContain('Sign-ins: 20 days (now 30 days)');
    const to = await app.deps.database.db.selectFrom('emails').select('user_id').execute();
    expect(to.map(({ user_id }) => user_id).toSorted()).toEqual([admin.id, other.id].toSorted());

    const activity = await anActivity(app, { school: await aSchool(app) });
    await anEntry(app, { by: other, activity, date: '2020-02-10' });
    app.clock.set(plusMilliseconds(effectiveAt, -1));
    await deleteExpiredRecords(app.deps);
    expect(await idsIn('time_entries')).toHaveLength(1);
    app.clock.set(effectiveAt);
    await deleteExpiredRecords(app.deps);
    expect(await idsIn('time_entries')).toEqual([]);
    admin = await anAdministrator(app);
    expect((await settings()).body).toMatchObject({
      settings: { retention: { ...STANDARD, mails: 40, entries: 60, sessions: 20 } },
      retentionPending: null,
    });
    expect((await cancel()).status).toBe(409);
  });

  test('can be changed again before they are shortened, which restarts the day, or canceled', async () => {
    await change({ entries: 60, sessions: 20 });
    app.clock.advance(9 * 60_000);
    const later = plusMilliseconds(app.clock.now(), DAY_MS);
    expect((await change({ entries: 48 })).body.retentionPending).toEqual({
      values: { entries: 48, sessions: 20 },
      effectiveAt: later,
    });
    expect((await change({ entries: null })).body.retentionPending).toEqual({
      values: { sessions: 20 },
      effectiveAt: later,
    });
    const canceled = await cancel();
    expect([canceled.status, canceled.body.retentionPending, canceled.body.message]).toEqual([
      200,
      null,
      'Canceled. Data is kept as long as before.',
    ]);
    expect(canceled.body.settings.retention).toEqual(STANDARD);
    expect([(await cancel()).status, (await settings()).body.retentionPending]).toEqual([409, null]);
    expect((await recorded()).map(([action, before, after]) => [action, before, after])).toEqual([
      ['retention.shorten', '{"entries":null,"sessions":30}', '{"entries":60,"sessions":20}'],
      ['retention.shorten', '{"entries":null,"sessions":30}', '{"entries":48,"sessions":20}'],
      ['retention.cancel', '{"entries":48}', '{"entries":null}'],
      ['retention.cancel', '{"sessions":20}', '{"sessions":30}'],
    ]);
  });

  test.each(Object.entries(KINDS))(
    'have a minimum and a maximum: %s',
    async (kind, { least, most, unit }) => {
      const text = `Enter a whole number of ${unit} from ${least} to ${String(most).replace(/(\d)(\d{3})$/, '$1,$2')}`;
      for (const period of [least - 1, most + 1, least + 0.5, 'x', ...(unit === 'days' ? [null] : [])]) {
        const { status, body } = await change({ [kind]: period });
        expect([status, body.fields]).toEqual([400, { retention: text }]);
      }
      for (const period of [least, most]) expect((await change({ [kind]: period })).status).toBe(200);
      for (const period of [least - 1, most + 1])
        expect((await preview({ [kind]: period })).status).toBe(400);
    },
  );
});

describe('the retention job', () => {
  test('deletes only expired emails, sessions, sign-in failures, exports, letter files and imports', async () => {
    const { db } = app.deps.database;
    await db.deleteFrom('sessions').execute();
    const ann = await aPerson(app);
    const school = await aSchool(app);
    for (const days of [29, 31]) {
      const imported = { imported_by: ann.id, imported_at: ago(days), undone_at: null };
      await db
        .insertInto('user_imports')
        .values({ ...imported, people: 0, memberships: 0, has_mail: 0 })
        .execute();
      await db
        .insertInto('time_entry_imports')
        .values({
          ...imported,
          school_id: school.id,
          state: 'done',
          counts_immediately: 0,
          reason: null,
          planned: 1,
        })
        .execute();
      await db
        .insertInto('emails')
        .values({
          message_id: `m${days}`,
          kind: 'welcome',
          user_id: ann.id,
          sealed: null,
          created_at: ago(days),
          expires_at: ago(days - 3),
          due_at: ago(days),
          leased_until: null,
          sent_at: ago(days),
          dropped_at: null,
          failure: null,
        })
        .execute();
      await db
        .insertInto('sessions')
        .values({
          token_hash: String(days).padStart(64, '0'),
          user_id: ann.id,
          created_at: ago(days),
          last_used_at: ago(days),
          address: '192.0.2.1',
          agent: 'x',
        })
        .execute();
    }
    for (const days of [0, 2]) {
      await db
        .insertInto('rate_limits')
        .values({
          key: `k${days}`,
          failures: 1,
          window_started_at: ago(days),
          blocked_until: null,
          strikes: 0,
        })
        .execute();
      await db
        .insertInto('exports')
        .values({
          token_hash: String(days).padStart(64, 'e'),
          user_id: ann.id,
          format: 'csv',
          asked: '{}',
          total: 0,
          created_at: ago(days),
          expires_at: ago(days),
          started_at: null,
          seen_at: null,
          outcome: null,
          made_by: null,
        })
        .execute();
      await db
        .insertInto('service_letter_files')
        .values({
          token_hash: String(days).padStart(64, 'f'),
          user_id: ann.id,
          form: 'pdf',
          total: 1,
          created_at: ago(days),
          expires_at: ago(days),
          started_at: null,
          seen_at: null,
          outcome: null,
          made_by: null,
        })
        .execute();
    }
    const before = await idsIn('sessions');
    expect(await deleteExpiredRecords(app.deps)).toBe(true);
    const left = await db.selectFrom('emails').select('message_id').execute();
    expect(left).toEqual([{ message_id: 'm29' }]);
    expect(await idsIn('sessions')).toHaveLength(before.length - 1);
    expect(await db.selectFrom('rate_limits').select('key').execute()).toEqual([{ key: 'k0' }]);
    expect(await db.selectFrom('exports').select('token_hash').execute()).toEqual([
      { token_hash: '0'.padStart(64, 'e') },
    ]);
    expect(await db.selectFrom('service_letter_files').select('token_hash').execute()).toEqual([
      { token_hash: '0'.padStart(64, 'f') },
    ]);
    for (const table of ['user_imports', 'time_entry_imports'] as const) {
      const imports = await db.selectFrom(table).select('imported_at').execute();
      expect(imports).toEqual([{ imported_at: ago(29) }]);
    }
    expect(await done()).toEqual([
      { kind: 'mails', deleted: 1 },
      { kind: 'sessions', deleted: 1 },
      { kind: 'signInFailures', deleted: 1 },
      { kind: 'exports', deleted: 2 },
      { kind: 'imports', deleted: 2 },
    ]);
    admin = await anAdministrator(app);
    const { kinds } = (await app.call('GET /api/admin/retention', { token: admin.token })).body;
    expect(kinds).toContainEqual({ kind: 'mails', lastRunAt: NOW, lastDeleted: 1 });
    expect(kinds).toContainEqual({ kind: 'entries', lastRunAt: null, lastDeleted: null });
  });

  test('deletes entries by date, including deleted ones, and the totals stay correct', async () => {
    const school = await aSchool(app);
    const activity = await anActivity(app, { school });
    const ann = await aPerson(app, { schools: [school] });
    for (const date of ['2020-02-10', '2025-03-03', '2020-05-01', '2025-03-04', '2026-03-01']) {
      await anEntry(app, { by: ann, activity, date, hours: 1.25 });
    }
    await anEntry(app, { by: ann, activity, date: '2019-01-01', deletedBy: ann });
    const [, , , fourth, fifth] = await idsIn('time_entries');
    expect(await deleteExpiredRecords(app.deps)).toBe(true);
    expect(await idsIn('time_entries')).toHaveLength(6);
    expect((await preview({ entries: 12, photos: null })).body.deletes).toEqual([
      { kind: 'entries', count: 4 },
      { kind: 'photos', count: 0 },
    ]);
    await keep({ entries: 12 });
    await deleteExpiredRecords(app.deps);
    expect(await idsIn('time_entries')).toEqual([fourth, fifth]);
    expect(await countWrongRollups(app.deps.database.db)).toBe(0);
    const sums = await app.deps.database.db
      .selectFrom('school_sums')
      .select(['entries', 'hours_hundredths'])
      .execute();
    expect(sums).toEqual([{ entries: 2, hours_hundredths: 250 }]);
    expect(await done()).toEqual([{ kind: 'entries', deleted: 4 }]);
    await deleteExpiredRecords(app.deps);
    expect(await done()).toHaveLength(1);
  });

  test('deletes in small batches, and stops between two of them', async () => {
    const { db } = app.deps.database;
    const old = ago(100 * 366);
    for (let n = 0; n < 400; n++) await aRow(old);
    let asked = 0;
    expect(await deleteExpiredRecords(app.deps, () => ++asked > 2)).toBe(false);
    const left = await db.selectFrom('audit_events').select('id').where('at', '=', old).execute();
    expect(left.length).toBeGreaterThan(100);
    expect(left.length).toBeLessThan(400);
    expect(await deleteExpiredRecords(app.deps)).toBe(true);
    expect(await db.selectFrom('audit_events').select('id').where('at', '=', old).execute()).toEqual([]);
    const deleted = (await done()).filter(({ kind }) => kind === 'audit').map((one) => one.deleted);
    expect(deleted.reduce((all, one) => all + one, 0)).toBe(400);
  });

  test('deletes the files of expired photos', async () => {
    const school = await aSchool(app);
    const activity = await anActivity(app, { school });
    const ann = await aPerson(app, { schools: [school] });
    await upload(app, {
      by: ann,
      to: activity,
      files: [{ name: 'a.jpg', content: await phonePhoto(40, 30) }],
    });
    await makeRenditions(app.deps);
    const { db } = app.deps.database;
    const { id, storage_key: key } = await db
      .selectFrom('photos')
      .select(['id', 'storage_key'])
      .executeTakeFirstOrThrow();
    const isKept = async (name: string) => {
      const file = await app.deps.files.read(name);
      file?.content.destroy();
      return file !== undefined;
    };
    const files = () => Promise.all(fileNames(key).map(isKept));
    expect(new Set(await files())).toEqual(new Set([true]));
    await keep({ photos: 1 });
    await deleteExpiredRecords(app.deps);
    expect(await idsIn('photos')).toEqual([id]);
    app.clock.advance(32 * DAY_MS);
    await deleteExpiredRecords(app.deps);
    expect(await idsIn('photos')).toEqual([]);
    expect(new Set(await files())).toEqual(new Set([false]));
  });

  test('deletes audit events after seven years and their IP addresses after 90 days', async () => {
    const { db } = app.deps.database;
    const [old, edge, young] = [await aRow(ago(8 * 366)), await aRow(ago(91)), await aRow(ago(89))];
    await expect(db.deleteFrom('audit_events').where('id', '=', old).execute()).rejects.toThrow(
      'append-only',
    );
    await deleteExpiredRecords(app.deps);
    const rows = await db
      .selectFrom('audit_events')
      .select(['id', 'address'])
      .where('action', '=', 'session.fail')
      .execute();
    expect(rows).toEqual([
      { id: edge, address: null },
      { id: young, address: '192.0.2.1' },
    ]);
    await expect(db.deleteFrom('audit_events').where('id', '=', edge).execute()).rejects.toThrow(
      'append-only',
    );
    const other = db
      .updateTable('audit_events')
      .set({ address: '192.0.2.9' })
      .where('id', '=', young)
      .execute();
    await expect(other).rejects.toThrow('append-only');
    expect(await done()).toEqual([
      { kind: 'audit', deleted: 1 },
      { kind: 'addresses', deleted: 1 },
    ]);
  });

  test('runs once a day from 3:00, and again if it was stopped early', async () => {
    const { db } = app.deps.database;
    const jobs = DAILY_JOBS.filter(({ name }) => name === RETENTION_JOB);
    const isDeletedBy = async (mustStop = false) => {
      const id = await aRow(ago(8 * 366));
      await runDueJobs(app.deps, jobs, () => mustStop);
      const row = await db.selectFrom('audit_events').select('id').where('id', '=', id).executeTakeFirst();
      return row === undefined;
    };
    expect(await isDeletedBy(true)).toBe(false);
    expect(await isDeletedBy()).toBe(true);
    expect(await isDeletedBy()).toBe(false);
    app.clock.set('2026-03-05T08:59:00.000Z');
    expect(await isDeletedBy()).toBe(false);
    app.clock.set('2026-03-05T09:00:00.000Z');
    expect(await isDeletedBy()).toBe(true);
  });
});

describe('a legal hold', () => {
  const hold = (body: object) =>
    app.call('POST /api/admin/legal-holds', {
      token: admin.token,
      body: { reason: 'Court order 12', ...body },
    });
  const lift = (id: unknown) => app.call(`POST /api/admin/legal-holds/${id}/lift`, { token: admin.token });

  test('cannot be placed or lifted twice, and the audit log omits its reason', async () => {
    const school = await aSchool(app, { name: 'Lincoln' });
    const ann = await aPerson(app, { firstName: 'Ann', lastName: 'Held' });
    const placed = await hold({ userId: ann.id });
    const ada = { id: admin.id, firstName: 'Ada', lastName: expect.any(String) };
    const first = {
      id: placed.body.hold.id,
      person: { id: ann.id, firstName: 'Ann', lastName: 'Held' },
      school: null,
      reason: 'Court order 12',
      placedAt: NOW,
      placedBy: ada,
      liftedAt: null,
      liftedBy: null,
    };
    expect([placed.status, placed.body]).toEqual([
      201,
      { hold: first, message: 'The legal hold is in place. Nothing it covers will be deleted' },
    ]);
    expect((await hold({ userId: ann.id })).status).toBe(409);
    const second = (await hold({ schoolId: school.id })).body.hold;
    expect(second).toMatchObject({ person: null, school: { id: school.id, name: 'Lincoln' } });
    for (const body of [{}, { userId: ann.id, schoolId: school.id }, { userId: null, schoolId: null }]) {
      expect((await hold(body)).body.fields).toEqual({ userId: 'Please choose a person or a school' });
    }
    expect((await hold({ userId: 999_999 })).body.fields).toEqual({
      userId: 'This person no longer exists',
    });
    expect((await hold({ schoolId: 999_999 })).body.fields).toEqual({
      schoolId: 'This school no longer exists',
    });
    expect((await hold({ userId: ann.id, reason: ' ' })).body.fields).toEqual({
      reason: 'Please enter a reason',
    });
    expect((await lift(first.id)).body.hold).toEqual({ ...first, liftedAt: NOW, liftedBy: ada });
    expect((await lift(first.id)).status).toBe(409);
    expect((await lift(999_999)).status).toBe(404);
    expect((await hold({ userId: ann.id })).status).toBe(201);
    const list = (await app.call('GET /api/admin/legal-holds', { token: admin.token })).body.holds;
    expect(list.map(({ liftedAt }: { liftedAt: string | null }) => liftedAt)).toEqual([null, null, NOW]);
    const rows = await app.deps.database.db
      .selectFrom('audit_events')
      .select(['action', 'person_id', 'before', 'after'])
      .where('subject', '=', 'legal-hold')
      .orderBy('id')
      .execute();
    expect(rows.map(({ action }) => action)).toEqual(['hold.place', 'hold.place', 'hold.lift', 'hold.place']);
    expect(JSON.stringify(rows)).not.toContain('Court');
    expect(rows.map((row) => row.person_id)).toEqual([null, null, null, null]);
  });

  test('on a person exempts their data from the retention job until it is lifted', async () => {
    const { db } = app.deps.database;
    const school = await aSchool(app);
    const activity = await anActivity(app, { school });
    const [ann, bob] = [await aPerson(app, { schools: [school] }), await aPerson(app, { schools: [school] })];
    await keep({ entries: 12, photos: 1 });
    const own: number[] = [];
    for (const by of [ann, bob]) {
      own.push((await anEntry(app, { by, activity, date: '2020-02-10' })).id);
      const photo = await aPhoto(app, { by, activity });
      await db
        .updateTable('photos')
        .set({ storage_key: newStorageKey() })
        .where('id', '=', photo.id)
        .execute();
    }
    const { id } = (await hold({ userId: ann.id })).body.hold;
    app.clock.advance(40 * DAY_MS);
    const kept = [
      await aRow(ago(8 * 366), { actor: ann.id }),
      await aRow(ago(8 * 366), { person: ann.id }),
      await aRow(ago(100), { actor: ann.id }),
    ];
    await aRow(ago(8 * 366), { actor: bob.id });
    await deleteExpiredRecords(app.deps);
    expect(await idsIn('time_entries')).toEqual([own[0]]);
    expect(await db.selectFrom('photos').select('user_id').execute()).toEqual([{ user_id: ann.id }]);
    expect(await db.selectFrom('sessions').select('user_id').execute()).toEqual([{ user_id: ann.id }]);
    const rows = () =>
      db
        .selectFrom('audit_events')
        .select(['id', 'address'])
        .where('action', '=', 'session.fail')
        .orderBy('id')
        .execute();
    expect(await rows()).toEqual(kept.map((row) => ({ id: row, address: '192.0.2.1' })));
    const byHand = db
      .deleteFrom('audit_events')
      .where('id', '=', kept[0] ?? 0)
      .execute();
    await expect(byHand).rejects.toThrow('append-only');
    admin = await anAdministrator(app);
    await lift(id);
    await deleteExpiredRecords(app.deps);
    expect(await idsIn('time_entries')).toEqual([]);
    expect(await idsIn('photos')).toEqual([]);
    expect(await rows()).toEqual([{ id: kept[2], address: null }]);
  });

  test('on a school exempts the data of the school and of its members', async () => {
    const { db } = app.deps.database;
    const [held, other] = [await aSchool(app), await aSchool(app)];
    const ann = await aPerson(app, { schools: [held, other] });
    const bob = await aPerson(app, { schools: [other] });
    await keep({ entries: 12 });
    const kept = await anEntry(app, {
      by: ann,
      activity: await anActivity(app, { school: held }),
      date: '2020-02-10',
    });
    const elsewhere = await anActivity(app, { school: other });
    for (const by of [ann, bob]) await anEntry(app, { by, activity: elsewhere, date: '2020-02-10' });
    await hold({ schoolId: held.id });
    const row = await aRow(ago(8 * 366), { school: held.id });
    await aRow(ago(8 * 366), { school: other.id });
    await deleteExpiredRecords(app.deps);
    const left = await db.selectFrom('time_entries').select(['id', 'user_id']).execute();
    expect(left.map(({ user_id }) => user_id)).toEqual([ann.id, ann.id]);
    expect(left.map(({ id }) => id)).toContain(kept.id);
    const rows = await db
      .selectFrom('audit_events')
      .select('id')
      .where('action', '=', 'session.fail')
      .execute();
    expect(rows).toEqual([{ id: row }]);
  });
});
