/** The values of a query string; the bench sends none that would have to be decoded. */
export type Query = Readonly<{ [name: string]: string | undefined }>;

/** A request as the limit reads it. `token` is the SHA-256 of the bearer token, in hexadecimal digits. */
export type Asked = Readonly<{
  method: string;
  path: string;
  query: Query;
  token: string;
  // biome-ignore lint/suspicious/noExplicitAny: bodies of every shape
  body: any;
}>;

/** Answers a request with a body, or with nothing where nobody is signed in. */
export type Answer = (asked: Asked, done: (body: object | undefined) => void) => void;

/** Reads a query string. */
export function queryOf(text: string): Query {
  const query: Record<string, string> = {};
  for (const part of text.split('&')) {
    const at = part.indexOf('=');
    query[part.slice(0, at)] = part.slice(at + 1);
  }
  return query;
}

/** What a list of entries is filtered by: the tests in its statement with `?` for each of the values. */
export type Filter = Readonly<{ where: string; values: readonly (string | number)[] }>;

/** The filter of a query. An activity belongs to one school, which need not be tested then. */
export function filterOf(query: Query): Filter {
  const { userId, activityId, startDate, endDate } = query;
  const schoolId = activityId === undefined ? query['schoolId'] : undefined;
  const tests = [
    ['e.user_id = ?', userId && Number(userId)],
    ['e.activity_id = ?', activityId && Number(activityId)],
    ['e.school_id = ?', schoolId && Number(schoolId)],
    ['e.entry_date >= ?', startDate],
    ['e.entry_date <= ?', endDate],
  ].filter(([, value]) => value !== undefined) as [string, string | number][];
  return { where: tests.map(([test]) => test).join(' and '), values: tests.map(([, value]) => value) };
}

/** The statement that counts what a filter finds, out of the sums where they have it. */
export function totalOf({ where }: Filter, { userId, activityId, startDate }: Query): string {
  if (userId !== undefined || (activityId !== undefined && startDate !== undefined)) {
    return `select count(*) from time_entries e where ${where}`;
  }
  if (activityId !== undefined) return 'select entries from activity_sums e where e.activity_id = ?';
  if (startDate === undefined) return 'select entries from school_sums e where e.school_id = ?';
  return `select coalesce(sum(entries), 0) from day_sums e where ${where}`;
}

/** The names of what is asked, by which the statement for it is kept. */
export function shapeOf(query: Query): string {
  const { sortBy, sortOrder, userId, activityId, startDate, endDate, cursor } = query;
  const given = [userId, activityId, startDate, endDate, cursor].map((value) =>
    value === undefined ? 0 : 1,
  );
  return `${sortBy} ${sortOrder} ${given.join('')}`;
}
