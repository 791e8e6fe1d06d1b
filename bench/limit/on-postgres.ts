/** The limit on PostgreSQL: each answer is one statement, which also finds the session, in one round trip. */
import { hash, randomBytes } from 'node:crypto';
import { verify } from '@node-rs/argon2';
import { columnNames, type Field, givenFields, toColumns, type ValuesOf } from '#base/fields.ts';
import { ENTRY_FIELDS } from '#rooms/time-entries/entry-fields.ts';
import { type Answer, type Asked, type Filter, filterOf, type Query, shapeOf, totalOf } from './asked.ts';
import type { Named, Run } from './database.ts';
import {
  ACCOUNT,
  ACTIVITY,
  AFTER_ENTRY,
  accountOf,
  activityOf,
  ENTRY,
  entryOf,
  NAMES,
  pageOf,
  profileOf,
  type Row,
  SUMS,
  summaryOf,
  sumsOf,
  type Viewer,
} from './replies.ts';

// A row of the session always comes, with nulls beside it where nothing was found.
const WHO = 'from sessions t join users v on v.id = t.user_id';
const SIGNED_IN = 'where t.token_hash = ?';
const SCHOOLS = `(select coalesce(json_agg(json_build_object('id', s.id, 'name', s.name, 'logoUrl', s.logo_url)
    order by s.name_key), '[]') from user_schools m join schools s on s.id = m.school_id where m.user_id = v.id)`;
const GRANTS = `(select coalesce(json_agg(json_build_object('role', g.role, 'school',
    case when s.id is null then null else json_build_object('id', s.id, 'name', s.name) end) order by s.name_key), '[]')
  from user_grants g left join schools s on s.id = g.school_id where g.user_id = v.id)`;
const DAYS = 'e.entry_date >= ? and e.entry_date <= ?';
const COLUMNS = columnNames(ENTRY_FIELDS);

/** A statement with what it is given and how its rows become a body; no row means that nobody is signed in. */
type Deed = Readonly<{
  statement: Named;
  values: readonly unknown[];
  body: (rows: Row[]) => object;
}>;

/** The answers on PostgreSQL. */
export function onPostgres(run: Run): Answer {
  return (asked, done) => {
    if (asked.path === '/api/auth/login') {
      logIn(run, asked, done);
      return;
    }
    const { statement, values, body } = deedFor(asked);
    run(statement, values, (rows) => done(rows.length === 0 ? undefined : body(rows)));
  };
}

function deedFor(asked: Asked): Deed {
  const { path, query, token, method } = asked;
  if (path === '/api/profile') {
    return { statement: PROFILE, values: [token], body: ([row]) => profileOf(accountFrom(row as Row)) };
  }
  if (path === '/api/activities') {
    return {
      statement: ACTIVITIES,
      values: [Number(query['schoolId']), token],
      body: (rows) => ({ activities: rows.filter(isFound).map(activityOf), closed: null }),
    };
  }
  if (path === '/api/admin/time-entries') return list(asked);
  if (path === '/api/admin/time-entries/summary') return summary(asked);
  if (path === '/api/admin/analytics/activities') return analytics(asked);
  if (method === 'POST') return create(asked);
  if (method === 'PUT') return update(asked);
  const limit = Number(query['limit']);
  return {
    statement: RECENT,
    values: [Number(query['schoolId']), limit + 1, token],
    body: (rows) => pageOf(viewerIn(rows), rows.filter(isFound), limit),
  };
}

const statements = new Map<string, Named>();

function named(shape: string, text: () => string): Named {
  const known = statements.get(shape);
  if (known !== undefined) return known;
  let place = 0;
  const made = { name: `s${statements.size}`, text: text().replaceAll('?', () => `$${++place}`) };
  statements.set(shape, made);
  return made;
}

const PROFILE = named('profile', () => `select ${ACCOUNT}, ${SCHOOLS}, ${GRANTS} ${WHO} ${SIGNED_IN}`);
const ACTIVITIES = named(
  'activities',
  () =>
    `select ${ACTIVITY} ${WHO} left join (activities a join categories c on c.id = a.category_id
       left join activity_sums n on n.activity_id = a.id) on a.school_id = ? ${SIGNED_IN} order by a.name_key, a.id`,
);
const RECENT = named(
  'recent',
  () =>
    `select ${ENTRY}, v.id, v.role ${WHO} left join lateral (select * from time_entries e
       where e.user_id = v.id and e.school_id = ? order by e.entry_date desc, e.id desc limit ?) e on true
     ${outer(NAMES)} ${SIGNED_IN} order by e.entry_date desc, e.id desc`,
);
const BY_EMAIL = named(
  'account',
  () => `select ${ACCOUNT}, ${SCHOOLS}, ${GRANTS}, v.password_hash from users v where v.email_key = ?`,
);
const ADD_SESSION = named('session', () => 'insert into sessions (token_hash, user_id) values (?, ?)');
const SUMMARY = named(
  'summary',
  () =>
    `select n.entries, n.hours_hundredths, n.people ${WHO} left join school_sums n on n.school_id = ? ${SIGNED_IN}`,
);
// The faster of the two ways for that many days.
const SUMMARY_OF_DAYS = named(
  'summary of days',
  () => `select n.entries, n.hours_hundredths, case when n.entries <= 6 * k.people
      then (select count(distinct e.user_id) from time_entries e where e.school_id = ? and ${DAYS})
      else (select count(*) from school_people p where p.school_id = ? and exists (select 1 from time_entries e
        where e.user_id = p.user_id and e.school_id = p.school_id and ${DAYS})) end
    ${WHO} cross join (select coalesce(sum(entries), 0) as entries, coalesce(sum(hours_hundredths), 0) as hours_hundredths
      from day_sums e where e.school_id = ? and ${DAYS}) n
    left join school_sums k on k.school_id = ? ${SIGNED_IN}`,
);
const CREATE = named(
  'create',
  () => `with e as (insert into time_entries (${COLUMNS}, created_at, version)
      select ${COLUMNS.map((name) => (name === 'user_id' ? 'v.id' : name === 'school_id' ? 'a.school_id' : '?'))}, ?, 1
      ${WHO} join activities a on a.id = ? ${SIGNED_IN} returning *)
    select ${ENTRY} from e ${NAMES}`,
);

function logIn(run: Run, { body }: Asked, done: (body: object | undefined) => void): void {
  run(BY_EMAIL, [body.email.toLowerCase()], ([row]) => {
    if (row === undefined) return done(undefined);
    void verify(row[10], body.password).then((isRight) => {
      if (!isRight) return done(undefined);
      const token = randomBytes(32).toString('base64url');
      run(ADD_SESSION, [hash('sha256', token), row[0]], () =>
        done({ user: accountFrom(row), token, message: 'Login successful' }),
      );
    });
  });
}

function accountFrom(row: Row) {
  return accountOf(row, row[8], row[9]);
}

function list({ query, token }: Asked): Deed {
  const filter = filterOf(query);
  const limit = Number(query['limit']);
  const page = [...listValues(query, filter), limit + 1];
  return {
    statement: named(shapeOf(query), () => listed(query, filter)),
    values: [...filter.values, ...page, token],
    body: (rows) => ({
      ...pageOf(viewerIn(rows), rows.filter(isFound), limit),
      total: rows[0]?.[AFTER_ENTRY + 2] ?? 0,
    }),
  };
}

function listed(query: Query, filter: Filter): string {
  const { sortBy: by, sortOrder: way } = query;
  const total = `(${totalOf(filter, query)})`;
  const order =
    by === 'entryDate'
      ? `e.entry_date ${way}, e.id ${way}`
      : by === 'hours'
        ? `e.hours_hundredths ${way}, e.id ${way}`
        : `e.k ${way}, e.l ${way}, e.entry_date ${way}, e.id ${way}`;
  return `select ${ENTRY}, v.id, v.role, ${total} ${WHO}
    left join lateral (${page(query, filter)}) e on true ${outer(NAMES)} ${SIGNED_IN} order by ${order}`;
}

function page({ sortBy: by, sortOrder: way, cursor }: Query, { where }: Filter): string {
  if (by === 'hours' || by === 'entryDate') {
    const key = by === 'hours' ? 'e.hours_hundredths' : 'e.entry_date';
    const after = cursor === undefined ? '' : `and (${key}, e.id) < (?, ?)`;
    return `select * from time_entries e where ${where} ${after} order by ${key} ${way}, e.id ${way} limit ?`;
  }
  const [from, key, id, match, known] =
    by === 'userName'
      ? (['school_people o', 'o.sort_key', 'o.user_id', 'e.user_id = o.user_id', ''] as const)
      : ([
          'activities o',
          by === 'activityName' ? 'o.name_key' : 'o.active_from',
          'o.id',
          'e.activity_id = o.id',
          by === 'activityName' ? '' : 'and o.active_from is not null',
        ] as const);
  const own = by === 'userName' ? where : where.replace('e.school_id = ?', 'true');
  return `select e.*, ${key} as k, ${id} as l from ${from} cross join lateral (select * from time_entries e
      where ${match} and ${own} order by e.entry_date ${way}, e.id ${way} limit ?) e
    where o.school_id = ? ${known} order by ${key} ${way}, ${id} ${way}, e.entry_date ${way}, e.id ${way} limit ?`;
}

function listValues({ sortBy, schoolId, cursor, limit }: Query, { values }: Filter): unknown[] {
  if (sortBy === 'entryDate' || sortBy === 'hours') {
    return cursor === undefined
      ? [...values]
      : [...values, ...JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8'))];
  }
  const own = sortBy === 'userName' ? values : values.slice(1);
  return [...own, Number(limit) + 1, Number(schoolId)];
}

function summary({ query, token }: Asked): Deed {
  const { schoolId, startDate, endDate } = query;
  const school = Number(schoolId);
  const days = [school, startDate, endDate];
  return {
    ...(startDate === undefined
      ? { statement: SUMMARY, values: [school, token] }
      : { statement: SUMMARY_OF_DAYS, values: [...days, ...days, ...days, school, token] }),
    body: ([row]) => summaryOf(row?.[0], row?.[1], row?.[2]),
  };
}

function analytics({ query, token }: Asked): Deed {
  const { schoolId, startDate, endDate } = query;
  const school = Number(schoolId);
  const hasDays = startDate !== undefined;
  // Each activity's days are next to each other in an index.
  const sums = hasDays
    ? `(select e.activity_id, count(*) as entries, sum(e.hours_hundredths) as hours_hundredths,
         count(distinct e.user_id) as people from time_entries e
       where e.activity_id in (select id from activities where school_id = ?) and ${DAYS} group by e.activity_id)`
    : 'activity_sums';
  return {
    statement: named(
      `analytics ${hasDays}`,
      () => `select ${SUMS} ${WHO} left join (activities a join ${sums} n on n.activity_id = a.id and n.entries > 0
          join categories c on c.id = a.category_id) on a.school_id = ?
        ${SIGNED_IN} order by n.hours_hundredths desc, a.name_key, a.id`,
    ),
    values: hasDays ? [school, startDate, endDate, school, token] : [school, token],
    body: (rows) => ({ activities: rows.filter(isFound).map(sumsOf) }),
  };
}

function create({ body, token }: Asked): Deed {
  const said = givenFields(ENTRY_FIELDS, body as ValuesOf<typeof ENTRY_FIELDS>);
  const { user_id: _, school_id: __, ...columns } = toColumns(ENTRY_FIELDS, said);
  return {
    statement: CREATE,
    values: [...Object.values(columns), new Date().toISOString(), body.activityId, token],
    body: ([row]) => ({ timeEntry: entryOf(ownerOf(row as Row), row as Row), message: 'logged' }),
  };
}

function update({ body, path, token }: Asked): Deed {
  const said = Object.keys(body).map(
    (name) => [(ENTRY_FIELDS as Record<string, Field>)[name] as Field, body[name]] as const,
  );
  const set = said.map(([{ column }]) => `${column} = ?`);
  return {
    statement: named(
      `update ${set}`,
      () => `with e as (update time_entries e set ${set}, version = e.version + 1 ${WHO}
          ${SIGNED_IN} and e.id = ? returning e.*)
        select ${ENTRY} from e ${NAMES}`,
    ),
    values: [
      ...said.map(([field, value]) => field.toColumn(value)),
      token,
      Number(path.slice(path.lastIndexOf('/') + 1)),
    ],
    body: ([row]) => ({
      timeEntry: entryOf(ownerOf(row as Row), row as Row),
      message: 'Time entry updated successfully',
    }),
  };
}

// Somebody who signs in may change what is their own.
function ownerOf(row: Row): Viewer {
  return { id: row[2], role: 'user' };
}

function viewerIn([row]: Row[]): Viewer {
  return { id: row?.[AFTER_ENTRY], role: row?.[AFTER_ENTRY + 1] };
}

function isFound(row: Row): boolean {
  return row[0] !== null;
}

function outer(joins: string): string {
  return joins.replaceAll('join', 'left join');
}
