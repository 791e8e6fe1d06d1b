import type { ApiRequest } from '../http-client.ts';
import { ADDRESS_END, directusUser } from './schema.ts';

const within = (name: string, columns: readonly string[]) => columns.map((column) => `${name}.${column}`);
const SCHOOL = within('school_id', ['id', 'name']);
const CATEGORY = ['id', 'name', 'color', 'kind'];
const ACTIVITY = ['id', 'name', 'is_active', 'active_from', 'requires_description', 'description_prompt'];

/** The fields of an entry, an activity and an account that our screens show. */
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
/** Our sort columns, filters and fields of an entry, each with its name in Directus. */
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

/** Translates one of our requests into the request that a page on Directus would send for the same rows and fields. */
export function translate(request: ApiRequest): ApiRequest {
  const [path = '', text = ''] = request.path.split('?');
  const query = new URLSearchParams(text);
  const get = (to: string, more: Record<string, string>): ApiRequest => {
    const parameters = new URLSearchParams(more);
    for (const [name, value] of query) {
      const filter = FILTERS[name];
      if (filter === undefined) continue;
      parameters.set(filter, name === 'userId' ? directusUser(Number(value)) : value);
    }
    return { ...request, path: `${to}?${parameters}` };
  };
  if (path === '/api/auth/login') {
    const { email, password } = request.body as { email: string; password: string };
    return { ...request, path: '/auth/login', body: { email: `${email}${ADDRESS_END}`, password } };
  }
  if (path === '/api/profile') return get('/users/me', { fields: ACCOUNT });
  const entries = '/items/time_entries';
  if (path === '/api/activities') {
    return get('/items/activities', { fields: LISTED_ACTIVITY, sort: 'name', limit: '-1' });
  }
  if (path === '/api/admin/time-entries/summary') return get(entries, SUMS);
  if (path === '/api/admin/analytics/activities') {
    return get(entries, { ...SUMS, 'groupBy[]': 'activity_id', limit: '-1' });
  }
  if (request.method === 'POST') return write(request, entries);
  if (request.method === 'PUT') {
    return { ...write(request, `${entries}/${path.split('/').at(-1)}`), method: 'PATCH' };
  }
  const limit = query.get('limit') ?? '';
  const sign = query.get('sortOrder') === 'asc' ? '' : '-';
  const sort = `${SORTS[query.get('sortBy') ?? 'entryDate']},id`.replace(
    /^|,/g,
    (comma) => `${comma}${sign}`,
  );
  return get(entries, {
    ...{ fields: ENTRY, limit, sort },
    // The Admin Panel's list shows the total and has pages.
    ...(path.startsWith('/api/admin/') ? { meta: 'filter_count' } : {}),
    ...(query.has('cursor') ? { offset: limit } : {}),
  });
}

// The reply has the fields that a list shows.
function write(request: ApiRequest, path: string): ApiRequest {
  const values = Object.entries(request.body ?? {});
  const body = Object.fromEntries(values.map(([name, value]) => [COLUMNS[name] ?? name, value]));
  return { ...request, path: `${path}?${new URLSearchParams({ fields: ENTRY })}`, body };
}
