import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import ts from 'typescript';
import { describe, expect, test } from 'vitest';
import { day, formatDayInFull } from '#base/calendar-date.ts';
import type { Endpoint } from '#base/endpoint.ts';
import { readMessage } from '#base/message.ts';
import { CAPABILITIES } from '#base/permissions.ts';
import { REVIEWED } from '#rooms/accessibility/contract.ts';
import { ACTIONS } from '#rooms/audit/contract.ts';
import { VERSION } from '#server/version.ts';
import { en } from '#text/en.ts';
import { signIn } from '#text/sign-in.ts';
import { staff } from '#text/staff.ts';
import { volunteer } from '#text/volunteer.ts';
import { SOURCES } from '../scripts/browser-build.mjs';
import { allEndpoints, callOf } from './endpoints.ts';
import { startApp } from './harness.ts';
import { PERMISSIONS } from './http/permissions/table.ts';

const sources = globSync('src/**/*.{ts,tsx}').filter((path) => !path.includes('.test.'));
const read = (path: string) => readFileSync(path, 'utf8');

const isServer = (path: string) => !path.includes('/web/');

/** Who writes a table. Any store may read any table; only the owner changes it. */
const OWNERS: Readonly<Record<string, string>> = {
  schools: 'src/rooms/schools/',
  users: 'src/rooms/users/',
  user_schools: 'src/rooms/users/',
  user_grants: 'src/rooms/users/',
  invite_grants: 'src/rooms/users/',
  sessions: 'src/rooms/users/',
  password_links: 'src/rooms/users/',
  email_confirmations: 'src/rooms/users/',
  invites: 'src/rooms/users/',
  invite_schools: 'src/rooms/users/',
  erasure_requests: 'src/rooms/own-data/',
  user_imports: 'src/rooms/user-imports/',
  user_import_people: 'src/rooms/user-imports/',
  user_import_memberships: 'src/rooms/user-imports/',
  mail: 'src/server/mail/',
  categories: 'src/rooms/categories/',
  activities: 'src/rooms/activities/',
  activity_batches: 'src/rooms/activities/',
  activity_suggestions: 'src/rooms/suggestions/',
  suggestion_mail: 'src/rooms/suggestions/',
  time_entries: 'src/rooms/time-entries/',
  exports: 'src/rooms/time-entries/',
  time_entry_imports: 'src/rooms/time-entry-imports/',
  time_entry_import_pieces: 'src/rooms/time-entry-imports/',
  time_entry_import_entries: 'src/rooms/time-entry-imports/',
  letter_files: 'src/rooms/letters/',
  service_letters: 'src/rooms/letters/',
  service_letter_names: 'src/rooms/letters/',
  verification_batches: 'src/rooms/verification/',
  verification_batch_entries: 'src/rooms/verification/',
  outside_letters: 'src/rooms/verification/',
  outside_letter_entries: 'src/rooms/verification/',
  outside_stops: 'src/server/mail/',
  photos: 'src/rooms/photos/',
  photo_leftovers: 'src/rooms/photos/',
  district_settings: 'src/rooms/district/',
  audit: 'src/server/audit.ts',
  school_logos: 'src/rooms/schools/',
  idempotency_keys: 'src/server/',
  try_limits: 'src/server/',
  known_devices: 'src/rooms/users/',
  provider_links: 'src/rooms/users/',
  provider_returns: 'src/rooms/users/',
  provider_logouts: 'src/rooms/users/',
  sign_in_links: 'src/rooms/users/',
  totp_secrets: 'src/rooms/second-proof/',
  totp_offers: 'src/rooms/second-proof/',
  passkeys: 'src/rooms/second-proof/',
  answered_challenges: 'src/rooms/second-proof/',
  recovery_codes: 'src/rooms/second-proof/',
  sign_in_challenges: 'src/rooms/second-proof/',
  second_proof_waits: 'src/rooms/second-proof/',
  system_warnings: 'src/server/',
  daily_jobs: 'src/server/daily.ts',
  past_addresses: 'src/rooms/users/',
  backup_mail: 'src/rooms/users/',
  verifier_mail: 'src/rooms/verification/',
  hour_goals: 'src/rooms/goals/',
  milestone_thanks: 'src/rooms/goals/',
  household_members: 'src/rooms/households/',
  reminder_mail: 'src/rooms/reminders/',
  mailings: 'src/rooms/mailings/',
  mailing_people: 'src/rooms/mailings/',
  mailing_stops: 'src/rooms/mailings/',
  failed_requests: 'src/server/http/',
  legal_holds: 'src/rooms/retention/',
  server_state: 'src/server/server-state.ts',
  account_merges: 'src/rooms/merges/',
  account_merge_rows: 'src/server/merged-rows-store.ts',
  people_apart: 'src/rooms/merges/',
  drive_connection: 'src/rooms/drive-sync/',
  drive_attempts: 'src/rooms/drive-sync/',
  drive_root: 'src/rooms/drive-sync/',
  drive_folders: 'src/rooms/drive-sync/',
  drive_files: 'src/rooms/drive-sync/',
  drive_syncs: 'src/rooms/drive-sync/',
  drive_sync_activities: 'src/rooms/drive-sync/',
  drive_sync_photos: 'src/rooms/drive-sync/',
};

/**
 * Deletions in other rooms' tables along with a thing: rows in the trash do not prevent its deletion, but refer to
 * it. And decisions about hours that wait again when their volunteer gets the address that decided: rooms import leftward
 * alone, so the one of people reaches them through the ground.
 */
const TAKEN_ALONG: readonly { path: string; table: string }[] = [
  { path: 'src/rooms/schools/server/store.ts', table: 'activity_suggestions' },
  { path: 'src/rooms/activities/server/store.ts', table: 'time_entries' },
  { path: 'src/rooms/activities/server/store.ts', table: 'photos' },
  { path: 'src/rooms/users/server/admin-users-store.ts', table: 'time_entries' },
  { path: 'src/server/entry-decisions-store.ts', table: 'time_entries' },
  { path: 'src/rooms/users/server/admin-users-store.ts', table: 'photos' },
  { path: 'src/rooms/users/server/admin-users-store.ts', table: 'activity_suggestions' },
];

/** Files with SQL besides the rooms' stores: the foundation's own tables, each in the file that owns it. */
const GROUND_WITH_SQL = [
  /^src\/server\/db\//,
  /^src\/server\/audit\.ts$/,
  /^src\/server\/daily\.ts$/,
  /^src\/server\/http\/(idempotency|try-limits)\.ts$/,
  /^src\/server\/mail\/outbox\.ts$/,
  /^src\/server\/server-state\.ts$/,
];

describe('the list of security requirements', () => {
  const list = read('docs/security-asvs.md');
  const rows = [...list.matchAll(/^\| (\d+\.\d+\.\d+) \| [12] \| ([^|]+) \| ([^|]+) \|$/gm)];

  test('names files that are there', () => {
    const named = [...list.matchAll(/`((?:src|test|scripts|docs)\/[\w./-]+)`/g)].map(([, path = '']) => path);
    expect(named.length).toBeGreaterThan(200);
    expect([...new Set(named)].filter((path) => !existsSync(path))).toEqual([]);
  });

  test('has every requirement of levels 1 and 2 once, each with what it asks and what shows it', () => {
    const numbers = rows.map(([, number]) => number);
    expect([numbers.length, new Set(numbers).size]).toEqual([253, 253]);
  });
});

/** WCAG 2.2, levels A and AA. */
const CRITERIA = [
  '1.1.1 1.2.1 1.2.2 1.2.3 1.3.1 1.3.2 1.3.3 1.4.1 1.4.2 2.1.1 2.1.2 2.1.4 2.2.1 2.2.2 2.3.1 2.4.1 2.4.2 2.4.3 2.4.4',
  '2.5.1 2.5.2 2.5.3 2.5.4 3.1.1 3.2.1 3.2.2 3.2.6 3.3.1 3.3.2 3.3.7 4.1.2',
  '1.2.4 1.2.5 1.3.4 1.3.5 1.4.3 1.4.4 1.4.5 1.4.10 1.4.11 1.4.12 1.4.13 2.4.5 2.4.6 2.4.7 2.4.11 2.5.7 2.5.8',
  '3.1.2 3.2.3 3.2.4 3.3.3 3.3.4 3.3.8 4.1.3',
].flatMap((line) => line.split(' '));

describe('the report about accessibility', () => {
  const report = read('docs/accessibility.md');
  const rows = [...report.matchAll(/^\| (\d\.\d\.\d+) [^|]+ \| ([^|]+) \| ([^|]+) \|$/gm)];

  test('judges every criterion of WCAG 2.2, levels A and AA, once', () => {
    expect(rows.map(([, number]) => number).toSorted()).toEqual(CRITERIA.toSorted());
    const terms = ['Supports', 'Partially supports', 'Does not support', 'Not applicable'];
    expect(rows.filter(([, , term = '']) => !terms.includes(term)).map(([row]) => row)).toEqual([]);
  });

  test('names what shows that a criterion is met, in files that are there', () => {
    const isShown = ([, , term, remark = '']: readonly string[]) =>
      term === 'Not applicable' || /`[\w/.-]+\.(?:ts|tsx|md)`/.test(remark);
    expect(rows.filter((row) => !isShown(row)).map(([row]) => row)).toEqual([]);
    const named = [...report.matchAll(/`((?:src|test|docs)\/[\w./-]+)`/g)].map(([, path = '']) => path);
    expect([...new Set(named)].filter((path) => !existsSync(path))).toEqual([]);
  });

  test('names each exception of a criterion that is met in part, and is as old as the page in the product says', () => {
    const exceptions = report.slice(
      report.indexOf('## Known exceptions'),
      report.indexOf('## WCAG 2.2, level A\n'),
    );
    const inPart = rows
      .filter(([, , term]) => term === 'Partially supports')
      .map(([, number = '']) => number);
    expect(inPart.filter((number) => !exceptions.includes(`(${number})`))).toEqual([]);
    expect(report).toContain(`| Date | ${formatDayInFull(day(REVIEWED.on), 'en')} |`);
    expect(report).toContain(`version ${VERSION}:`);
  });
});

test('no stream, thread, process or mail connection is made without a listener for its errors', () => {
  const made =
    /(\w+\(\s*)?(?:new Worker|new Readable|(?:cluster\.)?fork|spawn|\w+\.createReadStream|createTransport)\(/g;
  const found = sources
    .filter(isServer)
    .flatMap((path) => [...read(path).matchAll(made)].map((one) => ({ path, one })));
  expect(found.length).toBeGreaterThan(4);
  const alone = found.filter(({ one }) => !one[1]?.startsWith('listened('));
  expect(alone.map(({ path, one }) => `${path}: ${one[0]}`)).toEqual([]);
});

test('every way into an account that exists opens its session in one place', () => {
  const opens = sources.filter(isServer).filter((path) => /\bstartSession\(trx/.test(read(path)));
  const users = 'src/rooms/users/server';
  // Somebody who registers has an account only now.
  expect(opens).toEqual([`${users}/open-session.ts`, `${users}/registration.ts`]);
});

/** Stores that compute the names of the tables they write, and which tables these are. */
const WRITES_BY_NAME: Readonly<Record<string, string>> = {
  'src/server/aged-rows-store.ts': 'what the owner of a table has it delete by age',
  'src/server/merged-rows-store.ts':
    'rows of two accounts that become one; the room of merges names each place',
  'src/rooms/time-entries/server/rollups/rollups-store.ts': 'the sums of entries, built anew',
};

const BUILDER = /\b(?:selectFrom|insertInto|updateTable|deleteFrom|replaceInto|mergeInto)\(/;
const SQL_TEXT = /\bsql(?:<(?:[^`<>]|<[^<>]*>)*>)?`|\bsql\.(?:raw|table|ref|join|lit|id|val)\(/;

/** Whether code asks the database itself, by a query builder or in SQL. */
function holdsSql(code: string): boolean {
  return BUILDER.test(code) || SQL_TEXT.test(code);
}

/** The tables that code writes, by a query builder or in SQL; '?' where the name is not written out. */
function tablesWritten(code: string): string[] {
  const built = code.matchAll(
    /\b(?:insertInto|updateTable|deleteFrom|replaceInto|mergeInto)\(\s*(?:'([a-z_]+)(?: as \w+)?'|[^'\s])/g,
  );
  const said = code.matchAll(
    /\b(?:insert\s+(?:or\s+\w+\s+)?into|delete\s+from|update(?=\s+(?:only\s+)?(?:"?[a-z_]+"?|\$\{[^}]*\})\s+(?:as\s+\w+\s+)?set\b))\s+(?:only\s+)?(?:"?([a-z_]+)"?|\$\{)/gi,
  );
  return [...built, ...said].map(([, table]) => table ?? '?');
}

// Comments speak of SQL without being it.
const codeOf = (path: string) => read(path).replaceAll(/\/\*.*?\*\/|^\s*\/\/[^\n]*$/gms, '');

describe('SQL', () => {
  const server = sources.filter((path) => !path.includes('/web/'));
  // Migrations make every table, and a restored district is loaded into all of them.
  const dataModel = ['src/server/db/migrations/', 'src/server/db/dump/'];
  const writes = server
    .filter((path) => !dataModel.some((folder) => path.startsWith(folder)))
    .flatMap((path) => tablesWritten(codeOf(path)).map((table) => ({ path, table })));

  test('is seen by builder and as text, for reading and for writing', () => {
    const samples = [
      "db.selectFrom('users')",
      "trx\n  .deleteFrom('users')",
      'trx.insertInto(table)',
      'sql`delete from users`',
      'sql<{ id: number }>`select id from users`',
      'sql<Row<"users">>`select 1`',
      "sql.raw('update users set role = 1')",
    ];
    expect(samples.filter((code) => !holdsSql(code))).toEqual([]);
    const others = [
      'insertUser(trx, user)',
      "rows.update('x')",
      "'mysql` is a word'",
      'const sqlite = `file`',
    ];
    expect(others.filter(holdsSql)).toEqual([]);
  });

  test('that writes is seen with its table', () => {
    const samples: Readonly<Record<string, string[]>> = {
      "trx.insertInto('mail').values({})": ['mail'],
      "trx\n  .updateTable(\n    'users as u')": ['users'],
      "trx.deleteFrom('a'); trx.deleteFrom('b')": ['a', 'b'],
      'trx.deleteFrom(table)': ['?'],
      'sql`insert into audit (at) values (1)`': ['audit'],
      'sql`INSERT OR IGNORE INTO "audit" default values`': ['audit'],
      'sql`update users\n    set role = 1`': ['users'],
      'sql`update only users as u set role = 1`': ['users'],
      'sql`delete\n  from sessions where id = 1`': ['sessions'],
      'sql`delete from ${sql.table(table)}`': ['?'],
      'sql`update ${sql.table(table)} set a = 1`': ['?'],
      'sql`select id from users for update of users`': [],
      "db.selectFrom('users')": [],
      'update(row); deleteRow(from)': [],
    };
    for (const [code, tables] of Object.entries(samples))
      expect([code, tablesWritten(code)]).toEqual([code, tables]);
  });

  test('stands in stores, and in the files of the ground that own a table', () => {
    const strangers = server
      .filter((path) => !/store\.ts$/.test(path) && !GROUND_WITH_SQL.some((place) => place.test(path)))
      .filter((path) => holdsSql(codeOf(path)));
    expect(strangers).toEqual([]);
    expect(server.filter((path) => holdsSql(codeOf(path))).length).toBeGreaterThan(30);
  });

  test('writes in many places, all of which are looked at', () => {
    expect(writes.length).toBeGreaterThan(80);
  });

  test.each(Object.entries(OWNERS))('writes %s in %s alone', (table, owner) => {
    const strangers = writes
      .filter((write) => write.table === table && !write.path.startsWith(owner))
      .filter((write) => !TAKEN_ALONG.some((taken) => taken.path === write.path && taken.table === table));
    expect(strangers).toEqual([]);
  });

  test('writes no table without an owner', () => {
    const strangers = writes.filter(({ table }) => table !== '?' && !(table in OWNERS));
    expect(strangers).toEqual([]);
    expect([...new Set(writes.filter(({ table }) => table === '?').map(({ path }) => path))]).toEqual(
      Object.keys(WRITES_BY_NAME),
    );
  });

  test('takes rows of other rooms along only where it says so', () => {
    const idle = TAKEN_ALONG.filter(
      ({ path, table }) => !writes.some((write) => write.path === path && write.table === table),
    );
    expect(idle).toEqual([]);
  });
});

/**
 * The engine tests of each file with raw SQL, which the gate runs on both engines: a query that works on SQLite may
 * fail, sort or round differently on PostgreSQL.
 */
const ENGINE_TESTS: Readonly<Record<string, string>> = {
  'src/rooms/activities/server/store.ts': 'src/rooms/activities/server/bulk.engines.test.ts',
  'src/rooms/analytics/server/analytics-store.ts': 'src/rooms/analytics/server/verified.engines.test.ts',
  'src/rooms/audit/server/own-data-store.ts': 'src/rooms/own-data/server/download.engines.test.ts',
  'src/rooms/audit/server/store.ts': 'src/rooms/audit/server/routes.engines.test.ts',
  'src/rooms/district/server/settings-store.ts': 'src/rooms/district/server/manifest.engines.test.ts',
  'src/rooms/drive-sync/server/file-store.ts': 'src/rooms/drive-sync/server/stores.engines.test.ts',
  'src/rooms/drive-sync/server/own-data-store.ts': 'src/rooms/own-data/server/download.engines.test.ts',
  'src/rooms/drive-sync/server/sync-store.ts': 'src/rooms/drive-sync/server/stores.engines.test.ts',
  'src/rooms/drive-sync/server/turn-store.ts': 'src/rooms/drive-sync/server/stores.engines.test.ts',
  'src/rooms/goals/server/milestone-store.ts': 'src/rooms/goals/server/milestones.engines.test.ts',
  'src/rooms/letters/server/hours-that-count-store.ts': 'src/rooms/letters/server/letters.engines.test.ts',
  'src/rooms/letters/server/store.ts': 'src/rooms/letters/server/letters.engines.test.ts',
  'src/rooms/merges/server/store.ts': 'src/rooms/merges/server/merges.engines.test.ts',
  'src/rooms/own-data/server/store.ts': 'src/rooms/own-data/server/erasure.engines.test.ts',
  'src/rooms/photos/server/review-store.ts': 'src/rooms/photos/server/review.engines.test.ts',
  'src/rooms/photos/server/store.ts': 'src/rooms/photos/server/routes.engines.test.ts',
  'src/rooms/reminders/server/choice-store.ts': 'src/rooms/reminders/server/reminders.engines.test.ts',
  'src/rooms/second-proof/server/proof-store.ts': 'src/rooms/users/server/second-proof-races.engines.test.ts',
  'src/rooms/suggestions/server/store.ts': 'src/rooms/suggestions/server/routes.engines.test.ts',
  'src/rooms/system/server/system-store.ts': 'src/rooms/system/server/routes.engines.test.ts',
  'src/rooms/time-entries/server/aged-store.ts': 'src/rooms/retention/server/retention.engines.test.ts',
  'src/rooms/time-entries/server/decisions-store.ts': 'src/rooms/verification/server/desk.engines.test.ts',
  'src/rooms/time-entries/server/exports/people-in-file-store.ts':
    'src/rooms/time-entries/server/exports/people-in-file.engines.test.ts',
  'src/rooms/time-entries/server/flags-store.ts': 'src/rooms/time-entries/server/flags.engines.test.ts',
  'src/rooms/time-entries/server/listing/filter-store.ts':
    'src/rooms/time-entries/server/listing/admin-list.engines.test.ts',
  'src/rooms/time-entries/server/listing/recent-store.ts':
    'src/rooms/time-entries/server/routes.engines.test.ts',
  'src/rooms/time-entries/server/listing/segments-store.ts':
    'src/rooms/time-entries/server/listing/admin-list.engines.test.ts',
  'src/rooms/time-entries/server/listing/sums-store.ts':
    'src/rooms/time-entries/server/listing/states.engines.test.ts',
  'src/rooms/time-entries/server/own-data-store.ts': 'src/rooms/own-data/server/download.engines.test.ts',
  'src/rooms/time-entries/server/rollups/rollups-store.ts':
    'src/rooms/time-entries/server/rollups/rollups.engines.test.ts',
  'src/rooms/time-entries/server/store.ts': 'src/rooms/time-entries/server/routes.engines.test.ts',
  'src/rooms/time-entry-imports/server/store.ts':
    'src/rooms/time-entry-imports/server/imports.engines.test.ts',
  'src/rooms/user-imports/server/store.ts': 'src/rooms/user-imports/server/imports.engines.test.ts',
  'src/rooms/users/server/admin-users-store.ts': 'src/rooms/users/server/admin-users.engines.test.ts',
  'src/rooms/users/server/grant-store.ts': 'src/rooms/users/server/grants.engines.test.ts',
  'src/rooms/users/server/invite-store.ts': 'src/rooms/users/server/registration.engines.test.ts',
  'src/rooms/users/server/membership-store.ts': 'src/rooms/users/server/many-users.engines.test.ts',
  'src/rooms/users/server/past-address-store.ts': 'src/rooms/verification/server/outside.engines.test.ts',
  'src/rooms/users/server/session-store.ts': 'src/rooms/users/server/revocation.engines.test.ts',
  'src/rooms/users/server/store.ts': 'src/rooms/users/server/admin-users.engines.test.ts',
  'src/rooms/verification/server/outside-store.ts': 'src/rooms/verification/server/outside.engines.test.ts',
  'src/rooms/verification/server/weekly-store.ts': 'src/rooms/verification/server/weekly.engines.test.ts',
  'src/server/aged-rows-store.ts': 'src/rooms/retention/server/retention.engines.test.ts',
  'src/server/audit.ts': 'src/rooms/audit/server/routes.engines.test.ts',
  'src/server/http/try-limits.ts': 'src/server/http/try-limits.engines.test.ts',
  'src/server/legal-hold-store.ts': 'src/rooms/retention/server/holds.engines.test.ts',
  'src/server/merged-rows-store.ts': 'src/rooms/merges/server/merges.engines.test.ts',
};

/** Pieces of queries and the engines themselves: every engine test above runs them. */
const ENGINE_CODE = 'src/server/db/';

describe('the gate', () => {
  test('runs every file with raw SQL on both engines', () => {
    const withSql = sources
      .filter((path) => isServer(path) && !path.startsWith(ENGINE_CODE))
      .filter((path) => SQL_TEXT.test(codeOf(path)));
    expect(Object.keys(ENGINE_TESTS).sort()).toEqual(withSql.sort());
    expect(Object.values(ENGINE_TESTS).filter((path) => !existsSync(path))).toEqual([]);
    expect(Object.values(ENGINE_TESTS).filter((path) => !path.endsWith('.engines.test.ts'))).toEqual([]);
  });

  test('runs tests without a database once: those that open one have names of their own', () => {
    const tests = globSync('src/**/*.test.ts');
    const opensDatabase = (path: string) => /from '#test\/(harness|builders)\.ts'/.test(read(path));
    const isNamedSo = (path: string) => /\.(http|engines|full)\.test\.ts$/.test(path);
    expect(tests.filter((path) => opensDatabase(path) && !isNamedSo(path))).toEqual([]);
  });
});

/** Longer than that, in rooms that are still being divided. */
const STILL_LONG = ['changeAccount', 'planImport', 'rollups'];

describe('a function', () => {
  test('is at most 40 lines long, a component 120, unless a comment above it begins with Long because', () => {
    expect(sources.filter((path) => !path.includes('/migrations/')).flatMap((path) => tooLong(path))).toEqual(
      [],
    );
  }, 60_000);

  test('is found when it is longer', () => {
    const body = '  go();\n'.repeat(39);
    const long = `export function walk() {\n${body}}\n`;
    expect(tooLong('walk.ts', long)).toEqual(['walk.ts: walk (41 lines)']);
    expect(tooLong('walk.ts', `// Long because the way is long.\n${long}`)).toEqual([]);
    expect(tooLong('walk.tsx', long)).toEqual([]);
  });
});

test('the browser side is built again when a file of it has changed', () => {
  const web = sources.filter((path) => path.includes('/web/'));
  expect(web.filter((path) => !SOURCES.some((folder) => path.startsWith(`${folder}/`)))).toEqual([]);
});

test('every endpoint of every contract is served', async () => {
  const app = await startApp();
  const endpoints = [...(await allEndpoints()).values()];
  expect(endpoints.length).toBeGreaterThan(20);
  for (const { method, path } of endpoints) {
    expect([path, app.app.hasRoute({ method, url: `/api${path}` })]).toEqual([path, true]);
  }
});

test('every call has its line in the table of who may send it, and its gate asks for what the line does', async () => {
  const gates = new Map(
    globSync('src/rooms/*/server/*routes.ts').flatMap((path) =>
      [
        ...read(path).matchAll(
          /\bmount\(\s*(?:contract\.)?(\w+?)(?:Call)?,\s+(?:'([^']+)'|memberOr\('([^']+)')/g,
        ),
      ].map(([, name = '', gate, capability]) => [name, gate ?? `member or ${capability}`]),
    ),
  );
  const endpoints = await allEndpoints();
  const mounted = [...endpoints].map(([name, found]) => [callOf(found), gates.get(name)]);
  const said = Object.entries(PERMISSIONS).map(([call, { gate }]) => [call, gate]);
  expect(said.length).toBeGreaterThan(100);
  expect(said.sort()).toEqual(mounted.sort());
});

describe('the record', () => {
  // The code after `action:` itself, and the content of a table named there.
  const actions = new Set(
    sources.map(read).flatMap((code) =>
      [...code.matchAll(/\baction: ([^,}]*)/g)].flatMap(([, said = '']) => {
        const [, table] = /^([A-Z]+)\[/.exec(said) ?? [];
        const [, held] = new RegExp(`^const ${table} = {(.*?)^}`, 'ms').exec(code) ?? [];
        return [...(held ?? said).matchAll(/'([a-z-]+\.[a-z-]+)'/g)].map(([, action]) => action);
      }),
    ),
  );

  /** Routes that record nothing, and why. */
  const SILENT: Readonly<Record<string, string>> = {
    makeSignInSheet: 'its download is recorded, with how many names left',
    importTemplate: 'an empty table, the same for everybody',
    leaveHousehold: 'private to its members, like joining: nobody else is told',
    getLogo: 'a picture that everybody sees',
    cancelExport: 'an export that is not wanted any more: nothing leaves',
    previewImport: 'a trial that changes nothing',
    previewHoursImport: 'a trial that changes nothing',
    previewMailing: 'a trial that changes nothing',
  };

  test('is told in words: whatever is recorded stands in ACTIONS of the audit room', () => {
    expect([...actions].filter((action) => !Object.hasOwn(ACTIONS, action ?? ''))).toEqual([]);
    expect(Object.keys(ACTIONS).filter((action) => !actions.has(action))).toEqual([]);
  });

  test('is written by every route that changes something for administrators, deletes or exports', async () => {
    const routes = globSync('src/rooms/*/server/*routes.ts').flatMap((path) => mountsIn(path, read(path)));
    const endpoints = await allEndpoints();
    const silent = routes
      .filter(({ name, gate }) => leavesRecord(gate, endpoints.get(name)))
      .filter(({ name }) => !(name in SILENT))
      .filter(({ path, handler }) => !reaches(path, handler));
    expect(routes.length).toBeGreaterThan(40);
    expect(silent.map(({ path, name }) => `${path}: ${name}`)).toEqual([]);
  });

  test('is reported missing where a route does not reach it', () => {
    const path = 'src/rooms/schools/server/routes.ts';
    expect(reaches(path, 'addSchool(trx, deps, actor, body)')).toBe(true);
    expect(reaches(path, 'listForAdministrators(deps, query)')).toBe(false);
  });

  function leavesRecord(gate: string, found: Endpoint | undefined): boolean {
    if (found === undefined) return false;
    return (
      found.method === 'DELETE' || found.parts.file === true || (isAsked(gate) && found.method !== 'GET')
    );
  }

  const isAsked = (gate: string) => gate in CAPABILITIES;

  const RECORDING = ['record', 'recordAll'];

  /** Whether code of a file calls one of these, directly or through what it calls. */
  function reaches(path: string, code: string, seen = new Set<string>()): boolean {
    return [...code.matchAll(/\b(\w+)\(/g)].some(([, name = '']) => {
      if (RECORDING.includes(name)) return true;
      const found = functionNamed(path, name);
      if (found === undefined || seen.has(`${found.path} ${name}`)) return false;
      return reaches(found.path, found.body, seen.add(`${found.path} ${name}`));
    });
  }

  // In the file itself, or where the file imports it from.
  function functionNamed(path: string, name: string): { path: string; body: string } | undefined {
    const code = read(path);
    const [, body] =
      new RegExp(`^(?:export )?(?:async )?function\\*? ${name}\\b(.*?)^}`, 'ms').exec(code) ?? [];
    if (body !== undefined) return { path, body };
    const [, from] = new RegExp(`import {[^}]*\\b${name}\\b[^}]*} from '([^']+)'`).exec(code) ?? [];
    if (from?.startsWith('#rooms/') || from?.startsWith('#server/') || from?.startsWith('#app/')) {
      return functionNamed(from.replace('#', 'src/'), name);
    }
    return from?.startsWith('.') ? functionNamed(join(dirname(path), from), name) : undefined;
  }

  function mountsIn(path: string, code: string) {
    return [...code.matchAll(/^ {2}mount\((\w+), ([^,]*),(.*?)^$|^ {2}mount\((\w+), ([^,]*),(.*?)^}/gms)].map(
      ([, name, gate, handler, lastName, lastGate, lastHandler]) => ({
        path,
        name: name ?? lastName ?? '',
        gate: (gate ?? lastGate ?? '').replaceAll("'", ''),
        handler: handler ?? lastHandler ?? '',
      }),
    );
  }
});

describe('the text catalogue', () => {
  const keys = Object.entries(en).flatMap(([room, texts]) =>
    Object.keys(texts).map((key) => ({ room, key: key.replace(/_(zero|one|two|few|many|other)$/, '') })),
  );
  test('has no message that nothing uses', () => {
    const quotedIn = (code: string) => new Set(code.match(/(?<=')[\w:-]+(?=')/g));
    const quotedInRoom = new Map(
      [...new Set(keys.map(({ room }) => room))].map((room) => {
        const folders = [`src/rooms/${room}/`, `src/${room}/`, `src/app/${room}/`];
        const files = sources.filter((path) => folders.some((folder) => path.startsWith(folder)));
        return [room, quotedIn(files.map(read).join('\n'))];
      }),
    );
    const quoted = quotedIn(sources.map(read).join('\n'));
    // By its whole key, or by its short key within its room (a tag's key, a contract's `say`).
    const isUsed = ({ room, key }: (typeof keys)[number]) =>
      quoted.has(`${room}:${key}`) || quotedInRoom.get(room)?.has(key);
    expect(keys.length).toBeGreaterThan(1_000);
    expect(keys.filter((one) => !isUsed(one)).map(({ room, key }) => `${room}:${key}`)).toEqual([]);
  });

  test('knows every sentence of every contract', async () => {
    for (const path of [...globSync('src/rooms/*/*contract.ts'), 'src/base/messages.ts']) {
      const contract: Record<string, unknown> = await import(`../${path}`);
      const messages = contract['messages'] ?? contract['baseMessages'];
      for (const message of Object.values(messages ?? {})) {
        if (typeof message !== 'string') continue;
        const [room = '', key = ''] = readMessage(message)?.key.split(':') ?? [];
        expect(Object.keys(en[room as keyof typeof en])).toContain(key);
      }
    }
  });

  const BROWSER = [
    { name: 'sign-in', catalogues: [signIn], bringsMore: /\/(?:volunteer|staff)-texts\.ts'/ },
    { name: 'volunteer', catalogues: [signIn, volunteer], bringsMore: /\/staff-texts\.ts'/ },
    { name: 'staff', catalogues: [signIn, volunteer, staff], bringsMore: undefined },
  ];

  test.each(BROWSER)('of $name has what its screens say', ({ catalogues, bringsMore }) => {
    const known = new Set(catalogues.flatMap(namesIn));
    const isLeftOut = (path: string) => bringsMore?.test(read(path)) ?? false;
    const files = loadedFrom('src/app/web/main.tsx', isLeftOut);
    // The columns of a file are named by the server.
    const screens = files.filter((path) => !path.endsWith('-fields.ts'));
    const strangers = screens.flatMap((path) =>
      (read(path).match(/(?<=')[a-z-]+:[A-Za-z0-9]+(?=')/g) ?? [])
        .filter((name) => all.has(name) && !known.has(name))
        .map((name) => `${path} says ${name}`),
    );
    expect(strangers).toEqual([]);
    expect(files).toContain('src/app/web/views/login.tsx');
  });

  const namesIn = (texts: object) =>
    Object.entries(texts).flatMap(([room, words]) =>
      Object.keys(words).map((key) => `${room}:${key.replace(/_(zero|one|two|few|many|other)$/, '')}`),
    );
  const all = new Set(namesIn(en));

  test('is English without a stray placeholder', () => {
    const texts = Object.values(en).flatMap((room) => Object.values(room));
    for (const text of texts)
      expect(text.replaceAll(/\{\{[a-zA-Z]+(, number)?\}\}/g, '')).not.toMatch(/[{}]/);
  });

  /** The files that this one imports, then or later, without those left out and what only they import. */
  function loadedFrom(
    path: string,
    isLeftOut: (path: string) => boolean,
    found = new Set<string>(),
  ): string[] {
    if (found.has(path) || !existsSync(path) || isLeftOut(path)) return [...found];
    found.add(path);
    const code = read(path).replaceAll(/^(?:import|export) type [^;]*;/gm, '');
    for (const [, named = ''] of code.matchAll(/(?:from|import)[ (]+'([#.][^']+)'/g)) {
      const file = named.startsWith('#') ? join('src', named.slice(1)) : join(dirname(path), named);
      loadedFrom(file, isLeftOut, found);
    }
    return [...found];
  }
});

/**
 * The functions of a file that are too long and do not say why. Functions within one that says why are not checked.
 */
function tooLong(path: string, code: string = read(path)): string[] {
  const most = path.endsWith('.tsx') ? 120 : 40;
  const file = ts.createSourceFile(path, code, ts.ScriptTarget.Latest, true);
  const lineAt = (place: number) => file.getLineAndCharacterOfPosition(place).line;
  const found: string[] = [];
  const look = (node: ts.Node): void => {
    const above = code.slice(node.getFullStart(), node.getStart());
    if (above.includes('Long because')) return;
    if (ts.isFunctionLike(node) && 'body' in node && node.body !== undefined) {
      const lines = lineAt(node.end) - lineAt(node.getStart()) + 1;
      const name = (ts.isVariableDeclaration(node.parent) ? node.parent : node).name?.getText();
      if (name !== undefined && STILL_LONG.includes(name)) return;
      if (lines > most) found.push(`${path}: ${name ?? 'without a name'} (${lines} lines)`);
    }
    ts.forEachChild(node, look);
  };
  look(file);
  return found;
}
