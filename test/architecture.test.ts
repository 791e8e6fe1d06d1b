import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import ts from 'typescript';
import { describe, expect, test } from 'vitest';
import { ACTIONS, DESCRIBED_BY_KIND } from '#features/audit/contract.ts';
import { REVIEWED } from '#features/operations/accessibility/contract.ts';
import { VERSION } from '#server/version.ts';
import { day, formatDayInFull } from '#shared/calendar-date.ts';
import type { Endpoint } from '#shared/endpoint.ts';
import { en } from '#shared/i18n/english-messages.ts';
import { readMessage } from '#shared/i18n/message.ts';
import { signIn } from '#shared/i18n/sign-in-messages.ts';
import { staff } from '#shared/i18n/staff-messages.ts';
import { volunteer } from '#shared/i18n/volunteer-messages.ts';
import { CAPABILITIES } from '#shared/permissions.ts';
import { SOURCES } from '../scripts/browser-build.mjs';
import { allEndpoints, callOf } from './all-endpoints.ts';
import { startApp } from './harness.ts';
import { PERMISSIONS } from './http/permissions/permission-table.ts';

const sources = globSync('src/**/*.{ts,tsx}').filter((path) => !path.includes('.test.'));
const read = (path: string) => readFileSync(path, 'utf8');

const isServer = (path: string) => !path.includes('/web/');

/** Folders whose code uses messages of a namespace by their short keys, besides the folder of that name. */
const SHORT_KEYS_ELSEWHERE: Readonly<Record<string, string>> = {
  shared: 'src/server',
  users: 'src/features/',
  verification: 'src/features/notifications/',
  operations: 'src/features/schools/',
  'district-settings': 'src/features/schools/',
  retention: 'src/features/schools/',
  'two-factor': 'src/features/schools/',
  'time-entries': 'src/features/schools/',
};

/** The owner of each table. Any store may read any table, but only the owner's may write it. */
const OWNERS: Readonly<Record<string, string>> = {
  schools: 'src/features/schools/',
  users: 'src/features/users/',
  user_schools: 'src/features/users/',
  user_grants: 'src/features/users/',
  invite_grants: 'src/features/users/',
  sessions: 'src/features/auth/',
  password_links: 'src/features/auth/',
  email_confirmations: 'src/features/users/',
  invites: 'src/features/users/',
  invite_schools: 'src/features/users/',
  deletion_requests: 'src/features/privacy/',
  user_imports: 'src/features/imports/',
  user_import_users: 'src/features/imports/',
  user_import_memberships: 'src/features/imports/',
  emails: 'src/server/email/',
  categories: 'src/features/activities/',
  activities: 'src/features/activities/',
  activity_batches: 'src/features/activities/',
  activity_suggestions: 'src/features/activities/',
  suggestion_email_preferences: 'src/features/activities/',
  time_entries: 'src/features/time-entries/',
  exports: 'src/features/time-entries/',
  time_entry_imports: 'src/features/imports/',
  time_entry_import_chunks: 'src/features/imports/',
  time_entry_import_entries: 'src/features/imports/',
  service_letter_files: 'src/features/reports/',
  service_letters: 'src/features/reports/',
  service_letter_names: 'src/features/reports/',
  verification_batches: 'src/features/verification/',
  verification_batch_entries: 'src/features/verification/',
  external_verifier_requests: 'src/features/verification/',
  external_verifier_request_entries: 'src/features/verification/',
  external_verifier_unsubscribes: 'src/server/email/',
  photos: 'src/features/photos/',
  orphaned_photo_files: 'src/features/photos/',
  district_settings: 'src/features/schools/',
  audit_events: 'src/server/audit-log.ts',
  school_logos: 'src/features/schools/',
  idempotency_keys: 'src/server/',
  rate_limits: 'src/server/',
  known_devices: 'src/features/auth/',
  provider_links: 'src/features/auth/',
  provider_redirects: 'src/features/auth/',
  provider_logouts: 'src/features/auth/',
  sign_in_links: 'src/features/auth/',
  totp_secrets: 'src/features/auth/',
  totp_offers: 'src/features/auth/',
  passkeys: 'src/features/auth/',
  used_challenges: 'src/features/auth/',
  recovery_codes: 'src/features/auth/',
  sign_in_challenges: 'src/features/auth/',
  two_factor_grace_periods: 'src/features/auth/',
  system_warnings: 'src/server/',
  daily_jobs: 'src/server/jobs/daily-jobs.ts',
  past_addresses: 'src/features/users/',
  backup_email_preferences: 'src/features/operations/',
  verifier_email_preferences: 'src/features/verification/',
  hour_goals: 'src/features/time-entries/',
  milestone_thanks: 'src/features/time-entries/',
  household_members: 'src/features/users/',
  reminder_preferences: 'src/features/notifications/',
  announcements: 'src/features/notifications/',
  announcement_recipients: 'src/features/notifications/',
  announcement_unsubscribes: 'src/features/notifications/',
  failed_requests: 'src/server/http/',
  legal_holds: 'src/features/privacy/',
  server_state: 'src/server/db/server-state.ts',
  account_merges: 'src/features/users/',
  account_merge_rows: 'src/server/personal-data/merged-rows-store.ts',
  not_duplicates: 'src/features/users/',
  drive_connection: 'src/features/photos/',
  drive_attempts: 'src/features/photos/',
  drive_root: 'src/features/photos/',
  drive_folders: 'src/features/photos/',
  drive_files: 'src/features/photos/',
  drive_syncs: 'src/features/photos/',
  drive_sync_activities: 'src/features/photos/',
  drive_sync_photos: 'src/features/photos/',
};

/**
 * Stores that write other features' tables: to delete rows in the trash together with what they refer to, and to reopen decisions
 * made from an address that the volunteer gets. Features import in one direction only, so `users` reopens them through
 * `src/server`.
 */
const WRITES_OF_OTHERS: readonly { path: string; table: string }[] = [
  { path: 'src/features/schools/server/store.ts', table: 'activity_suggestions' },
  { path: 'src/features/activities/server/store.ts', table: 'time_entries' },
  { path: 'src/features/activities/server/store.ts', table: 'photos' },
  { path: 'src/features/users/server/admin-users-store.ts', table: 'time_entries' },
  { path: 'src/server/entry-decisions-store.ts', table: 'time_entries' },
  // Counts of wrong passwords, and the first administrator, are columns of the account.
  { path: 'src/features/auth/server/credentials-store.ts', table: 'users' },
  { path: 'src/features/users/server/admin-users-store.ts', table: 'photos' },
  { path: 'src/features/users/server/admin-users-store.ts', table: 'activity_suggestions' },
];

/** Files with SQL besides the features' stores: tables of `src/server`, each in the file that owns it. */
const SERVER_FILES_WITH_SQL = [
  /^src\/server\/db\//,
  /^src\/server\/audit-log\.ts$/,
  /^src\/server\/jobs\/daily-jobs\.ts$/,
  /^src\/server\/http\/(idempotency|rate-limit)\.ts$/,
  /^src\/server\/email\/outbox\.ts$/,
];

describe('the list of security requirements', () => {
  const list = read('docs/dev/security-asvs.md');
  const rows = [...list.matchAll(/^\| (\d+\.\d+\.\d+) \| [12] \| ([^|]+) \| ([^|]+) \|$/gm)];

  test('lists 253 different requirements of levels 1 and 2, each with a question and evidence', () => {
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

describe('the accessibility report', () => {
  const report = read('docs/accessibility.md');
  const rows = [...report.matchAll(/^\| (\d\.\d\.\d+) [^|]+ \| ([^|]+) \| ([^|]+) \|$/gm)];

  test('rates every criterion of WCAG 2.2, levels A and AA, once', () => {
    expect(rows.map(([, number]) => number).toSorted()).toEqual(CRITERIA.toSorted());
    const terms = ['Supports', 'Partially supports', 'Does not support', 'Not applicable'];
    expect(rows.filter(([, , term = '']) => !terms.includes(term)).map(([row]) => row)).toEqual([]);
  });

  test('has the date and version that the product shows', () => {
    expect(report).toContain(`| Date | ${formatDayInFull(day(REVIEWED.on), 'en')} |`);
    expect(report).toContain(`version ${VERSION}:`);
  });
});

test('every stream, thread, process and mail connection has an error listener', () => {
  const creations =
    /(\w+\(\s*)?(?:new Worker|new Readable|(?:cluster\.)?fork|spawn|\w+\.createReadStream|createTransport)\(/g;
  const found = sources
    .filter(isServer)
    .flatMap((path) => [...read(path).matchAll(creations)].map((one) => ({ path, one })));
  expect(found.length).toBeGreaterThan(4);
  const alone = found.filter(({ one }) => !one[1]?.startsWith('withErrorListener('));
  expect(alone.map(({ path, one }) => `${path}: ${one[0]}`)).toEqual([]);
});

test('only one file starts sessions for sign-in, and one for registration', () => {
  const opens = sources.filter(isServer).filter((path) => /\bstartSession\(trx/.test(read(path)));
  // The hook is for registering, where the account is new.
  expect(opens.toSorted()).toEqual([
    'src/features/auth/server/users-hooks.ts',
    'src/features/auth/sessions/server/new-session.ts',
  ]);
  const registers = sources.filter((path) => /\bstartFirstSession\(trx/.test(read(path)));
  expect(registers).toEqual(['src/features/users/registration/server/actions.ts']);
});

/** Stores that compute the names of the tables they write, and what they write. */
const WRITES_BY_NAME: Readonly<Record<string, string>> = {
  'src/server/personal-data/expired-rows-store.ts': 'deletes expired rows for the owner of a table',
  'src/server/personal-data/merged-rows-store.ts':
    'moves the rows of merged accounts, in the columns that users/merging names',
  'src/features/time-entries/rollups/server/rollups-store.ts': 'rebuilds the totals of entries',
};

const BUILDER = /\b(?:selectFrom|insertInto|updateTable|deleteFrom|replaceInto|mergeInto)\(/;
const SQL_TEXT = /\bsql(?:<(?:[^`<>]|<[^<>]*>)*>)?`|\bsql\.(?:raw|table|ref|join|lit|id|val)\(/;

/** Whether code queries the database, with the query builder or in SQL. */
function containsSql(code: string): boolean {
  return BUILDER.test(code) || SQL_TEXT.test(code);
}

/** Returns the tables that code writes, with the query builder or in SQL; '?' if the name is computed. */
function tablesWritten(code: string): string[] {
  const built = code.matchAll(
    /\b(?:insertInto|updateTable|deleteFrom|replaceInto|mergeInto)\(\s*(?:'([a-z_]+)(?: as \w+)?'|[^'\s])/g,
  );
  const inSql = code.matchAll(
    /\b(?:insert\s+(?:or\s+\w+\s+)?into|delete\s+from|update(?=\s+(?:only\s+)?(?:"?[a-z_]+"?|\$\{[^}]*\})\s+(?:as\s+\w+\s+)?set\b))\s+(?:only\s+)?(?:"?([a-z_]+)"?|\$\{)/gi,
  );
  return [...built, ...inSql].map(([, table]) => table ?? '?');
}

// Without comments, which may mention SQL.
const codeOf = (path: string) => read(path).replaceAll(/\/\*.*?\*\/|^\s*\/\/[^\n]*$/gms, '');

describe('SQL', () => {
  const server = sources.filter((path) => !path.includes('/web/'));
  // Migrations create all tables, and restoring a backup fills them.
  const dataModel = ['src/server/db/migrations/', 'src/server/db/dump/'];
  const writes = server
    .filter((path) => !dataModel.some((folder) => path.startsWith(folder)))
    .flatMap((path) => tablesWritten(codeOf(path)).map((table) => ({ path, table })));

  test('is detected in query builder calls and in SQL text', () => {
    const samples = [
      "db.selectFrom('users')",
      "trx\n  .deleteFrom('users')",
      'trx.insertInto(table)',
      'sql`delete from users`',
      'sql<{ id: number }>`select id from users`',
      'sql<Row<"users">>`select 1`',
      "sql.raw('update users set role = 1')",
    ];
    expect(samples.filter((code) => !containsSql(code))).toEqual([]);
    const others = [
      'insertUser(trx, user)',
      "rows.update('x')",
      "'mysql` is a word'",
      'const sqlite = `file`',
    ];
    expect(others.filter(containsSql)).toEqual([]);
  });

  test('is detected with the tables it writes', () => {
    const samples: Readonly<Record<string, string[]>> = {
      "trx.insertInto('emails').values({})": ['emails'],
      "trx\n  .updateTable(\n    'users as u')": ['users'],
      "trx.deleteFrom('a'); trx.deleteFrom('b')": ['a', 'b'],
      'trx.deleteFrom(table)': ['?'],
      'sql`insert into audit_events (at) values (1)`': ['audit_events'],
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

  test('appears only in stores, and in the infrastructure files that own a table', () => {
    const others = server
      .filter((path) => !/store\.ts$/.test(path) && !SERVER_FILES_WITH_SQL.some((place) => place.test(path)))
      .filter((path) => containsSql(codeOf(path)));
    expect(others).toEqual([]);
    expect(server.filter((path) => containsSql(codeOf(path))).length).toBeGreaterThan(30);
  });

  test('contains more than 80 writes for the tests below to check', () => {
    expect(writes.length).toBeGreaterThan(80);
  });

  test.each(Object.entries(OWNERS))('writes %s only in %s or in declared exceptions', (table, owner) => {
    const others = writes
      .filter((write) => write.table === table && !write.path.startsWith(owner))
      .filter(
        (write) => !WRITES_OF_OTHERS.some((known) => known.path === write.path && known.table === table),
      );
    expect(others).toEqual([]);
  });

  test('writes only tables that have an owner', () => {
    const unowned = writes.filter(({ table }) => table !== '?' && !(table in OWNERS));
    expect(unowned).toEqual([]);
    expect([...new Set(writes.filter(({ table }) => table === '?').map(({ path }) => path))]).toEqual(
      Object.keys(WRITES_BY_NAME),
    );
  });

  test("uses every declared exception for writing another feature's table", () => {
    const unused = WRITES_OF_OTHERS.filter(
      ({ path, table }) => !writes.some((write) => write.path === path && write.table === table),
    );
    expect(unused).toEqual([]);
  });
});

/**
 * The engine test of each file with raw SQL, run by the gate on both engines: a query that works on SQLite may fail, sort or
 * round differently on PostgreSQL.
 */
const ENGINE_TESTS: Readonly<Record<string, string>> = {
  'src/features/activities/server/store.ts': 'src/features/activities/bulk/server/actions.engines.test.ts',
  'src/features/reports/analytics/server/store.ts':
    'src/features/reports/analytics/server/verified-hours.engines.test.ts',
  'src/features/audit/server/store.ts': 'src/features/privacy/server/data-export.engines.test.ts',
  'src/features/schools/district-settings/server/settings-store.ts':
    'src/features/schools/district-settings/server/manifest-routes.engines.test.ts',
  'src/features/photos/google-drive/server/file-store.ts':
    'src/features/photos/google-drive/server/stores.engines.test.ts',
  'src/features/photos/google-drive/server/privacy-store.ts':
    'src/features/privacy/server/data-export.engines.test.ts',
  'src/features/photos/google-drive/server/sync-store.ts':
    'src/features/photos/google-drive/server/stores.engines.test.ts',
  'src/features/photos/google-drive/server/sync-queue-store.ts':
    'src/features/photos/google-drive/server/stores.engines.test.ts',
  'src/features/time-entries/goals/server/store.ts':
    'src/features/time-entries/goals/server/milestones.engines.test.ts',
  'src/features/reports/service-letters/server/store.ts':
    'src/features/reports/service-letters/server/service-letters.engines.test.ts',
  'src/features/users/merging/server/store.ts': 'src/features/users/merging/server/merge.engines.test.ts',
  'src/features/privacy/server/store.ts': 'src/features/privacy/server/account-deletion.engines.test.ts',
  'src/features/photos/server/moderation-store.ts': 'src/features/photos/server/moderation.engines.test.ts',
  'src/features/photos/server/store.ts': 'src/features/photos/server/routes.engines.test.ts',
  'src/features/notifications/reminders/server/preference-store.ts':
    'src/features/notifications/reminders/server/reminders.engines.test.ts',
  'src/features/auth/server/credentials-store.ts':
    'src/features/auth/two-factor/server/concurrency.engines.test.ts',
  'src/features/auth/two-factor/server/store.ts':
    'src/features/auth/two-factor/server/concurrency.engines.test.ts',
  'src/features/activities/suggestions/server/store.ts':
    'src/features/activities/suggestions/server/routes.engines.test.ts',
  'src/features/operations/server/store.ts': 'src/features/operations/server/routes.engines.test.ts',
  'src/features/time-entries/server/privacy-store.ts':
    'src/features/privacy/retention/server/cleanup.engines.test.ts',
  'src/features/time-entries/server/verification-decisions-store.ts':
    'src/features/verification/server/actions.engines.test.ts',
  'src/features/time-entries/export/server/volunteer-totals-store.ts':
    'src/features/time-entries/export/server/volunteer-totals-store.engines.test.ts',
  'src/features/time-entries/server/entry-flags-store.ts':
    'src/features/time-entries/server/entry-flags.engines.test.ts',
  'src/features/time-entries/admin-list/server/filter-store.ts':
    'src/features/time-entries/admin-list/server/list-store.engines.test.ts',
  'src/features/time-entries/server/recent-entries-store.ts':
    'src/features/time-entries/server/routes.engines.test.ts',
  'src/features/time-entries/admin-list/server/sorted-segments-store.ts':
    'src/features/time-entries/admin-list/server/list-store.engines.test.ts',
  'src/features/time-entries/admin-list/server/totals-store.ts':
    'src/features/time-entries/admin-list/server/status-filter.engines.test.ts',
  'src/features/time-entries/rollups/server/rollups-store.ts':
    'src/features/time-entries/rollups/server/rollups.engines.test.ts',
  'src/features/time-entries/server/store.ts': 'src/features/time-entries/server/routes.engines.test.ts',
  'src/features/imports/hours/server/store.ts': 'src/features/imports/hours/server/actions.engines.test.ts',
  'src/features/imports/people/server/store.ts': 'src/features/imports/people/server/actions.engines.test.ts',
  'src/features/users/server/admin-users-store.ts': 'src/features/users/server/admin-users.engines.test.ts',
  'src/features/users/roles/server/store.ts': 'src/features/users/roles/server/actions.engines.test.ts',
  'src/features/users/invitations/server/store.ts':
    'src/features/users/registration/server/actions.engines.test.ts',
  'src/features/users/memberships/server/store.ts': 'src/features/users/server/bulk-actions.engines.test.ts',
  'src/features/users/server/email-change-store.ts':
    'src/features/verification/external-verifiers/server/routes.engines.test.ts',
  'src/features/auth/sessions/server/store.ts':
    'src/features/auth/sessions/server/revocation.engines.test.ts',
  'src/features/users/server/store.ts': 'src/features/users/server/admin-users.engines.test.ts',
  'src/features/verification/external-verifiers/server/store.ts':
    'src/features/verification/external-verifiers/server/routes.engines.test.ts',
  'src/features/verification/weekly-reminder/server/store.ts':
    'src/features/verification/weekly-reminder/server/emails.engines.test.ts',
  'src/server/personal-data/expired-rows-store.ts':
    'src/features/privacy/retention/server/cleanup.engines.test.ts',
  'src/server/audit-log.ts': 'src/features/audit/server/routes.engines.test.ts',
  'src/server/http/rate-limit.ts': 'src/server/http/rate-limit.engines.test.ts',
  'src/server/personal-data/legal-hold-store.ts':
    'src/features/privacy/legal-holds/server/actions.engines.test.ts',
  'src/server/personal-data/merged-rows-store.ts': 'src/features/users/merging/server/merge.engines.test.ts',
};

/** Parts of queries, and code for each engine; covered by every engine test above. */
const ENGINE_CODE = 'src/server/db/';

describe('npm test', () => {
  test('has an engine test for every file with raw SQL', () => {
    const withSql = sources
      .filter((path) => isServer(path) && !path.startsWith(ENGINE_CODE))
      .filter((path) => SQL_TEXT.test(codeOf(path)));
    expect(Object.keys(ENGINE_TESTS).sort()).toEqual(withSql.sort());
    expect(Object.values(ENGINE_TESTS).filter((path) => !existsSync(path))).toEqual([]);
    expect(Object.values(ENGINE_TESTS).filter((path) => !path.endsWith('.engines.test.ts'))).toEqual([]);
  });

  test('recognizes every test that opens a database by its file name', () => {
    const tests = globSync('src/**/*.test.ts');
    const opensDatabase = (path: string) => /from '#test\/(harness|builders)\.ts'/.test(read(path));
    const hasEnding = (path: string) => /\.(http|engines|full)\.test\.ts$/.test(path);
    expect(tests.filter((path) => opensDatabase(path) && !hasEnding(path))).toEqual([]);
  });
});

/** Longer than that, in rooms that are still being divided. */
const STILL_LONG = ['planImport', 'rollups'];

describe('a function', () => {
  test('has at most 40 lines, a component 120, unless a comment gives the reason', () => {
    expect(sources.filter((path) => !path.includes('/migrations/')).flatMap((path) => tooLong(path))).toEqual(
      [],
    );
  }, 60_000);

  test('is reported if it is longer and has no such comment', () => {
    const body = '  go();\n'.repeat(39);
    const long = `export function walk() {\n${body}}\n`;
    expect(tooLong('walk.ts', long)).toEqual(['walk.ts: walk (41 lines)']);
    expect(tooLong('walk.ts', `// Long because the walk is long.\n${long}`)).toEqual([]);
    expect(tooLong('walk.tsx', long)).toEqual([]);
  });
});

// Missing in Chrome 111, Firefox 128 or Safari 16.4, which README.md names as the oldest supported browsers. The build
// converts syntax only.
const NEWER_BUILT_INS =
  /\b(Map|Object)\.groupBy\(|\bURL\.(canParse|parse)\(|\bPromise\.(withResolvers|try)\b|\bAbortSignal\.any\(|\bArray\.fromAsync\(|\bRegExp\.escape\(|\bIterator\.from\(|\.(isSubsetOf|isSupersetOf|isDisjointFrom|symmetricDifference)\(|\.(values|keys|entries)\(\)\s*\.(map|filter|toArray|some|every|find|flatMap|reduce|take|drop)\(/;

test('browser code uses no built-in function that the oldest supported browsers lack', () => {
  const used = sources.filter((path) => !path.includes('/server/') && NEWER_BUILT_INS.test(read(path)));
  expect(used).toEqual([]);
});

test('a change to any browser source file repeats the browser build', () => {
  const web = sources.filter((path) => path.includes('/web/'));
  expect(web.filter((path) => !SOURCES.some((folder) => path.startsWith(`${folder}/`)))).toEqual([]);
});

test('the server serves every endpoint of every contract', async () => {
  const app = await startApp();
  const endpoints = [...(await allEndpoints()).values()];
  expect(endpoints.length).toBeGreaterThan(20);
  for (const { method, path } of endpoints) {
    expect([path, app.app.hasRoute({ method, url: `/api${path}` })]).toEqual([path, true]);
  }
});

test('every endpoint has a line in the permission table, and its gate requires what the line states', async () => {
  const gates = new Map(
    globSync('src/features/**/server/*routes.ts').flatMap((path) =>
      [
        ...read(path).matchAll(
          /\bmount\(\s*(?:contract\.)?(\w+?)(?:Call)?,\s+(?:'([^']+)'|memberOr\('([^']+)')/g,
        ),
      ].map(([, name = '', gate, capability]) => [name, gate ?? `member or ${capability}`]),
    ),
  );
  const endpoints = await allEndpoints();
  const mounted = [...endpoints].map(([name, found]) => [callOf(found), gates.get(name)]);
  const listed = Object.entries(PERMISSIONS).map(([call, { gate }]) => [call, gate]);
  expect(listed.length).toBeGreaterThan(100);
  expect(listed.sort()).toEqual(mounted.sort());
});

describe('the audit log', () => {
  // From the code after `action:`, and from the content of a table named there.
  const actions = new Set(
    sources.map(read).flatMap((code) =>
      [...code.matchAll(/\baction: ([^,}]*)/g)].flatMap(([, value = '']) => {
        const [, table] = /^([A-Z]+)\[/.exec(value) ?? [];
        const [, content] = new RegExp(`^const ${table} = {(.*?)^}`, 'ms').exec(code) ?? [];
        return [...(content ?? value).matchAll(/'([a-z-]+\.[a-z-]+)'/g)].map(([, action]) => action);
      }),
    ),
  );

  /** Routes without an audit event, and why. */
  const UNAUDITED: Readonly<Record<string, string>> = {
    makeSignInSheet: 'its download is audited, with the number of names',
    importTemplate: 'an empty table, the same for everyone',
    leaveHousehold: 'private to its members, like joining',
    getLogo: 'an image that everyone sees',
    cancelExport: 'no data leaves the server',
    previewImport: 'changes nothing',
    previewHoursImport: 'changes nothing',
    previewAnnouncement: 'changes nothing',
  };

  test('lists exactly the actions that the code records', () => {
    expect([...actions].filter((action) => !Object.hasOwn(ACTIONS, action ?? ''))).toEqual([]);
    expect(Object.keys(ACTIONS).filter((action) => !actions.has(action))).toEqual([]);
  });

  test('records every deletion, file download and administrative change, except listed routes', async () => {
    const routes = globSync('src/features/**/server/*routes.ts').flatMap((path) =>
      mountsIn(path, read(path)),
    );
    const endpoints = await allEndpoints();
    const unaudited = routes
      .filter(({ name, gate }) => mustBeAudited(gate, endpoints.get(name)))
      .filter(({ name }) => !(name in UNAUDITED))
      .filter(({ path, handler }) => !reaches(path, handler));
    expect(routes.length).toBeGreaterThan(40);
    expect(unaudited.map(({ path, name }) => `${path}: ${name}`)).toEqual([]);
  });

  test('detects a route that does not write to it', () => {
    const path = 'src/features/schools/server/routes.ts';
    expect(reaches(path, 'addSchool(trx, deps, actor, body)')).toBe(true);
    expect(reaches(path, 'listForAdministrators(deps, query)')).toBe(false);
  });

  function mustBeAudited(gate: string, found: Endpoint | undefined): boolean {
    if (found === undefined) return false;
    return (
      found.method === 'DELETE' || found.parts.file === true || (isCapability(gate) && found.method !== 'GET')
    );
  }

  const isCapability = (gate: string) => gate in CAPABILITIES;

  const AUDITING = ['recordEvent', 'recordEvents'];

  /** Whether code in a file calls one of these, directly or indirectly. */
  function reaches(path: string, code: string, seen = new Set<string>()): boolean {
    return [...code.matchAll(/\b(\w+)\(/g)].some(([, name = '']) => {
      if (AUDITING.includes(name)) return true;
      const found = functionNamed(path, name);
      if (found === undefined || seen.has(`${found.path} ${name}`)) return false;
      return reaches(found.path, found.body, seen.add(`${found.path} ${name}`));
    });
  }

  // From the file itself, or the file it imports the function from.
  function functionNamed(path: string, name: string): { path: string; body: string } | undefined {
    const code = read(path);
    const [, body] =
      new RegExp(`^(?:export )?(?:async )?function\\*? ${name}\\b(.*?)^}`, 'ms').exec(code) ?? [];
    if (body !== undefined) return { path, body };
    const [, from] = new RegExp(`import {[^}]*\\b${name}\\b[^}]*} from '([^']+)'`).exec(code) ?? [];
    if (from?.startsWith('#features/') || from?.startsWith('#server/') || from?.startsWith('#app/')) {
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

describe('the message catalog', () => {
  const keys = Object.entries(en).flatMap(([namespace, texts]) =>
    Object.keys(texts).map((key) => ({ namespace, key: key.replace(/_(zero|one|two|few|many|other)$/, '') })),
  );
  test('has no unused message', () => {
    const quotedIn = (code: string) => new Set(code.match(/(?<=['"])[\w:-]+(?=['"])/g));
    const quotedInNamespace = new Map(
      [...new Set(keys.map(({ namespace }) => namespace))].map((namespace) => {
        const folders = [...new Set(sources.map(dirname))]
          .filter(
            (folder) =>
              folder.split('/').includes(namespace) ||
              folder.startsWith(SHORT_KEYS_ELSEWHERE[namespace] ?? ' '),
          )
          .map((folder) => `${folder}/`);
        const files = sources.filter((path) => folders.some((folder) => path.startsWith(folder)));
        return [namespace, quotedIn(files.map(read).join('\n'))];
      }),
    );
    const quoted = quotedIn(sources.map(read).join('\n'));
    const page = read('index.html');
    // The audit log derives the message of an action from its name (event-description.ts).
    const derived = new Set(
      Object.keys(ACTIONS)
        .filter((action) => !DESCRIBED_BY_KIND.some((one) => one === action))
        .map((action) => `audit:${action.replace(/[.-](\w)/g, (_, letter) => letter.toUpperCase())}`),
    );
    // By its whole key, by its short key in its namespace's folders, or in the page itself.
    const isUsed = ({ namespace, key }: (typeof keys)[number]) =>
      quoted.has(`${namespace}:${key}`) ||
      derived.has(`${namespace}:${key}`) ||
      quotedInNamespace.get(namespace)?.has(key) ||
      page.includes(`{{${key}}}`);
    expect(keys.length).toBeGreaterThan(1_000);
    expect(keys.filter((one) => !isUsed(one)).map(({ namespace, key }) => `${namespace}:${key}`)).toEqual([]);
  });

  test('has every message of every contract', async () => {
    for (const path of [...globSync('src/features/**/*contract.ts'), 'src/shared/common-messages.ts']) {
      const contract: Record<string, unknown> = await import(`../${path}`);
      const messages = contract['messages'] ?? contract['commonMessages'];
      for (const message of Object.values(messages ?? {})) {
        if (typeof message !== 'string') continue;
        const [namespace = '', key = ''] = readMessage(message)?.key.split(':') ?? [];
        expect(Object.keys(en[namespace as keyof typeof en])).toContain(key);
      }
    }
  });

  const BROWSER = [
    { name: 'sign-in', catalogs: [signIn], loadsMore: /\/(?:volunteer|staff)-messages\.ts'/ },
    { name: 'volunteer', catalogs: [signIn, volunteer], loadsMore: /\/staff-messages\.ts'/ },
    { name: 'staff', catalogs: [signIn, volunteer, staff], loadsMore: undefined },
  ];

  test.each(BROWSER)('for $name has every message that its screens use', ({ catalogs, loadsMore }) => {
    const known = new Set(catalogs.flatMap(namesIn));
    const isLeftOut = (path: string) => loadsMore?.test(read(path)) ?? false;
    const files = loadedFrom('src/app/web/main.tsx', isLeftOut);
    // The server names the columns of a file.
    const screens = files.filter((path) => !path.endsWith('-fields.ts'));
    const missing = screens.flatMap((path) =>
      (read(path).match(/(?<=')[a-z-]+:[A-Za-z0-9]+(?=')/g) ?? [])
        .filter((name) => all.has(name) && !known.has(name))
        .map((name) => `${path} uses ${name}`),
    );
    expect(missing).toEqual([]);
    expect(files).toContain('src/app/web/login.tsx');
  });

  const namesIn = (texts: object) =>
    Object.entries(texts).flatMap(([namespace, messages]) =>
      Object.keys(messages).map(
        (key) => `${namespace}:${key.replace(/_(zero|one|two|few|many|other)$/, '')}`,
      ),
    );
  const all = new Set(namesIn(en));

  test('has no broken placeholder in English', () => {
    const texts = Object.values(en).flatMap((messages) => Object.values(messages));
    for (const text of texts)
      expect(text.replaceAll(/\{\{[a-zA-Z]+(, number)?\}\}/g, '')).not.toMatch(/[{}]/);
  });

  /** Returns the files that a file imports, directly or indirectly, statically or lazily, except those left out. */
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
 * Returns a file's functions that are too long without a reason. Functions inside one with a reason are not checked.
 */
function tooLong(path: string, code: string = read(path)): string[] {
  const limit = path.endsWith('.tsx') ? 120 : 40;
  const file = ts.createSourceFile(path, code, ts.ScriptTarget.Latest, true);
  const lineAt = (place: number) => file.getLineAndCharacterOfPosition(place).line;
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    const above = code.slice(node.getFullStart(), node.getStart());
    if (above.includes('Long because')) return;
    if (ts.isFunctionLike(node) && 'body' in node && node.body !== undefined) {
      const lines = lineAt(node.end) - lineAt(node.getStart()) + 1;
      const name = (ts.isVariableDeclaration(node.parent) ? node.parent : node).name?.getText();
      if (name !== undefined && STILL_LONG.includes(name)) return;
      if (lines > limit) found.push(`${path}: ${name ?? 'unnamed'} (${lines} lines)`);
    }
    ts.forEachChild(node, visit);
  };
  visit(file);
  return found;
}
