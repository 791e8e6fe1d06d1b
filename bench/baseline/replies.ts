/** The statements of the baseline, each prepared once, and the plain objects made from their rows. */
import { hash, randomBytes } from 'node:crypto';
import { verify } from '@node-rs/argon2';
import type BetterSqlite from 'better-sqlite3';
import { ENTRY_FIELDS } from '#features/time-entries/time-entry-fields.ts';
import { columnNames, type Field, newRecordValues, toColumns, type ValuesOf } from '#shared/entity-fields.ts';
import { capabilitiesOf, type PermissionHolder } from '#shared/permissions.ts';

/** A row as its values, in the order of the columns. */
// biome-ignore lint/suspicious/noExplicitAny: rows of every shape
type Row = readonly any[];
type Viewer = Readonly<{ id: number; role: string }>;
type Values = Readonly<Record<string, unknown>>;
type Query = Readonly<Record<string, string>>;
/** A request; `token` is the SHA-256 of the bearer token. */
// biome-ignore lint/suspicious/noExplicitAny: bodies of every shape
type Asked = Readonly<{ method: string; path: string; query: Query; token: string; body: any }>;
type Statements = (sql: string, values: Values) => Row[];

/** The columns of an entry, and the tables they come from. */
const ENTRY = `e.id, e.entry_date, e.user_id, e.school_id, e.hours_hundredths, e.notes, e.created_at, e.version,
  s.name, u.first_name, u.last_name, a.id, a.name, a.is_active, a.active_from, a.requires_description,
  a.description_prompt, c.id, c.name, c.color, c.kind`;
const NAMES = `cross join activities a on a.id = e.activity_id cross join categories c on c.id = a.category_id
  cross join schools s on s.id = e.school_id cross join users u on u.id = e.user_id`;
const DAYS = 'e.entry_date >= :from and e.entry_date <= :to';
const ACCOUNT = `select v.id, v.role, v.email, v.first_name, v.last_name, v.is_active, v.created_at, v.last_login_at,
  v.password_hash from users v`;
const COLUMNS = columnNames(ENTRY_FIELDS);

/** Answers requests from a database: with a body, or nothing where nobody is signed in. */
export function answering(
  file: BetterSqlite.Database,
): (asked: Asked) => object | undefined | Promise<object | undefined> {
  const statements = new Map<string, BetterSqlite.Statement<[Values], Row>>();
  const all: Statements = (sql, values) => {
    let statement = statements.get(sql);
    if (statement === undefined) {
      // With a plain value SQLite would plan a join for each one again.
      statement = file.prepare<[Values], Row>(sql.replaceAll(/(?<!limit ):(\w+)/g, '+:$1'));
      if (statement.reader) statement.raw();
      statements.set(sql, statement);
    }
    if (statement.reader) return statement.all(values);
    return [[statement.run(values).lastInsertRowid]];
  };
  return (asked) => {
    const { method, path, query, body, token } = asked;
    if (path === '/api/auth/login') return logIn(all, body);
    const [found] = all(
      'select v.id, v.role from sessions t join users v on v.id = t.user_id where t.token_hash = :token',
      { token },
    );
    if (found === undefined) return undefined;
    const viewer = { id: found[0], role: found[1] };
    if (method === 'POST') return created(all, viewer, body);
    if (method === 'PUT') return updated(all, viewer, Number(path.slice(path.lastIndexOf('/') + 1)), body);
    if (path === '/api/profile') return profile(all, viewer);
    const values = { ...valuesOf(query), me: viewer.id };
    if (path === '/api/activities') return activities(all, values);
    if (path === '/api/admin/time-entries/summary') return summary(all, query, values);
    if (path === '/api/admin/analytics/activities') return analytics(all, query, values);
    if (path === '/api/admin/time-entries') return list(all, viewer, query, values);
    const mine =
      'e.user_id = :me and e.school_id = :school order by e.entry_date desc, e.id desc limit :limit';
    return pageOf(
      viewer,
      all(`select ${ENTRY} from time_entries e ${NAMES} where ${mine}`, values),
      values.limit,
    );
  };
}

function activities(all: Statements, values: Values) {
  const rows = all(
    `select a.id, a.name, a.is_active, a.active_from, a.requires_description, a.description_prompt,
       a.description, a.category_id, a.school_id, a.active_until, a.created_at, a.version, c.name, c.color, c.kind,
       coalesce(n.entries, 0)
     from activities a join categories c on c.id = a.category_id left join activity_sums n on n.activity_id = a.id
     where a.school_id = :school order by a.name_key, a.id`,
    values,
  );
  return { activities: rows.map(activityOf), closed: null };
}

// What a query string gives, by the names that statements have for it; a page asks for one row more.
function valuesOf({ schoolId, userId, activityId, startDate, endDate, limit, cursor }: Query) {
  const [day, id] = cursor === undefined ? [] : JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8'));
  return {
    school: Number(schoolId),
    user: Number(userId),
    activity: Number(activityId),
    from: startDate,
    to: endDate,
    limit: Number(limit) + 1,
    day,
    id,
  };
}

// An activity belongs to one school, which need not be tested then.
function whereOf({ userId, activityId, schoolId, startDate }: Query): string {
  const tests = [
    [userId, 'e.user_id = :user'],
    [activityId, 'e.activity_id = :activity'],
    [activityId === undefined ? schoolId : undefined, 'e.school_id = :school'],
    [startDate, DAYS],
  ] as const;
  return tests.flatMap(([value, test]) => (value === undefined ? [] : [test])).join(' and ');
}

// Counted out of the sums where they have it.
function totalOf(query: Query): string {
  const { userId, activityId, startDate } = query;
  const where = whereOf(query);
  if (userId !== undefined || (activityId !== undefined && startDate !== undefined)) {
    return `select count(*) from time_entries e where ${where}`;
  }
  if (activityId !== undefined) return `select entries from activity_sums e where ${where}`;
  if (startDate === undefined) return `select entries from school_sums e where ${where}`;
  return `select coalesce(sum(entries), 0) from day_sums e where ${where}`;
}

function list(all: Statements, viewer: Viewer, query: Query, values: ReturnType<typeof valuesOf>) {
  const rows = all(listSql(query), values);
  const [[total = 0] = []] = all(totalOf(query), values);
  return { ...pageOf(viewer, rows, values.limit), total };
}

// Sorted by what stands in another table, the outer loop runs in the order of that table's index and ends early.
function listSql(query: Query): string {
  const { sortBy: by, sortOrder: way, cursor } = query;
  const where = whereOf(query);
  const select = `select ${ENTRY} from`;
  if (by === 'hours' || by === 'entryDate') {
    const key = by === 'hours' ? 'e.hours_hundredths' : 'e.entry_date';
    const after = cursor === undefined ? '' : 'and (e.entry_date, e.id) < (:day, :id)';
    return `${select} time_entries e ${NAMES} where ${where} ${after} order by ${key} ${way}, e.id ${way} limit :limit`;
  }
  const [table, key, id, match] =
    by === 'userName'
      ? ['school_people', 'o.sort_key', 'o.user_id', `e.user_id = o.user_id and ${where}`]
      : [
          'activities',
          by === 'activityName' ? 'o.name_key' : 'o.active_from',
          'o.id',
          'e.activity_id = o.id',
        ];
  const known = by === 'activityDate' ? 'and o.active_from is not null' : '';
  return `${select} ${table} o cross join time_entries e ${NAMES} where o.school_id = :school ${known} and ${match}
    order by ${key} ${way}, ${id} ${way}, e.entry_date ${way}, e.id ${way} limit :limit`;
}

// Of days, the people are counted in whichever of two ways is faster for the number of entries.
function summary(all: Statements, query: Query, values: Values) {
  const [[ofAll, ofAllHours, ofAllPeople] = []] = all(
    'select entries, hours_hundredths, people from school_sums where school_id = :school',
    values,
  );
  if (query['startDate'] === undefined) return summaryOf(ofAll, ofAllHours, ofAllPeople);
  const [[entries, hundredths] = []] = all(
    `select coalesce(sum(entries), 0), coalesce(sum(hours_hundredths), 0) from day_sums e
     where e.school_id = :school and ${DAYS}`,
    values,
  );
  const [[people] = []] = all(
    entries <= 6 * ofAllPeople
      ? `select count(distinct e.user_id) from time_entries e where e.school_id = :school and ${DAYS}`
      : `select count(*) from school_people p where p.school_id = :school and exists (select 1 from time_entries e
           where e.user_id = p.user_id and e.school_id = p.school_id and ${DAYS})`,
    values,
  );
  return summaryOf(entries, hundredths, people);
}

function summaryOf(entries: number, hundredths: number, people: number) {
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

// Each activity's days are next to each other in an index.
function analytics(all: Statements, query: Query, values: Values) {
  const ofDays = `(select e.activity_id, count(*) as entries, sum(e.hours_hundredths) as hours_hundredths,
      count(distinct e.user_id) as people from time_entries e
    where e.activity_id in (select id from activities where school_id = :school) and ${DAYS} group by e.activity_id)`;
  const rows = all(
    `select a.id, a.name, a.school_id, c.name, c.color, n.entries, n.hours_hundredths, n.people
     from activities a join ${query['startDate'] === undefined ? 'activity_sums' : ofDays} n on n.activity_id = a.id
     join categories c on c.id = a.category_id
     where a.school_id = :school and n.entries > 0 order by n.hours_hundredths desc, a.name_key, a.id`,
    values,
  );
  return {
    activities: rows.map(([id, name, schoolId, category, color, entries, hundredths, people]) => ({
      ...{ id, name, category: { name: category, color }, schoolId },
      ...{ totalHours: hundredths / 100, verifiedHours: null, totalEntries: entries, uniqueUsers: people },
    })),
  };
}

function created(all: Statements, viewer: Viewer, body: Asked['body']) {
  const [[schoolId] = []] = all('select school_id from activities where id = :id', { id: body.activityId });
  const said = { ...body, userId: viewer.id, schoolId } as ValuesOf<typeof ENTRY_FIELDS>;
  const values = {
    ...toColumns(ENTRY_FIELDS, newRecordValues(ENTRY_FIELDS, said)),
    now: new Date().toISOString(),
  };
  const places = COLUMNS.map((column) => `:${column}`);
  const [[id] = []] = all(
    `insert into time_entries (${COLUMNS}, created_at, version) values (${places}, :now, 1)`,
    values,
  );
  return { timeEntry: entryNumbered(all, viewer, id), message: 'logged' };
}

function updated(all: Statements, viewer: Viewer, id: number, body: Asked['body']) {
  const said = Object.entries(body).map(([name, value]) => {
    const field = (ENTRY_FIELDS as Record<string, Field>)[name] as Field;
    return [field.column, field.toColumn(value)] as const;
  });
  const set = said.map(([column]) => `${column} = :${column}`);
  all(`update time_entries set ${set}, version = version + 1 where id = :id`, {
    ...Object.fromEntries(said),
    id,
  });
  return { timeEntry: entryNumbered(all, viewer, id), message: 'Time entry updated successfully' };
}

function entryNumbered(all: Statements, viewer: Viewer, id: unknown) {
  const [row] = all(`select ${ENTRY} from time_entries e ${NAMES} where e.id = :id`, { id });
  return row && entryOf(viewer, row);
}

async function logIn(all: Statements, { email, password }: Asked['body']) {
  const [row] = all(`${ACCOUNT} where v.email_key = :email`, { email: email.toLowerCase() });
  if (row === undefined || !(await verify(row[8], password))) return undefined;
  const token = randomBytes(32).toString('base64url');
  all('insert into sessions (token_hash, user_id) values (:hash, :id)', {
    hash: hash('sha256', token),
    id: row[0],
  });
  return { user: accountOf(all, row), token, message: 'Login successful' };
}

function accountOf(all: Statements, row: Row) {
  const [id, role, email, firstName, lastName, isActive, createdAt, lastLogin] = row;
  const schools = all(
    `select s.id, s.name, s.logo_url from user_schools m join schools s on s.id = m.school_id
     where m.user_id = :id order by s.name_key`,
    { id },
  );
  const grants = all(
    `select g.role, s.id, s.name from user_grants g left join schools s on s.id = g.school_id
     where g.user_id = :id order by s.name_key`,
    { id },
  );
  return {
    ...{ id, email, firstName, lastName, role, isActive: isActive === 1, createdAt, lastLogin },
    schools: schools.map(([id, name, logoUrl]) => ({ id, name, logoUrl })),
    pendingSchools: [],
    grants: grants.map(([role, id, name]) => ({ role, school: id === null ? null : { id, name } })),
    erasureRequestedAt: null,
    language: null,
  };
}

function profile(all: Statements, { id }: Viewer) {
  const [row = []] = all(`${ACCOUNT} where v.id = :id`, { id });
  const account = accountOf(all, row);
  const { role, grants } = account;
  if (role !== 'admin' && grants.length === 0) return { user: { ...account, may: [] } };
  const held = grants.map(({ role, school }) => ({ role, schoolId: school?.id ?? null }));
  return { user: { ...account, may: capabilitiesOf({ role, grants: held } as PermissionHolder) } };
}

// Out of one row more than a page has, which says whether there is a next one.
function pageOf(viewer: Viewer, rows: Row[], limit: number) {
  const kept = rows.slice(0, limit - 1);
  const last = rows.length < limit ? undefined : kept.at(-1);
  const nextCursor = last && Buffer.from(JSON.stringify([last[1], last[0]])).toString('base64url');
  return { timeEntries: kept.map((row) => entryOf(viewer, row)), nextCursor: nextCursor ?? null };
}

// One may change one's own, and a district administrator all.
function entryOf(viewer: Viewer, row: Row) {
  const mayChange = viewer.role === 'admin' || viewer.id === row[2];
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
    canEdit: mayChange,
    canDelete: mayChange,
    // No school of the district has its hours verified.
    verification: null,
    flags: null,
  };
}

function activityOf(row: Row) {
  return {
    id: row[0],
    name: row[1],
    category: { id: row[7], name: row[12], color: row[13], kind: row[14] },
    isActive: row[2] === 1,
    activeFrom: row[3],
    requiresDescription: row[4] === 1,
    descriptionPrompt: row[5],
    description: row[6],
    categoryId: row[7],
    schoolId: row[8],
    activeUntil: row[9],
    verifiedBy: 'school',
    outsideVerifier: null,
    createdAt: row[10],
    version: row[11],
    counts: { timeEntries: row[15] },
    photoCount: 0,
  };
}
