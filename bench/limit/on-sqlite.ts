/** The limit on SQLite: prepared statements that are kept, rows as arrays, and no promise but for a password. */
import { hash, randomBytes } from 'node:crypto';
import { verify } from '@node-rs/argon2';
import type BetterSqlite from 'better-sqlite3';
import { columnNames, type Field, givenFields, toColumns, type ValuesOf } from '#base/fields.ts';
import { ENTRY_FIELDS } from '#rooms/time-entries/entry-fields.ts';
import { type Answer, type Asked, type Filter, filterOf, type Query, shapeOf, totalOf } from './asked.ts';
import {
  ACCOUNT,
  ACTIVITY,
  accountOf,
  activityOf,
  ENTRY,
  entryOf,
  type GrantShown,
  NAMES,
  pageOf,
  profileOf,
  type Row,
  SUMS,
  summaryOf,
  sumsOf,
  type Viewer,
} from './replies.ts';

type Statement = BetterSqlite.Statement<unknown[], Row>;

// Long because each statement stands beside the answer that it is for.
/** The answers on SQLite. */
export function onSqlite(file: BetterSqlite.Database): Answer {
  // With a plain `?` SQLite would plan a join anew for each value.
  const prepared = (text: string): Statement =>
    file.prepare<unknown[], Row>(text.replaceAll(/(?<!limit )\?/g, '+?'));
  const read = (text: string): Statement => prepared(text).raw();
  const kept = new Map<string, Statement>();
  const keptAs = (shape: string, text: () => string): Statement => {
    const known = kept.get(shape) ?? read(text());
    kept.set(shape, known);
    return known;
  };

  const viewer = read(
    'select v.id, v.role from sessions t join users v on v.id = t.user_id where t.token_hash = ?',
  );
  const accountBySession = read(
    `select ${ACCOUNT} from sessions t join users v on v.id = t.user_id where t.token_hash = ?`,
  );
  const accountByEmail = read(`select ${ACCOUNT}, v.password_hash from users v where v.email_key = ?`);
  const schools = prepared(
    `select s.id, s.name, s.logo_url as "logoUrl" from user_schools m join schools s on s.id = m.school_id
     where m.user_id = ? order by s.name_key`,
  );
  const grants = read(
    `select g.role, s.id, s.name from user_grants g left join schools s on s.id = g.school_id
     where g.user_id = ? order by s.name_key`,
  );
  const addSession = prepared('insert into sessions (token_hash, user_id) values (?, ?)');
  const activities = read(
    `select ${ACTIVITY} from activities a join categories c on c.id = a.category_id
     left join activity_sums n on n.activity_id = a.id where a.school_id = ? order by a.name_key, a.id`,
  );
  const recent = read(
    `select ${ENTRY} from time_entries e ${NAMES} where e.user_id = ? and e.school_id = ?
     order by e.entry_date desc, e.id desc limit ?`,
  );
  const entry = read(`select ${ENTRY} from time_entries e ${NAMES} where e.id = ?`);
  const schoolOf = read('select school_id from activities where id = ?');
  const columns = columnNames(ENTRY_FIELDS);
  const insert = prepared(
    `insert into time_entries (${columns.join(', ')}, created_at, version)
     values (${columns.map(() => '?').join(', ')}, ?, 1)`,
  );
  const schoolSums = read('select entries, hours_hundredths, people from school_sums where school_id = ?');
  const daySums = read(
    `select coalesce(sum(entries), 0), coalesce(sum(hours_hundredths), 0) from day_sums
     where school_id = ? and entry_date >= ? and entry_date <= ?`,
  );
  const DAYS = 'e.entry_date >= ? and e.entry_date <= ?';
  const peopleOfEntries = read(
    `select count(distinct e.user_id) from time_entries e where e.school_id = ? and ${DAYS}`,
  );
  const peopleOfSchool = read(
    `select count(*) from school_people p where p.school_id = ? and exists (
       select 1 from time_entries e where e.user_id = p.user_id and e.school_id = p.school_id and ${DAYS})`,
  );
  const sums = read(analyticsFrom('activity_sums'));
  // Each activity's days are next to each other in an index.
  const sumsOfDays = read(
    analyticsFrom(`(select e.activity_id, count(*) as entries, sum(e.hours_hundredths) as hours_hundredths,
      count(distinct e.user_id) as people from time_entries e
      where e.activity_id in (select id from activities where school_id = ?) and ${DAYS} group by e.activity_id)`),
  );

  const accountFrom = (row: Row) =>
    accountOf(
      row,
      schools.all(row[0]) as unknown as object[],
      grants
        .all(row[0])
        .map(([role, id, name]): GrantShown => ({ role, school: id === null ? null : { id, name } })),
    );
  const login = async ({ body }: Asked) => {
    const row = accountByEmail.get(body.email.toLowerCase());
    if (row === undefined || !(await verify(row[8], body.password))) return undefined;
    const token = randomBytes(32).toString('base64url');
    addSession.run(hash('sha256', token), row[0]);
    return { user: accountFrom(row), token, message: 'Login successful' };
  };
  const list = (who: Viewer, query: Query) => {
    const shape = shapeOf(query);
    const filter = filterOf(query);
    const limit = Number(query['limit']) + 1;
    const rows = keptAs(shape, () => listed(query, filter)).all(...listValues(query, filter), limit);
    const total = keptAs(`total ${shape}`, () => totalOf(filter, query)).get(...filter.values);
    return { ...pageOf(who, rows, limit - 1), total: total?.[0] ?? 0 };
  };
  const summary = ({ schoolId, startDate, endDate }: Query) => {
    const known = schoolSums.get(Number(schoolId)) as Row;
    if (startDate === undefined) return summaryOf(known[0], known[1], known[2]);
    const values = [Number(schoolId), startDate, endDate];
    const [entries, hundredths] = daySums.get(...values) as Row;
    // The faster of the two ways for that many days.
    const [people] = (entries <= 6 * known[2] ? peopleOfEntries : peopleOfSchool).get(...values) as Row;
    return summaryOf(entries, hundredths, people);
  };
  const analytics = ({ schoolId, startDate, endDate }: Query) => {
    const school = Number(schoolId);
    const rows =
      startDate === undefined ? sums.all(school) : sumsOfDays.all(school, startDate, endDate, school);
    return { activities: rows.map(sumsOf) };
  };
  const create = (who: Viewer, body: Asked['body']) => {
    const [schoolId] = schoolOf.get(body.activityId) as Row;
    const said = { ...body, userId: who.id, schoolId } as ValuesOf<typeof ENTRY_FIELDS>;
    const values = Object.values(toColumns(ENTRY_FIELDS, givenFields(ENTRY_FIELDS, said)));
    const { lastInsertRowid } = insert.run(...values, new Date().toISOString());
    return { timeEntry: entryOf(who, entry.get(lastInsertRowid) as Row), message: 'logged' };
  };
  const update = (who: Viewer, id: number, body: Asked['body']) => {
    const said = Object.keys(body).map((name) => [
      (ENTRY_FIELDS as Record<string, Field>)[name] as Field,
      body[name],
    ]);
    keptAsWrite(said.map(([field]) => field.column)).run(
      ...said.map(([field, value]) => field.toColumn(value)),
      id,
    );
    return { timeEntry: entryOf(who, entry.get(id) as Row), message: 'Time entry updated successfully' };
  };
  const keptAsWrite = (names: readonly string[]): Statement => {
    const shape = `update ${names}`;
    const set = names.map((name) => `${name} = ?`);
    const known =
      kept.get(shape) ?? prepared(`update time_entries set ${set}, version = version + 1 where id = ?`);
    kept.set(shape, known);
    return known;
  };

  const answer = (asked: Asked): object | undefined => {
    const { path, query, token } = asked;
    if (path === '/api/profile') {
      const row = accountBySession.get(token);
      return row && profileOf(accountFrom(row));
    }
    const row = viewer.get(token);
    if (row === undefined) return undefined;
    const who = { id: row[0], role: row[1] };
    if (path === '/api/activities')
      return { activities: activities.all(Number(query['schoolId'])).map(activityOf), closed: null };
    if (path === '/api/admin/time-entries') return list(who, query);
    if (path === '/api/admin/time-entries/summary') return summary(query);
    if (path === '/api/admin/analytics/activities') return analytics(query);
    if (asked.method === 'POST') return create(who, asked.body);
    if (asked.method === 'PUT') return update(who, Number(path.slice(path.lastIndexOf('/') + 1)), asked.body);
    const limit = Number(query['limit']);
    return pageOf(who, recent.all(who.id, Number(query['schoolId']), limit + 1), limit);
  };
  return (asked, done) => {
    if (asked.path === '/api/auth/login') void login(asked).then(done);
    else done(answer(asked));
  };
}

function analyticsFrom(sums: string): string {
  return `select ${SUMS} from activities a join ${sums} n on n.activity_id = a.id
    join categories c on c.id = a.category_id where a.school_id = ? and n.entries > 0
    order by n.hours_hundredths desc, a.name_key, a.id`;
}

// Sorted by what stands in another table, the outer loop runs in the order of that table's index and ends early.
function listed(query: Query, { where }: Filter): string {
  const { sortBy: by, sortOrder: way, cursor } = query;
  const select = `select ${ENTRY} from`;
  if (by === 'hours' || by === 'entryDate') {
    const key = by === 'hours' ? 'e.hours_hundredths' : 'e.entry_date';
    const after = cursor === undefined ? '' : `and (${key}, e.id) < (?, ?)`;
    return `${select} time_entries e ${NAMES} where ${where} ${after} order by ${key} ${way}, e.id ${way} limit ?`;
  }
  const names = NAMES.replaceAll('join', 'cross join');
  if (by === 'userName') {
    return `${select} school_people o cross join time_entries e ${names}
      where o.school_id = ? and e.user_id = o.user_id and ${where}
      order by o.sort_key ${way}, o.user_id ${way}, e.entry_date ${way}, e.id ${way} limit ?`;
  }
  const [key, known] =
    by === 'activityName' ? ['o.name_key', ''] : ['o.active_from', 'and o.active_from is not null'];
  return `${select} activities o cross join time_entries e ${names}
    where o.school_id = ? and e.activity_id = o.id ${known} ${where.replace('e.school_id = ?', '')}
    order by ${key} ${way}, o.id ${way}, e.entry_date ${way}, e.id ${way} limit ?`;
}

function listValues({ sortBy, schoolId, cursor }: Query, { values }: Filter): unknown[] {
  if (sortBy === 'userName') return [Number(schoolId), ...values];
  if (cursor === undefined) return [...values];
  return [...values, ...JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8'))];
}
