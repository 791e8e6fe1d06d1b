/**
 * The baseline: one bare process that replies to the calls marked `onBaseline`. It checks no rules, has no audit log and sends
 * no messages, so it shows what those cost. It is not a design.
 */
import { hash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { createServer, type ServerResponse } from 'node:http';
import { join } from 'node:path';
import BetterSqlite from 'better-sqlite3';
import { ENTRY_FIELDS } from '#features/time-entries/time-entry-fields.ts';
import { columnNames, type Field, newRecordValues, toColumns, type ValuesOf } from '#shared/entity-fields.ts';

/** A row as its values, in the order of the columns. */
// biome-ignore lint/suspicious/noExplicitAny: rows of every shape
type Row = readonly any[];
// biome-ignore lint/suspicious/noExplicitAny: bodies of every shape
type Body = any;
type Values = Readonly<Record<string, unknown>>;
type Query = Readonly<Record<string, string>>;
type Viewer = Readonly<{ id: number; role: string }>;

const BEARER = 'Bearer '.length;
const { DATA_DIR: dataDir = '.', PORT: port = '0' } = process.env;

const COLUMNS = columnNames(ENTRY_FIELDS);
/** The columns of an entry in a reply, and the tables they come from. */
const ENTRY = `e.id, e.entry_date, e.user_id, e.school_id, e.hours_hundredths, e.notes, e.created_at, e.version,
  s.name, u.first_name, u.last_name, a.id, a.name, a.is_active, a.active_from, a.requires_description,
  a.description_prompt, c.id, c.name, c.color, c.kind`;
const NAMES = `cross join activities a on a.id = e.activity_id cross join categories c on c.id = a.category_id
  cross join schools s on s.id = e.school_id cross join users u on u.id = e.user_id`;

/**
 * Tables copied from the product's, with only the columns that the queries need: no checks, no keys, and an index for each
 * query.
 */
const TABLES = [
  'create table sessions (token_hash text primary key, user_id, role) without rowid',
  'insert into sessions select token_hash, user_id, role from ours.sessions join ours.users on users.id = user_id',
  ...table('schools', 'name'),
  ...table('users', 'first_name, last_name'),
  ...table('categories', 'name, color, kind'),
  ...table(
    'activities',
    'school_id, category_id, name, is_active, active_from, requires_description, description_prompt',
  ),
  ...table('time_entries', `${COLUMNS}, created_at, version`, 'deleted_at is null'),
  'create index entries_user on time_entries (user_id, school_id, entry_date, id)',
  'create index entries_school on time_entries (school_id, entry_date, id)',
  'create index entries_hours on time_entries (school_id, hours_hundredths, id)',
  'create index entries_activity on time_entries (activity_id, entry_date, id)',
  'create table school_sums (id integer primary key, entries, hours_hundredths, people)',
  'insert into school_sums select school_id, entries, hours_hundredths, people from ours.school_sums',
  `create trigger added after insert on time_entries begin
     update school_sums set entries = entries + 1, hours_hundredths = hours_hundredths + new.hours_hundredths
     where id = new.school_id;
   end`,
  `create trigger changed after update on time_entries begin
     update school_sums set hours_hundredths = hours_hundredths + new.hours_hundredths - old.hours_hundredths
     where id = new.school_id;
   end`,
  'analyze',
];

const file = openFile();
const statements = new Map<string, BetterSqlite.Statement<[Values], Row>>();

const server = createServer((request, response) => {
  const { url = '/', method = 'GET' } = request;
  if (url === '/healthz') return reply(response, 200, { status: 'ok' });
  const token = hash('sha256', (request.headers.authorization ?? '').slice(BEARER));
  const answerWith = (body: Body) => {
    const [found] = run('select user_id, role from sessions where token_hash = :token', { token });
    if (found === undefined) return reply(response, 401, { error: 'Authentication required' });
    const viewer = { id: found[0], role: found[1] };
    const status = method === 'POST' ? 201 : 200;
    reply(response, status, answer(viewer, { method, url, body }));
  };
  if (method === 'GET') return answerWith(undefined);
  request.on('data', (piece: Buffer) => answerWith(JSON.parse(piece.toString())));
});
// No timer for each request.
server.keepAliveTimeout = 0;
server.listen(Number(port), '127.0.0.1', () => {
  const address = server.address();
  console.log(`ready at http://127.0.0.1:${typeof address === 'object' ? address?.port : address}`);
});
process.on('SIGTERM', () => process.exit(0));

/** Opens the baseline's own file, and fills a new one from the product's. As durable as the product. */
function openFile(): BetterSqlite.Database {
  const path = join(dataDir, 'baseline.db');
  const isNew = !existsSync(path);
  const opened = new BetterSqlite(path);
  opened.pragma('journal_mode = WAL');
  opened.pragma('synchronous = FULL');
  if (isNew) {
    opened.exec(`attach '${join(dataDir, 'volunteer-time.db')}' as ours`);
    for (const statement of TABLES) opened.exec(statement);
    opened.exec('detach ours');
  }
  return opened;
}

function table(name: string, columns: string, where = 'true'): string[] {
  return [
    `create table ${name} (id integer primary key, ${columns})`,
    `insert into ${name} select id, ${columns} from ours.${name} where ${where}`,
  ];
}

/** Runs a statement, which is prepared once. Returns the rows, or the id of a new row. */
function run(sql: string, values: Values): Row[] {
  let statement = statements.get(sql);
  if (statement === undefined) {
    // SQLite would plan a join again for each plain value.
    statement = file.prepare<[Values], Row>(sql.replaceAll(/(?<!limit ):(\w+)/g, '+:$1'));
    if (statement.reader) statement.raw();
    statements.set(sql, statement);
  }
  if (statement.reader) return statement.all(values);
  return [[statement.run(values).lastInsertRowid]];
}

function answer(viewer: Viewer, { method, url, body }: { method: string; url: string; body: Body }): object {
  const [path = '', text = ''] = url.split('?');
  if (method === 'POST') return createEntry(viewer, body);
  if (method === 'PUT') return updateEntry(viewer, Number(path.slice(path.lastIndexOf('/') + 1)), body);
  // The bench sends no value that would have to be decoded.
  const query = Object.fromEntries(text.split('&').map((part) => part.split('=')));
  if (path === '/api/admin/time-entries/summary') return summary(query);
  return listEntries(viewer, query, { isOwn: path === '/api/time-entries' });
}

function listEntries(viewer: Viewer, query: Query, { isOwn }: { isOwn: boolean }): object {
  const { schoolId, sortBy, sortOrder = 'desc', cursor } = query;
  const [day, id] = cursor === undefined ? [] : JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8'));
  const key = sortBy === 'hours' ? 'e.hours_hundredths' : 'e.entry_date';
  const where = `${isOwn ? 'e.user_id = :me and ' : ''}e.school_id = :school`;
  const after = cursor === undefined ? '' : 'and (e.entry_date, e.id) < (:day, :id)';
  const limit = Number(query['limit']);
  // One row more than a page has shows whether there is a next page.
  const values = { me: viewer.id, school: Number(schoolId), day, id, limit: limit + 1 };
  const rows = run(
    `select ${ENTRY} from time_entries e ${NAMES} where ${where} ${after}
     order by ${key} ${sortOrder}, e.id ${sortOrder} limit :limit`,
    values,
  );
  const page = rows.slice(0, limit);
  const last = rows.length > limit ? page.at(-1) : undefined;
  const nextCursor = last && Buffer.from(JSON.stringify([last[1], last[0]])).toString('base64url');
  const reply = { timeEntries: page.map((row) => entryOf(viewer, row)), nextCursor: nextCursor ?? null };
  if (isOwn) return reply;
  const [[total = 0] = []] = run('select entries from school_sums where id = :school', values);
  return { ...reply, total };
}

function summary(query: Query): object {
  const [[entries, hundredths, people] = []] = run(
    'select entries, hours_hundredths, people from school_sums where id = :school',
    { school: Number(query['schoolId']) },
  );
  return {
    summary: {
      totalEntries: entries,
      totalHours: hundredths / 100,
      verifiedHours: null,
      uniqueUsers: people,
      averageHoursPerEntry: entries === 0 ? 0 : Math.round(hundredths / entries) / 100,
    },
  };
}

function createEntry(viewer: Viewer, body: Body): object {
  const [[schoolId] = []] = run('select school_id from activities where id = :id', { id: body.activityId });
  const given = { ...body, userId: viewer.id, schoolId } as ValuesOf<typeof ENTRY_FIELDS>;
  const columns = toColumns(ENTRY_FIELDS, newRecordValues(ENTRY_FIELDS, given));
  const parameters = COLUMNS.map((column) => `:${column}`);
  const [[id] = []] = run(
    `insert into time_entries (${COLUMNS}, created_at, version) values (${parameters}, :now, 1)`,
    { ...columns, now: new Date().toISOString() },
  );
  return { timeEntry: findEntry(viewer, id), message: 'logged' };
}

function updateEntry(viewer: Viewer, id: number, body: Body): object {
  const columns = Object.entries(body).map(([name, value]) => {
    const field = (ENTRY_FIELDS as Record<string, Field>)[name] as Field;
    return [field.column, field.toColumn(value)] as const;
  });
  const set = columns.map(([column]) => `${column} = :${column}`);
  run(`update time_entries set ${set}, version = version + 1 where id = :id`, {
    ...Object.fromEntries(columns),
    id,
  });
  return { timeEntry: findEntry(viewer, id), message: 'Time entry updated successfully' };
}

function findEntry(viewer: Viewer, id: unknown): object | undefined {
  const [row] = run(`select ${ENTRY} from time_entries e ${NAMES} where e.id = :id`, { id });
  return row && entryOf(viewer, row);
}

function entryOf(viewer: Viewer, row: Row): object {
  // Volunteers change their own entries, a district administrator all.
  const canChange = viewer.role === 'admin' || viewer.id === row[2];
  return {
    entryDate: row[1],
    schoolId: row[3],
    hours: row[4] / 100,
    notes: row[5],
    id: row[0],
    activityId: row[11],
    activity: {
      id: row[11],
      name: row[12],
      category: { id: row[17], name: row[18], color: row[19], kind: row[20] },
      isActive: row[13] === 1,
      activeFrom: row[14],
      requiresDescription: row[15] === 1,
      descriptionPrompt: row[16],
    },
    createdAt: row[6],
    school: { id: row[3], name: row[8] },
    user: { id: row[2], firstName: row[9], lastName: row[10] },
    version: row[7],
    canEdit: canChange,
    canDelete: canChange,
    // No school of the district verifies hours.
    verification: null,
    flags: null,
  };
}

function reply(response: ServerResponse, status: number, body: object): void {
  const text = JSON.stringify(body);
  const type = 'application/json; charset=utf-8';
  response.writeHead(status, ['content-type', type, 'content-length', String(Buffer.byteLength(text))]);
  response.end(text);
}
