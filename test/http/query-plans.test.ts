import { globSync } from 'node:fs';
import { sql } from 'kysely';
import { afterAll, expect, test } from 'vitest';
import { buildApp } from '#app/server/app.ts';
import { STATUSES } from '#features/activities/suggestions/contract.ts';
import { createPasswordLink } from '#features/auth/passwords/server/password-reset.ts';
import { deleteExpiredDriveAttempts } from '#features/photos/google-drive/server/connection-store.ts';
import {
  findDriveFile,
  findHiddenPhotos,
  listActivitiesWithUnwantedFiles,
  listUnwantedFiles,
} from '#features/photos/google-drive/server/file-store.ts';
import {
  countPhotos,
  isCancelled,
  listPhotosToCopy,
  listQueuedActivities,
} from '#features/photos/google-drive/server/sync-queue-store.ts';
import { deleteOldSyncs, isSyncFinished } from '#features/photos/google-drive/server/sync-store.ts';
import { purgeDeletedPhotos } from '#features/photos/server/actions.ts';
import { findDueOrphanedFiles } from '#features/photos/server/orphaned-files-store.ts';
import { insertHold } from '#features/privacy/legal-holds/server/store.ts';
import { deleteExpiredRecords } from '#features/privacy/retention/server/cleanup.ts';
import { saveSetting } from '#features/schools/district-settings/server/settings.ts';
import { SORT_ORDERS, SORTS } from '#features/time-entries/contract.ts';
import { USER_ORDERS, USER_SORTS } from '#features/users/admin-contract.ts';
import { transaction } from '#server/db/database.ts';
import { instantOf, millisecondsOf } from '#shared/calendar-date.ts';
import type { Endpoint } from '#shared/endpoint.ts';
import { ENGINE, NOW, startApp } from '#test/harness.ts';
import { multipart } from '#test/upload.ts';
import { fillDemo } from '../../scripts/demo/fill-demo.ts';
import { insertRows } from '../../scripts/demo/insert-rows.ts';
import { SIGN_INS } from '../../scripts/demo/people.ts';
import { phonePhoto } from '../images/draw-image.ts';
import { distinct, type Problem, problemsOf, problemsWithout, recording } from './query-plans.ts';

/** What an engine may do nevertheless, and why. */
const ALLOWED: readonly { call: RegExp; what: Problem['what']; tables: RegExp; why: string }[] = [
  {
    call: /./,
    what: 'scans',
    tables: /^(held|legal_holds)$/,
    why: 'legal holds: a handful, asked before anything is deleted for good',
  },
  {
    call: /./,
    what: 'scans',
    tables: /^user_grants$/,
    why: 'roles: three in this district, so that they are read whole; user_grants_once leads to those of a person',
  },
  {
    call: /GET \/admin\/activities\/bulk/,
    what: 'scans',
    tables: /^activity_batches$/,
    why: 'lists of activities added at once: some a year and school, which are read whole for all schools',
  },
  {
    call: /GET \/admin\/activities\/bulk/,
    what: 'sorts',
    tables: /^activity_batches, schools$/,
    why: 'the same few',
  },
  {
    call: /GET \/admin\/system/,
    what: 'scans',
    tables: /^one$/,
    why: 'imports of hours at work: at most one a school, from an index that holds only these',
  },
  {
    call: /GET \/admin\/system/,
    what: 'sorts',
    tables: /^one, users$/,
    why: 'the same few',
  },
  {
    call: /^administrator: GET \/admin\/time-entry-imports/,
    what: 'scans',
    tables: /^time_entry_imports$/,
    why: 'imports of hours, from the latest on until the page is full',
  },
  {
    call: /GET \/admin\/(settings|first-run)/,
    what: 'scans',
    tables: /^time_entries$/,
    why: 'whether there is any: the first row ends it',
  },
  {
    call: /GET \/admin\/system/,
    what: 'scans',
    tables: /^audit_events$/,
    why: 'the latest event alone, by its id',
  },
  {
    call: /POST \/admin\/user-imports\/\d+\/undo/,
    what: 'scans',
    tables: /^users$/,
    why: 'the administrators of the district, once for an undo',
  },
  {
    call: /GET \/profile\/data/,
    what: 'sorts',
    tables: /^made, time_entries$/,
    why: 'the entries of one person by the import that brought them: for their own download',
  },
  {
    call: /GET \/profile\/data/,
    what: 'fetches',
    tables: /^time_entries$/,
    why: 'the same entries, beside the import of each',
  },
  {
    call: /GET \/admin\/first-run/,
    what: 'scans',
    tables: /^server_state$/,
    why: 'some dozen rows of the server itself',
  },
  {
    call: /GET \/admin\/milestones\/people/,
    what: 'scans',
    tables: /^(active|person|users|time_entries)$/,
    why: 'a report: the hours of everybody this school year are summed, read beside the calls of others',
  },
  {
    call: /GET \/admin\/milestones\/people/,
    what: 'sorts',
    tables: /^(active, time_entries|person, users)$/,
    why: 'the same report, by name',
  },
  {
    call: /^administrator: GET \/admin\/verifications/,
    what: 'sorts',
    tables: /^time_entries$/,
    why: 'what waits at the schools that verify, put in order from an index alone; it is decided within weeks',
  },
  {
    call: /^administrator: GET \/admin\/verifications/,
    what: 'scans',
    tables: /^verifying$/,
    why: 'the schools of the district, of which those that verify are wanted: some dozens',
  },
  {
    call: /./,
    what: 'sorts',
    tables: /^schools, user_(schools|grants(, user_schools)?)$|^invite_grants, schools$/,
    why: 'the schools of one person or invitation, joined or with a role: a handful',
  },
  {
    call: /: GET \/time-entries\/most-active/,
    what: 'sorts',
    tables: /^time_entries$/,
    why: 'sums are sorted, one for each activity, and not the entries that they are made of',
  },
  {
    call: /^administrator: GET \/time-entries\/most-active/,
    what: 'reads',
    tables: /^time_entries$/,
    why: 'the entries of a school year are summed, from an index alone',
  },
  {
    call: /^volunteer.*: GET \/time-entries\/most-active/,
    what: 'fetches',
    tables: /^time_entries$/,
    why: 'one person has some hundred entries in a school year',
  },
  {
    call: /^volunteer of two schools: GET \/activities$/,
    what: 'sorts',
    tables: /^activities/,
    why: 'the activities of one volunteer, a list that is never cut',
  },
  {
    call: /^administrator: GET \/activities$/,
    what: 'scans',
    tables: /^activities$/,
    why: 'all activities are the answer, a list that is never cut',
  },
  {
    call: /^administrator: GET \/admin\/(photos\/)?activities/,
    what: 'scans',
    tables: /^activities$/,
    why: 'the total of the list, and a search for a part of a name: activities grow with schools, not with hours',
  },
  {
    call: /^administrator: GET \/admin\/time-entries\?.*(userId=|activityId=|endDate=).*sortBy=(?!entryDate)/,
    what: 'sorts',
    tables: /^(activities, )?time_entries(, users)?$/,
    why: 'so few entries are found that sorting them is quicker than looking for them along an index',
  },
  {
    call: /^administrator: GET \/admin\/time-entries\/summary\??$/,
    what: 'scans',
    tables: /^(users|school_volunteers)$/,
    why: 'without a school, the people of the district are counted',
  },
  {
    call: /^administrator: GET \/admin\/time-entries\/summary\?startDate=/,
    what: 'sorts',
    tables: /^helped$/,
    why: 'without a school, somebody at two of them is counted once',
  },
  {
    call: /^administrator: GET \/admin\/time-entries\/summary\?startDate=/,
    what: 'scans',
    tables: /^helped$/,
    why: 'those who helped on the days, found by an index of months',
  },
  {
    call: /^administrator: GET \/admin\/audit\?.*search=/,
    what: 'scans',
    tables: /^(users|activities)$/,
    why: 'a search for a part of a name: the log itself is not read for it',
  },
  {
    call: /^administrator: GET \/admin\/audit\?.*search=/,
    what: 'sorts',
    tables: /^audit_events(, time_entries)?$/,
    why: 'what happened to the entries of the activities found, each looked up: an activity has some hundred',
  },
  {
    call: /^administrator: GET \/admin\/audit\?.*search=/,
    what: 'reads',
    tables: /^time_entries$/,
    why: 'the other way round: from the latest record back, until the entries of these activities fill a page',
  },
  {
    call: /^administrator: GET \/admin\/(analytics\/overview|time-entries\/summary)\?startDate=/,
    what: 'scans',
    tables: /^month_volunteers$/,
    why: 'the people of the whole district are counted from a row for each of their months',
  },
  {
    call: /^administrator: GET \/admin\/analytics\/overview$/,
    what: 'scans',
    tables: /^school_volunteers$/,
    why: 'without a school, the people of the district are counted',
  },
  {
    call: /^administrator: GET \/admin\/analytics\/overview$/,
    what: 'sorts',
    tables: /^(day|month)_sums$/,
    why: 'the sums of each school by day and month are added up: some hundred rows for each school and year',
  },
  {
    call: /^administrator: GET \/admin\/(invites|waiting)/,
    what: 'scans',
    tables: /^invites$/,
    why: 'the latest of all, their total, or a search for a part of an address: invitations grow with volunteers',
  },
  {
    call: /^administrator: POST \/admin\/user-imports\/\d+\/undo/,
    what: 'sorts',
    tables: /^(user_import_users|given, present, schools), users$/,
    why: 'the people of one import, all of them, to name those who stay in the order of names',
  },
  {
    call: /^administrator: GET \/admin\/user-imports/,
    what: 'scans',
    tables: /^user_imports$/,
    why: 'the latest of all, read backwards until the page is full: those of thirty days',
  },
  {
    call: /^administrator: GET \/admin\/(memberships|erasure-requests|waiting)/,
    what: 'scans',
    tables: /^(user_schools|deletion_requests)$/,
    why: 'their total, or a search: only those who wait, from an index that has nobody else',
  },
  {
    call: /^administrator: GET \/admin\/photos\/(review|trash)/,
    what: 'scans',
    tables: /^photos$/,
    why: 'the total of those that wait, or that lie in the trash, from an index that has no other',
  },
  {
    call: /^administrator: GET \/admin\/photos\?/,
    what: 'scans',
    tables: /^photos$/,
    why: 'the latest of all, read backwards until the page is full, and their total, from an index alone',
  },
  {
    call: /\/takedown$/,
    what: 'scans',
    tables: /^users$/,
    why: 'every administrator gets a letter, from an index that has nobody else',
  },
  {
    call: /^administrator: GET \/admin\/users/,
    what: 'scans',
    tables: /^users$/,
    why: 'the total of everybody, and a search for a part of a name or an address: people grow to some ten thousand',
  },
  {
    call: /^administrator: DELETE \/admin\/schools/,
    what: 'reads',
    tables: /^time_entries$/,
    why: 'the refusal says how many entries are in the way',
  },
  {
    call: /^administrator: GET \/admin\/system$/,
    what: 'scans',
    tables: /^(server_state|system_warnings|schema_migrations|pages|sizes)$/,
    why: 'a few rows for each job and migration, and two figures of SQLite itself',
  },
  {
    call: /^administrator: GET \/admin\/retention$/,
    what: 'scans',
    tables: /^server_state$/,
    why: 'a few rows for each job',
  },
  {
    call: /^administrator: GET \/admin\/(system$|mail-queue)/,
    what: 'scans',
    tables: /^(exports|drive_syncs|emails|photos)$/,
    why: 'one screen of one administrator: exports of a day, open syncs, letters of a month, and the sum of all photos',
  },
  {
    call: /^administrator: GET \/admin\/system$/,
    what: 'sorts',
    tables: /^(exports|drive_syncs)$/,
    why: 'the few that are under way',
  },
  {
    call: /^somebody: POST \/auth\/reset-password/,
    what: 'scans',
    tables: /^rate_limits$/,
    why: 'a new password ends the pauses of all devices; tries are kept for a day',
  },
];

/** Without these indexes (a list's own and those that could replace it), this call must be reported. */
const NEEDED: readonly [indexes: readonly string[], call: RegExp][] = [
  [
    ['entries_of_user', 'entries_of_user_in_school', 'entries_by_date'],
    /^volunteer of two schools: GET \/time-entries\?limit/,
  ],
  [['entries_of_school', 'entries_by_date'], /^administrator: GET \/time-entries\?schoolId/],
  [['entries_by_date'], /^administrator: GET \/time-entries\?limit/],
  [
    ['entries_of_activity', 'entries_by_date'],
    /^administrator: GET \/admin\/time-entries\?&sortBy=activityDate/,
  ],
  [
    ['entries_of_school_by_hours', 'entries_by_hours'],
    /^administrator: GET \/admin\/time-entries\?schoolId=\d+&&sortBy=hours/,
  ],
  [['entries_by_hours'], /^administrator: GET \/admin\/time-entries\?&sortBy=hours/],
  [['school_volunteers_by_name'], /^administrator: GET \/admin\/time-entries\?schoolId=\d+&&sortBy=userName/],
  [
    ['activities_of_school_by_date', 'activities_by_date'],
    /^administrator: GET \/admin\/time-entries\?schoolId=\d+&&sortBy=activityDate/,
  ],
  [['activities_of_school', 'activities_by_name'], /^volunteer of one school: GET \/activities/],
  [['activities_by_name'], /^administrator: GET \/admin\/activities\?limit/],
  [['activities_of_category'], /^administrator: GET \/admin\/categories/],
  [
    ['suggestions_of_user', 'suggestions_of_user_by_status'],
    /^volunteer.*: GET \/my-activity-suggestions\?limit/,
  ],
  [
    ['suggestions_of_user_by_status', 'suggestions_of_user'],
    /^volunteer.*: GET \/my-activity-suggestions\?status/,
  ],
  [['users_by_sign_in'], /^administrator: GET \/admin\/users\?sortBy=lastLogin/],
  [['audit_events_by_time'], /^administrator: GET \/admin\/audit\?limit=20$/],
  [['audit_events_of_actor', 'audit_events_by_time'], /^administrator: GET \/admin\/audit\?userId=/],
  [['audit_events_of_person', 'audit_events_by_time'], /^administrator: GET \/admin\/audit\?userId=/],
  [['audit_events_of_subject', 'audit_events_by_time'], /^administrator: GET \/admin\/audit\?thing=/],
  [['audit_events_of_action', 'audit_events_by_time'], /^administrator: GET \/admin\/audit\?kind=/],
  [['password_links_of_user'], /^somebody: a link is made/],
  [['sessions_of_user'], /^somebody: POST \/auth\/reset-password/],
  [['drive_files_unwanted', 'drive_files_of_activity'], /^the work in Drive/],
];

const demo = await startApp();
const { database } = demo.deps;
await fillDemo(database, { now: NOW, timeZone: 'America/Chicago' });
await fillSuggestions();
await fillPhotos();
await sql.raw(ENGINE === 'sqlite' ? 'analyze' : 'vacuum analyze').execute(database.db);

const recorder = recording(database);
const app = await buildApp({ ...demo.deps, database: recorder.database });
afterAll(() => app.close());

const SOME_DAYS = 'startDate=2025-09-01&endDate=2025-11-30';

type Sent = { token?: string | undefined; body?: object; headers?: Record<string, string> };

/** Sends a request and notes the statements that it runs under its name. */
async function call(who: string, methodAndPath: string, { token, body, headers = {} }: Sent = {}) {
  const [method = 'GET', url = '/'] = methodAndPath.split(' ');
  return recorder.during(`${who}: ${methodAndPath.replace(/cursor=[^&]+/, 'cursor=...')}`, async () => {
    const reply = await app.inject({
      method: method as 'GET',
      url: `/api${url}`,
      headers: { ...(token === undefined ? {} : { authorization: `Bearer ${token}` }), ...headers },
      ...(body === undefined ? {} : { payload: body }),
    });
    expect([500, methodAndPath]).not.toEqual([reply.statusCode, methodAndPath]);
    return reply.body.startsWith('{') ? reply.json() : {};
  });
}

async function signIn(who: string, email: string): Promise<string> {
  return (await call(who, 'POST /auth/login', { body: { email, password: SIGN_INS.password } })).token;
}

// The busiest volunteers have the longest lists.
const people = [
  { who: 'volunteer of one school', email: await busiest(1), schoolId: undefined },
  { who: 'volunteer of two schools', email: await busiest(2), schoolId: undefined },
  { who: 'administrator', email: SIGN_INS.administrator, schoolId: await quietestSchool() },
];

/** Every reading endpoint of every contract: a new list is measured without being added here. */
const contracts = await Promise.all(
  globSync('src/features/**/*contract.ts').map(
    (path) => import(`../../${path}`) as Promise<Record<string, unknown>>,
  ),
);
const reads = contracts
  .flatMap((contract) => Object.values(contract))
  .filter((value): value is Endpoint => typeof value === 'object' && value !== null && 'parts' in value)
  .filter((endpoint) => endpoint.method === 'GET');

for (const { who, email, schoolId: chosen } of people) {
  const token = await signIn(who, email);
  const { user } = await call(who, 'GET /profile', { token });
  const schoolId = chosen ?? user.schools[0].id;
  const activity = await someActivity(schoolId);
  for (const endpoint of reads) {
    const id = endpoint.path.startsWith('/schools/') ? schoolId : activity.id;
    const path = endpoint.path.replace(/:(\w+)/g, (_, name) => (name === 'id' ? String(id) : 'x'.repeat(43)));
    const takes = namesIn(endpoint.parts.query);
    const schools = takes.includes('schoolId') ? ['', `schoolId=${schoolId}`] : [''];
    const searches = takes.includes('search') ? ['', 'search=read'] : [''];
    for (const query of schools.flatMap((school) => searches.map((search) => [school, search]))) {
      const limited = takes.includes('limit') ? [...query, 'limit=20'] : query;
      const first = await call(who, `GET ${withQuery(path, limited)}`, { token });
      if (first.nextCursor)
        await call(who, `GET ${withQuery(path, [...limited, `cursor=${first.nextCursor}`])}`, { token });
    }
  }
  for (const status of STATUSES) {
    await call(who, `GET /my-activity-suggestions?status=${status}&limit=20`, { token });
  }
  const headers = { 'idempotency-key': `plan-${who.replaceAll(' ', '-')}` };
  const body = { activityId: activity.id, hours: 1, notes: 'Room 4' };
  const { timeEntry } = await call(who, 'POST /time-entries', { token, headers, body });
  await call(who, 'POST /time-entries', { token, headers, body });
  await call(who, `PUT /time-entries/${timeEntry.id}`, { token, body: { hours: 2 } });
  await call(who, `DELETE /time-entries/${timeEntry.id}`, { token });
  await call(who, `POST /time-entries/${timeEntry.id}/restore`, { token });
  const sent = await multipart('photos', [{ name: 'fair.jpg', content: await phonePhoto(40, 30) }]);
  await call(who, `POST /activities/${activity.id}/photos`, { token, ...sent });
  const { photos } = await call(who, `GET /activities/${activity.id}/photos?limit=1`, { token });
  await call(who, `PUT /photos/${photos[0].id}`, { token, body: { caption: 'Room 4' } });
  await call(who, `DELETE /photos/${photos[0].id}`, { token });
  await call(who, `POST /photos/${photos[0].id}/restore`, { token });
  await call(who, `POST /photos/${photos[0].id}/takedown`, { token });
  if (user.role === 'admin') {
    await call(who, `POST /admin/photos/${photos[0].id}/approve`, { token });
    await callAsAdministrator(who, token, activity);
    await readEveryTimeEntryList(who, token, activity);
    for (const what of ['analytics/activities', 'analytics/overview', 'analytics/volunteers']) {
      await call(who, `GET /admin/${what}?schoolId=${activity.schoolId}&${SOME_DAYS}`, { token });
    }
    for (const sortBy of USER_SORTS) {
      for (const sortOrder of USER_ORDERS) {
        const path = `/admin/users?sortBy=${sortBy}&sortOrder=${sortOrder}&limit=20`;
        const { nextCursor } = await call(who, `GET ${path}`, { token });
        await call(who, `GET ${path}&cursor=${nextCursor}`, { token });
      }
    }
    for (const query of ['userId=1', 'thing=time-entry&thingId=1', 'kind=fail', 'startDate=2026-01-01']) {
      await call(who, `GET /admin/audit?${query}&limit=20`, { token });
    }
  }
  await call(who, 'POST /auth/login', { body: { email, password: 'not-the-password' } });
  await call(who, 'POST /auth/logout', { token });
}
const link = await recorder.during('somebody: a link is made', () =>
  transaction(recorder.database, (trx) => createPasswordLink(trx, 1, NOW, 24)),
);
await call('somebody', 'POST /auth/reset-password', { body: { token: link, newPassword: 'other-otters-8' } });
await call('nobody', 'POST /auth/register', {
  body: {
    email: 'new@cedarcreek.example',
    password: 'other-otters-8',
    firstName: 'Nia',
    lastName: 'New',
    schoolIds: [1],
  },
});

await recorder.during('the clean-up', async () => {
  await transaction(recorder.database, (trx) => purgeDeletedPhotos(trx, NOW));
  await findDueOrphanedFiles(recorder.database.db, NOW, 100);
});

await recorder.during('retention', async () => {
  const deps = { ...demo.deps, database: recorder.database };
  const held = { userId: null, schoolId: null, reason: 'Court order', by: 1, at: NOW };
  await transaction(database, async (trx) => {
    await insertHold(trx, { ...held, userId: 3 });
    await insertHold(trx, { ...held, schoolId: 2 });
    await saveSetting(trx, 'retention', { entries: 1200, photos: 1200 });
  });
  await deleteExpiredRecords(deps);
});

await recorder.during('the work in Drive', async () => {
  const { db } = recorder.database;
  const turn = { syncId: 7, activityId: 3, name: 'Fair' };
  await listQueuedActivities(db, 20);
  await isSyncFinished(db, turn.syncId);
  await isCancelled(db, turn.syncId);
  await listPhotosToCopy(db, turn, 40, 50);
  await countPhotos(db, turn);
  await countPhotos(db, turn, 'failed');
  await findDriveFile(db, 41);
  await listActivitiesWithUnwantedFiles(db, 20);
  await listUnwantedFiles(db, turn.activityId, { isStored: true });
  await findHiddenPhotos(db, [41, 42, 43]);
  await transaction(recorder.database, (trx) => deleteOldSyncs(trx, NOW));
  await transaction(recorder.database, (trx) => deleteExpiredDriveAttempts(trx, NOW));
});

const statements = distinct(recorder.statements);

// Reading an empty table whole is fine.
await fillSessions();
await fillImports();
await fillRecord();
await fillDrive();

// SQLite plans without statistics: nobody runs ANALYZE on it. PostgreSQL does so by itself from time to time.
const withoutStatistics = ENGINE === 'sqlite' ? await problemsOf(database, statements) : [];
await sql.raw(ENGINE === 'sqlite' ? 'analyze' : 'vacuum analyze').execute(database.db);

test('the recorded statements include the main reads', () => {
  const calls = [...new Set(statements.map((statement) => statement.call))];
  for (const wanted of [
    /^volunteer of two schools: GET \/time-entries\?limit=20$/,
    /^volunteer of one school: GET \/time-entries\?schoolId=\d+&limit=20&cursor=/,
    /^administrator: GET \/time-entries\?limit=20&cursor=/,
    /^administrator: GET \/time-entries\/most-active\?schoolId=/,
    /^administrator: GET \/admin\/activities\?schoolId=\d+&search=read&limit=20$/,
    /^administrator: GET \/admin\/activities\?limit=20&cursor=/,
    /GET \/schools\/public$/,
    /GET \/auth\/verify-reset-token/,
  ]) {
    expect(
      calls.filter((name) => wanted.test(name)),
      String(wanted),
    ).not.toEqual([]);
  }
  expect(statements.length).toBeGreaterThan(100);
});

test('no query reads or sorts a whole table, except those listed', async () => {
  expect(unexpected(withoutStatistics)).toEqual([]);
  expect(unexpected(await problemsOf(database, statements))).toEqual([]);
});

test.each(NEEDED)('a query without its indexes is reported: %s', async (indexes, wanted) => {
  const asked = statements.filter(({ call }) => wanted.test(call));
  const found = await problemsWithout(database, indexes, asked);
  expect(found.filter((problem) => !isAllowed(problem))).not.toEqual([]);
});

function unexpected(found: readonly Problem[]): string[] {
  return found
    .filter((problem) => !isAllowed(problem))
    .map(
      ({ what, tables, statement, plan }) =>
        `${what} ${tables} in ${statement.call}\n${statement.sql}\n${plan}`,
    );
}

function isAllowed({ what, tables, statement }: Problem): boolean {
  return ALLOWED.some((one) => one.what === what && one.call.test(statement.call) && one.tables.test(tables));
}

async function callAsAdministrator(
  who: string,
  token: string,
  activity: { id: number; categoryId: number; schoolId: number },
) {
  await call(who, `DELETE /admin/activities/${activity.id}`, { token });
  await call(who, `DELETE /admin/categories/${activity.categoryId}`, { token });
  await call(who, `DELETE /admin/schools/${activity.schoolId}`, { token });
  await call(who, `PUT /admin/activities/${activity.id}`, { token, body: { description: 'As before' } });
  await importAndUndo(who, token);
  const { export: made } = await call(who, 'POST /admin/time-entries/export', {
    token,
    body: { format: 'csv', schoolId: activity.schoolId },
  });
  await call(who, `GET /admin/time-entries/export/${made.id}`, { token });
  await call(who, `DELETE /admin/time-entries/export/${made.id}`, { token });
}

/** Creates accounts and changes existing ones, and undoes both. */
async function importAndUndo(who: string, token: string) {
  const schools = await database.db.selectFrom('schools').select('name').orderBy('id').execute();
  const names = schools.map((school) => school.name).join('|');
  const csv = `firstName,lastName,email,schools\nA,B,planned@cedarcreek.example,${names}\nC,D,${await busiest(1)},${names}`;
  const { preview } = await call(who, 'POST /admin/user-imports/preview', { token, body: { csv } });
  const body = { csv, key: preview.key, sendMail: true };
  const { userImport } = await call(who, 'POST /admin/user-imports', { token, body });
  await call(who, `POST /admin/user-imports/${userImport.id}/undo`, { token });
}

async function busiest(schools: number): Promise<string> {
  const { rows } = await sql<{ email: string }>`
    select email from users where is_active = 1 and role = 'user'
      and (select count(*) from user_schools where user_id = users.id) = ${schools}
    order by (select count(*) from time_entries where user_id = users.id) desc limit 1`.execute(database.db);
  return rows[0]?.email ?? '';
}

async function quietestSchool(): Promise<number> {
  const { rows } = await sql<{ id: number }>`
    select school_id as id from time_entries group by school_id order by count(*) limit 1`.execute(
    database.db,
  );
  return rows[0]?.id ?? 0;
}

// A month of syncs, and some years of files in Drive; few of them still to be synced.
async function fillDrive(): Promise<void> {
  const [syncs, activities, photos] = [200, 10, 10];
  const numbers = (count: number) => Array.from({ length: count }, (_, index) => index + 1);
  await insertRows(
    database,
    'drive_files',
    numbers(20_000).map((photo_id) => ({
      photo_id,
      activity_id: 1 + (photo_id % 120),
      file_id: `1${String(photo_id).padStart(20, '0')}`,
      is_stored: 1 as const,
      is_unwanted: photo_id % 5000 === 0 ? (1 as const) : (0 as const),
      upload_session: null,
    })),
  );
  await insertRows(
    database,
    'drive_syncs',
    numbers(syncs).map((sync) => ({
      kind: 'manual' as const,
      requested_by: 1 + (sync % 50),
      requested_at: NOW,
      waiting_until: null,
      cancelled_at: null,
      finished_at: sync === syncs ? null : NOW,
    })),
  );
  const within = numbers(syncs).flatMap((sync) =>
    numbers(activities).map((activity) => ({ sync, activity })),
  );
  await insertRows(
    database,
    'drive_sync_activities',
    within.map(({ sync, activity }) => ({
      sync_id: sync,
      activity_id: activity,
      position: activity,
      name: 'Fair',
      state: sync === syncs ? ('queued' as const) : ('done' as const),
      error: null,
      folder_name: null,
      folder_url: null,
    })),
  );
  await insertRows(
    database,
    'drive_sync_photos',
    within.flatMap(({ sync, activity }) =>
      numbers(photos).map((photo) => ({
        sync_id: sync,
        activity_id: activity,
        photo_id: activity * photos + photo,
        state: sync === syncs ? ('waiting' as const) : ('stored' as const),
        error: null,
      })),
    ),
  );
}

// As many as a large district collects in some years; a few are pending, most were decided.
async function fillSuggestions(): Promise<void> {
  const members = await database.db
    .selectFrom('user_schools')
    .select(['user_id', 'school_id'])
    .orderBy('user_id')
    .execute();
  const statuses = ['approved', 'rejected', 'deleted'] as const;
  await insertRows(
    database,
    'activity_suggestions',
    Array.from({ length: 6000 }, (_, index) => {
      const { user_id = 0, school_id = 0 } = members[index % members.length] ?? {};
      const status = index % 20 === 0 ? 'pending' : (statuses[index % 3] ?? 'approved');
      return {
        user_id,
        school_id,
        category_id: null,
        name: `Idea ${index}`,
        description: null,
        reason: null,
        is_year_long: 1 as const,
        active_from: null,
        active_until: null,
        status,
        admin_reason: null,
        approved_activity_id: null,
        decided_by: null,
        decided_at: status === 'pending' ? null : NOW,
        created_at: NOW,
      };
    }),
  );
}

// What a large district collects in some years; few need a decision, some are in the trash.
async function fillPhotos(): Promise<void> {
  const activities = await database.db.selectFrom('activities').select(['id', 'school_id']).execute();
  const members = await database.db
    .selectFrom('user_schools')
    .select(['user_id', 'school_id'])
    .orderBy('user_id')
    .execute();
  await insertRows(
    database,
    'photos',
    Array.from({ length: 12_000 }, (_, index) => {
      const { id = 0, school_id = 0 } = activities[index % activities.length] ?? {};
      const user_id = members[index % members.length]?.user_id ?? 0;
      const hash = String(index).padStart(64, '0');
      return {
        activity_id: id,
        school_id,
        user_id,
        caption: null,
        original_name: 'fair.jpg',
        file_size: 1000,
        storage_key: hash,
        source_sha256: hash,
        sha256: hash,
        view_sha256: hash,
        thumbnail_sha256: hash,
        large_sha256: hash,
        screen_sha256: hash,
        review: index % 200 === 1 ? ('waiting' as const) : ('visible' as const),
        width: 40,
        height: 30,
        google_photos_url: null,
        google_photos_id: null,
        created_at: NOW,
        deleted_at: index % 50 === 0 ? NOW : null,
        deleted_by: index % 50 === 0 ? user_id : null,
      };
    }),
  );
  await insertRows(
    database,
    'orphaned_photo_files',
    Array.from({ length: 1000 }, (_, index) => ({ storage_key: `leftover-${index}`, due_at: NOW })),
  );
}

// As many as on a busy day, and what belongs to them.
async function fillSessions(): Promise<void> {
  const some = Array.from({ length: 1000 }, (_, index) => ({
    user_id: (index % 300) + 1,
    token_hash: String(index).padStart(64, '0'),
    created_at: NOW,
  }));
  await insertRows(
    database,
    'sessions',
    some.map((row) => ({ ...row, last_used_at: NOW, address: '10.0.0.1', agent: 'test' })),
  );
  await insertRows(
    database,
    'password_links',
    some.map((row) => ({ ...row, expires_at: NOW, used_at: null })),
  );
  await insertRows(
    database,
    'exports',
    some.map((row) => ({
      user_id: row.user_id,
      token_hash: row.token_hash,
      format: 'csv',
      asked: '{}',
      total: 0,
      created_at: NOW,
      expires_at: NOW,
      started_at: null,
      seen_at: null,
      outcome: null,
    })),
  );
  await insertRows(
    database,
    'idempotency_keys',
    some.map((row) => ({
      owner: `user:${row.user_id}`,
      key: row.token_hash,
      fingerprint: '',
      reply: null,
      made_id: null,
      created_at: NOW,
    })),
  );
  await insertRows(
    database,
    'rate_limits',
    some.map((row) => ({
      key: row.token_hash,
      failures: 1,
      window_started_at: NOW,
      blocked_until: null,
      strikes: 0,
    })),
  );
}

// Mostly volunteers who log hours, and some of everything else.
async function fillRecord(): Promise<void> {
  await insertRows(
    database,
    'audit_events',
    Array.from({ length: 20_000 }, (_, index) => ({
      at: instantOf(millisecondsOf(NOW) - index * 60_000),
      actor_id: (index % 300) + 1,
      action: index % 20 === 0 ? (index % 40 === 0 ? 'entry.edit' : 'session.fail') : 'entry.log',
      subject: index % 40 === 20 ? 'user' : 'time-entry',
      subject_id: index + 1,
      school_id: 1,
      person_id: index % 20 === 0 ? (index % 280) + 1 : null,
      before: null,
      after: '{"hours":1}',
      address: '10.0.0.1',
      request_id: 'test',
    })),
  );
}

// As many as a busy month adds.
async function fillImports(): Promise<void> {
  const school = await database.db.selectFrom('schools').select('id').executeTakeFirstOrThrow();
  const numbers = Array.from({ length: 200 }, (_, index) => index + 1);
  await insertRows(
    database,
    'user_imports',
    numbers.map((number) => ({
      id: 1000 + number,
      imported_by: null,
      imported_at: NOW,
      people: 5,
      memberships: 5,
      has_mail: 0 as const,
      undone_at: null,
    })),
  );
  const pairs = numbers.flatMap((number) =>
    numbers.slice(0, 5).map((at) => ({ import_id: 1000 + number, user_id: ((number * 5 + at) % 300) + 1 })),
  );
  await insertRows(database, 'user_import_users', pairs);
  await insertRows(
    database,
    'user_import_memberships',
    pairs.map((pair) => ({ ...pair, school_id: school.id, was_pending: 0 as const })),
  );
}

/** Every sort in both directions, and the cards, with nothing, few and many rows to find. */
async function readEveryTimeEntryList(
  who: string,
  token: string,
  activity: { id: number; schoolId: number },
) {
  const school = `schoolId=${activity.schoolId}`;
  const { user_id: userId } = await database.db
    .selectFrom('time_entries')
    .select('user_id')
    .where('school_id', '=', activity.schoolId)
    .limit(1)
    .executeTakeFirstOrThrow();
  const filters = ['', 'startDate=2025-06-01', `userId=${userId}`, `activityId=${activity.id}`].flatMap(
    (filter) => [filter, `${school}&${filter}`],
  );
  const rare = [
    `${school}&startDate=2026-02-02&endDate=2026-02-02`,
    `userId=${userId}&activityId=${activity.id}`,
  ];
  for (const filter of [...filters, ...rare]) {
    await call(who, `GET /admin/time-entries/summary?${filter}`, { token });
    for (const sort of SORTS.flatMap((by) => SORT_ORDERS.map((order) => `sortBy=${by}&sortOrder=${order}`))) {
      const path = `/admin/time-entries?${filter}&${sort}&limit=20`;
      const { nextCursor } = await call(who, `GET ${path}`, { token });
      if (nextCursor) await call(who, `GET ${path}&cursor=${nextCursor}`, { token });
    }
  }
}

async function someActivity(schoolId: number) {
  const row = await database.db
    .selectFrom('activities')
    .select(['id', 'category_id', 'school_id'])
    .where('school_id', '=', schoolId)
    .where('is_active', '=', 1)
    .orderBy('id')
    .limit(1)
    .executeTakeFirstOrThrow();
  return { id: row.id, categoryId: row.category_id, schoolId: row.school_id };
}

function namesIn(schema: unknown): string[] {
  const shape = typeof schema === 'object' && schema !== null && 'shape' in schema ? schema.shape : {};
  return Object.keys(shape ?? {});
}

function withQuery(path: string, query: readonly string[]): string {
  const given = query.filter((part) => part !== '');
  return given.length === 0 ? path : `${path}?${given.join('&')}`;
}
