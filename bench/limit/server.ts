/**
 * The limit: the same replies from one bare process with prepared statements and an index for each query. It checks
 * no rules, keeps no audit log and sends no messages: it is a yardstick, not a design.
 */
import { createHash, randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage } from 'node:http';
import { verify } from '@node-rs/argon2';
import {
  type ColumnsOf,
  columnNames,
  type Field,
  fromColumns,
  givenFields,
  toColumns,
  type ValuesOf,
  withoutFields,
} from '#base/fields.ts';
import { capabilitiesOf } from '#base/permissions.ts';
import { ENTRY_FIELDS } from '#rooms/time-entries/entry-fields.ts';
import { openLimit, type Row } from './database.ts';

const { engine, run } = await openLimit({
  dataDir: process.env['DATA_DIR'] ?? '.',
  databaseUrl: process.env['DATABASE_URL'],
});

// The activity's id comes with the activity.
const OWN = columnNames(withoutFields(ENTRY_FIELDS, 'activityId')).map((column) => `e.${column}`);
const ENTRY = `e.id, ${OWN.join(', ')}, e.created_at, e.version, s.name as school_name,
  u.first_name, u.last_name, a.id as activity_id, a.name as activity_name, a.is_active, a.active_from,
  a.requires_description, a.description_prompt, c.id as category_id, c.name as category_name, c.color, c.kind`;
const INSERT = `insert into time_entries (${columnNames(ENTRY_FIELDS).join(', ')}, created_at, version)
  values (${columnNames(ENTRY_FIELDS).map(() => '?')}, ?, 1)`;
const NAMES = `join activities a on a.id = e.activity_id join categories c on c.id = a.category_id
  join schools s on s.id = e.school_id join users u on u.id = e.user_id`;

type Viewer = { id: number; role: string };

const server = createServer((request, response) => {
  answer(request).then(
    ({ status = 200, body }) => {
      const text = JSON.stringify(body);
      response.writeHead(status, {
        'content-type': 'application/json; charset=utf-8',
        'content-length': Buffer.byteLength(text),
      });
      response.end(text);
    },
    (error: unknown) => {
      response.writeHead(500);
      response.end(JSON.stringify({ error: String(error) }));
    },
  );
});
server.listen(Number(process.env['PORT'] ?? 0), '127.0.0.1', () => {
  const address = server.address();
  console.log(`ready at http://127.0.0.1:${typeof address === 'object' ? address?.port : address}`);
});
process.on('SIGTERM', () => process.exit(0));

async function answer(request: IncomingMessage): Promise<{ status?: number; body: unknown }> {
  const { pathname, searchParams } = new URL(request.url ?? '/', 'http://limit');
  if (pathname === '/healthz') return { body: { status: 'ok' } };
  const body = request.method === 'GET' ? {} : JSON.parse(await textOf(request));
  if (pathname === '/api/auth/login') return { body: await login(body) };
  const viewer = await viewerOf(request);
  if (viewer === undefined) return { status: 401, body: { error: 'Authentication required' } };
  const school = Number(searchParams.get('schoolId'));
  if (pathname === '/api/profile') return { body: { user: await profileOf(viewer.id) } };
  if (pathname === '/api/activities')
    return { body: { activities: await activitiesOf(school), closed: null } };
  if (pathname === '/api/admin/time-entries/summary')
    return { body: { summary: await summary(searchParams) } };
  if (pathname === '/api/admin/analytics/activities')
    return { body: { activities: await analytics(searchParams) } };
  if (pathname === '/api/admin/time-entries') return { body: await list(viewer, searchParams) };
  if (request.method === 'POST') return { status: 201, body: await create(viewer, body) };
  if (request.method === 'PUT')
    return { body: await update(viewer, Number(pathname.split('/').at(-1)), body) };
  return { body: await recent(viewer, school, Number(searchParams.get('limit'))) };
}

function textOf(request: IncomingMessage): Promise<string> {
  return new Promise((resolve) => {
    let text = '';
    request.setEncoding('utf8').on('data', (piece) => {
      text += piece;
    });
    request.on('end', () => resolve(text));
  });
}

async function viewerOf(request: IncomingMessage): Promise<Viewer | undefined> {
  const token = (request.headers.authorization ?? '').slice(7);
  const hash = createHash('sha256').update(token).digest('hex');
  const [viewer] = await run(
    'select u.id, u.role from sessions t join users u on u.id = t.user_id where t.token_hash = ?',
    [hash],
  );
  return viewer;
}

async function login(body: { email: string; password: string }) {
  const [user] = await run('select id, password_hash from users where email_key = ?', [
    body.email.toLowerCase(),
  ]);
  if (user === undefined || !(await verify(user.password_hash, body.password))) throw new Error('wrong');
  const token = randomBytes(32).toString('base64url');
  await run('insert into sessions (token_hash, user_id) values (?, ?)', [
    createHash('sha256').update(token).digest('hex'),
    user.id,
  ]);
  return { user: await userOf(user.id), token, message: 'Login successful' };
}

async function userOf(id: number) {
  const [user] = await run('select * from users where id = ?', [id]);
  const schools = await run(
    `select s.id, s.name, s.logo_url as "logoUrl" from user_schools m join schools s on s.id = m.school_id
     where m.user_id = ? order by s.name_key`,
    [id],
  );
  return {
    id,
    email: user.email,
    firstName: user.first_name,
    lastName: user.last_name,
    role: user.role,
    isActive: user.is_active === 1,
    createdAt: user.created_at,
    lastLogin: user.last_login_at,
    schools,
    pendingSchools: [],
    grants: await grantsOf(id),
    erasureRequestedAt: null,
  };
}

async function grantsOf(id: number) {
  const rows = await run(
    `select g.role, s.id, s.name from user_grants g left join schools s on s.id = g.school_id
     where g.user_id = ? order by s.name_key`,
    [id],
  );
  return rows.map((row) => ({
    role: row.role,
    school: row.id === null ? null : { id: row.id, name: row.name },
  }));
}

async function profileOf(id: number) {
  const user = await userOf(id);
  const grants = user.grants.map(({ role, school }) => ({ role, schoolId: school?.id ?? null }));
  return { ...user, may: capabilitiesOf({ role: user.role, grants }) };
}

async function activitiesOf(school: number) {
  const rows = await run(
    `select a.*, a.id as activity_id, a.name as activity_name, c.name as category_name, c.color, c.kind,
       coalesce(n.entries, 0) as entries
     from activities a join categories c on c.id = a.category_id left join activity_sums n on n.activity_id = a.id
     where a.school_id = ? order by a.name_key, a.id`,
    [school],
  );
  return rows.map((row) => ({
    ...activityOf(row),
    description: row.description,
    categoryId: row.category_id,
    schoolId: row.school_id,
    activeUntil: row.active_until,
    verifiedBy: 'school',
    outsideVerifier: null,
    createdAt: row.created_at,
    version: row.version,
    counts: { timeEntries: row.entries },
    photoCount: 0,
  }));
}

async function recent(viewer: Viewer, school: number, limit: number) {
  const rows = await run(
    `select ${ENTRY} from time_entries e ${NAMES} where e.user_id = ? and e.school_id = ?
     order by e.entry_date desc, e.id desc limit ?`,
    [viewer.id, school, limit + 1],
  );
  return pageOf(viewer, rows, limit);
}

async function create(viewer: Viewer, body: Row) {
  const [activity] = await run('select school_id from activities where id = ?', [body.activityId]);
  const said = { ...body, userId: viewer.id, schoolId: activity.school_id } as ValuesOf<typeof ENTRY_FIELDS>;
  const [{ id }] = (await run(`${INSERT}${engine === 'postgres' ? ' returning id' : ''}`, [
    ...Object.values(toColumns(ENTRY_FIELDS, givenFields(ENTRY_FIELDS, said))),
    new Date().toISOString(),
  ])) as [{ id: number }];
  return { timeEntry: await entry(viewer, id), message: 'logged' };
}

async function update(viewer: Viewer, id: number, body: Row) {
  const said = Object.entries<Field>(ENTRY_FIELDS).filter(([name]) => name in body);
  const set = said.map(([, { column }]) => `${column} = ?`);
  await run(`update time_entries set ${set}, version = version + 1 where id = ?`, [
    ...said.map(([name, field]) => field.toColumn(body[name])),
    id,
  ]);
  return { timeEntry: await entry(viewer, id), message: 'Time entry updated successfully' };
}

async function entry(viewer: Viewer, id: number) {
  const [row] = await run(`select ${ENTRY} from time_entries e ${NAMES} where e.id = ?`, [id]);
  return entryOf(viewer, row);
}

type Query = URLSearchParams;

async function list(viewer: Viewer, query: Query) {
  const limit = Number(query.get('limit'));
  const { where, values } = filtered(query);
  const rows = await run(...sorted(query, where, values, limit + 1));
  return { ...pageOf(viewer, rows, limit), total: await total(query, where, values) };
}

function filtered(query: Query) {
  const where: string[] = [];
  const values: unknown[] = [];
  const add = (name: string, test: string) => {
    const value = query.get(name);
    if (value === null) return;
    where.push(test);
    values.push(name.endsWith('Id') ? Number(value) : value);
  };
  add('userId', 'e.user_id = ?');
  add('activityId', 'e.activity_id = ?');
  if (query.get('activityId') === null) add('schoolId', 'e.school_id = ?');
  add('startDate', 'e.entry_date >= ?');
  add('endDate', 'e.entry_date <= ?');
  return { where: where.join(' and '), values };
}

function sorted(query: Query, where: string, values: unknown[], limit: number): [string, unknown[]] {
  const by = query.get('sortBy') ?? 'entryDate';
  const way = query.get('sortOrder') ?? 'desc';
  const cursor = query.get('cursor');
  const select = `select ${ENTRY} from time_entries e ${NAMES} where ${where}`;
  if (by === 'entryDate' && cursor !== null) {
    const after = JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8'));
    const text = `${select} and (e.entry_date, e.id) < (?, ?) order by e.entry_date desc, e.id desc limit ?`;
    return [text, [...values, ...after, limit]];
  }
  if (by === 'entryDate') {
    return [`${select} order by e.entry_date ${way}, e.id ${way} limit ?`, [...values, limit]];
  }
  if (by === 'hours') {
    return [`${select} order by e.hours_hundredths ${way}, e.id ${way} limit ?`, [...values, limit]];
  }
  const school = Number(query.get('schoolId'));
  const [outer, key, match] =
    by === 'userName'
      ? ['school_people o', 'o.sort_key', 'e.user_id = o.user_id']
      : ['activities o', by === 'activityName' ? 'o.name_key' : 'o.active_from', 'e.activity_id = o.id'];
  const own = by === 'userName' ? where : where.replace('e.school_id = ?', '1 = 1');
  const ownValues = by === 'userName' ? values : values.filter((_, index) => index > 0);
  const last = by === 'userName' ? 'o.user_id' : 'o.id';
  const nulls = by === 'activityDate' ? `and o.active_from is not null` : '';
  const order = `${key} ${way}, ${last} ${way}, e.entry_date ${way}, e.id ${way}`;
  const names = NAMES.replaceAll('join', engine === 'sqlite' ? 'cross join' : 'join');
  if (engine === 'sqlite') {
    return [
      `select ${ENTRY} from ${outer} cross join time_entries e ${names}
       where o.school_id = ? and ${match} and ${own} ${nulls} order by ${order} limit ?`,
      [school, ...ownValues, limit],
    ];
  }
  return [
    `select ${ENTRY} from (select e.*, ${key} as k, ${last} as l from ${outer} cross join lateral (
       select * from time_entries e where ${match} and ${own} order by e.entry_date ${way}, e.id ${way} limit ?) e
       where o.school_id = ? ${nulls} order by ${order} limit ?) e ${names}
     order by e.k ${way}, e.l ${way}, e.entry_date ${way}, e.id ${way}`,
    [...ownValues, limit, school, limit],
  ];
}

async function total(query: Query, where: string, values: unknown[]): Promise<number> {
  const isNarrow = query.get('userId') !== null || query.get('activityId') !== null;
  const hasDays = query.get('startDate') !== null || query.get('endDate') !== null;
  const [row] = isNarrow
    ? query.get('userId') === null && !hasDays
      ? await run('select entries from activity_sums where activity_id = ?', values)
      : await run(`select count(*) as entries from time_entries e where ${where}`, values)
    : hasDays
      ? await run(`select coalesce(sum(entries), 0) as entries from day_sums e where ${where}`, values)
      : await run('select entries from school_sums where school_id = ?', values);
  return row?.entries ?? 0;
}

async function summary(query: Query) {
  const { where, values } = filtered(query);
  const hasDays = query.get('startDate') !== null;
  const [sums] = hasDays
    ? await run(
        `select coalesce(sum(entries), 0) as entries, coalesce(sum(hours_hundredths), 0) as hours_hundredths
         from day_sums e where ${where}`,
        values,
      )
    : await run('select entries, hours_hundredths, people from school_sums where school_id = ?', values);
  const people = hasDays ? await peopleOn(query, sums.entries) : sums.people;
  return {
    totalEntries: sums.entries,
    totalHours: sums.hours_hundredths / 100,
    verifiedHours: null,
    uniqueUsers: people,
    averageHoursPerEntry: sums.entries === 0 ? 0 : Math.round(sums.hours_hundredths / sums.entries) / 100,
  };
}

// Each activity's days are next to each other in an index.
async function analytics(query: Query) {
  const school = Number(query.get('schoolId'));
  const hasDays = query.get('startDate') !== null;
  const sums = hasDays
    ? `(select e.activity_id, count(*) as entries, sum(e.hours_hundredths) as hours_hundredths,
         count(distinct e.user_id) as people
       from time_entries e where e.activity_id in (select id from activities where school_id = ?)
         and e.entry_date >= ? and e.entry_date <= ? group by e.activity_id)`
    : 'activity_sums';
  const rows = await run(
    `select a.id, a.name, a.school_id, c.name as category_name, c.color, n.entries, n.hours_hundredths, n.people
     from activities a join ${sums} n on n.activity_id = a.id join categories c on c.id = a.category_id
     where a.school_id = ? and n.entries > 0 order by n.hours_hundredths desc, a.name_key, a.id`,
    hasDays ? [school, query.get('startDate'), query.get('endDate'), school] : [school],
  );
  return rows.map((row) => ({
    id: row.id,
    name: row.name,
    category: { name: row.category_name, color: row.color },
    schoolId: row.school_id,
    totalHours: row.hours_hundredths / 100,
    verifiedHours: null,
    totalEntries: row.entries,
    uniqueUsers: row.people,
  }));
}

// The faster of the two ways for that many days.
async function peopleOn(query: Query, entries: number): Promise<number> {
  const values = [Number(query.get('schoolId')), query.get('startDate'), query.get('endDate')];
  const [known] = await run('select people from school_sums where school_id = ?', values.slice(0, 1));
  const days = 'e.entry_date >= ? and e.entry_date <= ?';
  const [row] =
    entries <= 6 * known.people
      ? await run(
          `select count(distinct e.user_id) as people from time_entries e where e.school_id = ? and ${days}`,
          values,
        )
      : await run(
          `select count(*) as people from school_people p where p.school_id = ? and exists (
             select 1 from time_entries e where e.user_id = p.user_id and e.school_id = p.school_id and ${days})`,
          values,
        );
  return row.people;
}

function pageOf(viewer: Viewer, rows: Row[], limit: number) {
  const kept = rows.slice(0, limit);
  const last = kept.at(-1);
  const nextCursor =
    rows.length <= limit
      ? null
      : Buffer.from(JSON.stringify([last.entry_date, last.id])).toString('base64url');
  return { timeEntries: kept.map((row) => entryOf(viewer, row)), nextCursor };
}

function activityOf(row: Row) {
  return {
    id: row.activity_id,
    name: row.activity_name,
    category: { id: row.category_id, name: row.category_name, color: row.color, kind: row.kind },
    isActive: row.is_active === 1,
    activeFrom: row.active_from,
    requiresDescription: row.requires_description === 1,
    descriptionPrompt: row.description_prompt,
  };
}

function entryOf(viewer: Viewer, row: Row) {
  const mayChange = viewer.role === 'admin' || viewer.id === row.user_id;
  const { userId, ...values } = fromColumns(ENTRY_FIELDS, row as ColumnsOf<typeof ENTRY_FIELDS>);
  return {
    ...values,
    id: row.id,
    activity: activityOf(row),
    createdAt: row.created_at,
    school: { id: row.school_id, name: row.school_name },
    user: { id: userId, firstName: row.first_name, lastName: row.last_name },
    version: row.version,
    canEdit: mayChange,
    canDelete: mayChange,
    // No school of the district has its hours verified.
    verification: null,
    flags: null,
  };
}
