import type { Sent } from '../http-client.ts';
import { ADDRESS_END, directusUser } from './schema.ts';

const within = (name: string, columns: readonly string[]) => columns.map((column) => `${name}.${column}`);
const SCHOOL = within('school_id', ['id', 'name']);
const CATEGORY = ['id', 'name', 'color', 'kind'];
const ACTIVITY = ['id', 'name', 'is_active', 'active_from', 'requires_description', 'description_prompt'];

/** The columns that our screens show, of an entry, an activity and an account. */
const ENTRY = [
  ...['id', 'entry_date', 'hours', 'notes', ...SCHOOL],
  ...within('user_id', ['id', 'first_name', 'last_name']),
  ...within('activity_id', [...ACTIVITY, ...within('category_id', CATEGORY)]),
].join();
const LISTED_ACTIVITY = [
  ...[...ACTIVITY, 'description', 'active_until', 'school_id'],
  ...within('category_id', CATEGORY),
].join();
const ACCOUNT = [
  ...['id', 'email', 'first_name', 'last_name', 'language', 'last_access'],
  ...within('memberships', SCHOOL),
].join();
const SUMS = {
  'aggregate[count]': 'id',
  'aggregate[sum]': 'hours',
  'aggregate[countDistinct]': 'user_id',
};

type Names = Readonly<Record<string, string>>;
/** Our columns to sort by, our filters and our fields of an entry, as Directus has them. */
const SORTS: Names = {
  entryDate: 'entry_date',
  userName: 'user_id.last_name,user_id.first_name',
  activityName: 'activity_id.name',
  hours: 'hours',
  activityDate: 'activity_id.active_from',
};
const FILTERS: Names = {
  schoolId: 'filter[school_id][_eq]',
  activityId: 'filter[activity_id][_eq]',
  userId: 'filter[user_id][_eq]',
  startDate: 'filter[entry_date][_gte]',
  endDate: 'filter[entry_date][_lte]',
};
const COLUMNS: Names = { activityId: 'activity_id', schoolId: 'school_id', entryDate: 'entry_date' };

/** One of our requests as a page on Directus would send it: for the same rows, and for what its screen shows. */
export function translate(sent: Sent): Sent {
  const [path = '', text = ''] = sent.path.split('?');
  const query = new URLSearchParams(text);
  const asks = (to: string, more: Record<string, string>): Sent => {
    const all = new URLSearchParams(more);
    for (const [name, value] of query) {
      const filter = FILTERS[name];
      if (filter !== undefined) all.set(filter, name === 'userId' ? directusUser(Number(value)) : value);
    }
    return { ...sent, path: `${to}?${all}` };
  };
  if (path === '/api/auth/login') {
    const { email, password } = sent.body as { email: string; password: string };
    return { ...sent, path: '/auth/login', body: { email: `${email}${ADDRESS_END}`, password } };
  }
  if (path === '/api/profile') return asks('/users/me', { fields: ACCOUNT });
  const entries = '/items/time_entries';
  if (path === '/api/activities') {
    return asks('/items/activities', { fields: LISTED_ACTIVITY, sort: 'name', limit: '-1' });
  }
  if (path === '/api/admin/time-entries/summary') return asks(entries, SUMS);
  if (path === '/api/admin/analytics/activities') {
    return asks(entries, { ...SUMS, 'groupBy[]': 'activity_id', limit: '-1' });
  }
  if (sent.method === 'POST') return written(sent, entries);
  if (sent.method === 'PUT')
    return { ...written(sent, `${entries}/${path.split('/').at(-1)}`), method: 'PATCH' };
  const limit = query.get('limit') ?? '';
  const sign = query.get('sortOrder') === 'asc' ? '' : '-';
  const sort = `${SORTS[query.get('sortBy') ?? 'entryDate']},id`.replace(
    /^|,/g,
    (comma) => `${comma}${sign}`,
  );
  return asks(entries, {
    ...{ fields: ENTRY, limit, sort },
    // The list of the Admin Panel says how many there are, and has pages.
    ...(path.startsWith('/api/admin/') ? { meta: 'filter_count' } : {}),
    ...(query.has('cursor') ? { offset: limit } : {}),
  });
}

// What is written comes back as a list shows it.
function written(sent: Sent, path: string): Sent {
  const given = Object.entries(sent.body ?? {});
  const body = Object.fromEntries(given.map(([name, value]) => [COLUMNS[name] ?? name, value]));
  return { ...sent, path: `${path}?${new URLSearchParams({ fields: ENTRY })}`, body };
}
