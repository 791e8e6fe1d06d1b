import type { Sent } from '../load.ts';
import { ADDRESS_END, directusUser } from './schema.ts';

const PERSON = ['user_id.id', 'user_id.first_name', 'user_id.last_name'];
const SCHOOL = ['school_id.id', 'school_id.name'];
const CATEGORY = ['id', 'name', 'color', 'kind'];
const ACTIVITY = ['id', 'name', 'is_active', 'active_from', 'requires_description', 'description_prompt'];

/** The columns of an entry that a screen shows. */
const ENTRY = [
  ...['id', 'entry_date', 'hours', 'notes', ...PERSON, ...SCHOOL],
  ...ACTIVITY.map((column) => `activity_id.${column}`),
  ...CATEGORY.map((column) => `activity_id.category_id.${column}`),
].join();
const LISTED_ACTIVITY = [
  ...[...ACTIVITY, 'description', 'active_until', 'school_id'],
  ...CATEGORY.map((column) => `category_id.${column}`),
].join();
const ACCOUNT = [
  ...['id', 'email', 'first_name', 'last_name', 'language', 'last_access'],
  ...SCHOOL.map((column) => `memberships.${column}`),
].join();

/** Our columns to sort by, as Directus has them. */
const SORTS: Readonly<Record<string, readonly string[]>> = {
  entryDate: ['entry_date'],
  userName: ['user_id.last_name', 'user_id.first_name'],
  activityName: ['activity_id.name'],
  hours: ['hours'],
  activityDate: ['activity_id.active_from'],
};

const FILTERS: Readonly<Record<string, string>> = {
  schoolId: 'filter[school_id][_eq]',
  activityId: 'filter[activity_id][_eq]',
  userId: 'filter[user_id][_eq]',
  startDate: 'filter[entry_date][_gte]',
  endDate: 'filter[entry_date][_lte]',
};

/**
 * One of our requests as a page on Directus would send it: for the same rows, and for the columns that its screen
 * shows.
 */
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
  if (path === '/api/activities') {
    return asks('/items/activities', { fields: LISTED_ACTIVITY, sort: 'name', limit: '-1' });
  }
  if (path === '/api/admin/time-entries/summary') return asks('/items/time_entries', SUMS);
  if (path === '/api/admin/analytics/activities') {
    return asks('/items/time_entries', { ...SUMS, 'groupBy[]': 'activity_id', limit: '-1' });
  }
  if (sent.method === 'POST') return written(sent, '/items/time_entries');
  if (sent.method === 'PUT') {
    return { ...written(sent, `/items/time_entries/${path.split('/').at(-1)}`), method: 'PATCH' };
  }
  const limit = query.get('limit') ?? '';
  return asks('/items/time_entries', {
    fields: ENTRY,
    limit,
    sort: sortOf(query.get('sortBy') ?? 'entryDate', query.get('sortOrder') ?? 'desc'),
    // The list of the Admin Panel says how many there are, and has pages.
    ...(path.startsWith('/api/admin/') ? { meta: 'filter_count' } : {}),
    ...(query.has('cursor') ? { offset: limit } : {}),
  });
}

const SUMS = {
  'aggregate[count]': 'id',
  'aggregate[sum]': 'hours',
  'aggregate[countDistinct]': 'user_id',
};

function sortOf(by: string, order: string): string {
  const sign = order === 'desc' ? '-' : '';
  return [...(SORTS[by] ?? []), 'id'].map((column) => `${sign}${column}`).join();
}

/** The columns of an entry that are named differently there. */
const COLUMNS: Readonly<Record<string, string>> = {
  activityId: 'activity_id',
  schoolId: 'school_id',
  entryDate: 'entry_date',
};

// What is written comes back as a list shows it.
function written(sent: Sent, path: string): Sent {
  const given = Object.entries(sent.body ?? {});
  const body = Object.fromEntries(given.map(([name, value]) => [COLUMNS[name] ?? name, value]));
  return { ...sent, path: `${path}?${new URLSearchParams({ fields: ENTRY })}`, body };
}
