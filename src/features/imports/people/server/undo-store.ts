import type { PersonRef, Role } from '#features/users/contract.ts';
import { collect } from '#server/db/chunks.ts';
import type { Trx } from '#server/db/database.ts';
import { forUpdate } from '#server/db/row-locks.ts';
import type { Instant } from '#shared/calendar-date.ts';

/** A person created by an import, and what they have done since. */
export type Newcomer = PersonRef &
  Readonly<{ email: string; hasSignedIn: boolean; hasPassword: boolean; hasRecords: boolean }>;

/** A membership given by an import that still exists; `schools` is how many schools the person belongs to. */
export type GivenMembership = Readonly<{
  user: PersonRef & Readonly<{ role: Role }>;
  schoolId: number;
  school: string;
  wasPending: boolean;
  hasHoursSince: boolean;
  schools: number;
}>;

/** Locks the accounts that an import created or gave a school, so that nobody gives them rights meanwhile. */
export async function lockPeopleOfImport(trx: Trx, importId: number): Promise<void> {
  const people = (table: 'user_import_people' | 'user_import_memberships') =>
    trx.selectFrom(table).select(`${table}.user_id`).where(`${table}.import_id`, '=', importId);
  await forUpdate(
    trx,
    trx
      .selectFrom('users')
      .select('id')
      .where('id', 'in', people('user_import_people').union(people('user_import_memberships')))
      .orderBy('id'),
  ).execute();
}

/** The people created by an import who still exist. */
export async function findPeopleCreatedBy(trx: Trx, importId: number): Promise<Newcomer[]> {
  const rows = await trx
    .selectFrom('user_import_people')
    .innerJoin('users', 'users.id', 'user_import_people.user_id')
    .select(['users.id', 'users.email', 'users.first_name', 'users.last_name'])
    .select(['users.last_login_at', 'users.password_hash'])
    .where('user_import_people.import_id', '=', importId)
    .orderBy('users.sort_key')
    .orderBy('users.id')
    .execute();
  const busy = await withRecords(
    trx,
    rows.map((row) => row.id),
  );
  return rows.map((row) => ({
    id: row.id,
    email: row.email,
    firstName: row.first_name,
    lastName: row.last_name,
    hasSignedIn: row.last_login_at !== null,
    hasPassword: row.password_hash !== null,
    hasRecords: busy.has(row.id),
  }));
}

/** The memberships of an import that are still there, with what happened at these schools since a moment. */
export async function findMembershipsGrantedBy(
  trx: Trx,
  importId: number,
  since: Instant,
): Promise<GivenMembership[]> {
  const rows = await trx
    .selectFrom('user_import_memberships as given')
    .innerJoin('user_schools as present', (join) =>
      join
        .onRef('present.user_id', '=', 'given.user_id')
        .onRef('present.school_id', '=', 'given.school_id')
        .on('present.status', '=', 'active'),
    )
    .innerJoin('users', 'users.id', 'given.user_id')
    .innerJoin('schools', 'schools.id', 'given.school_id')
    .select(['users.id', 'users.first_name', 'users.last_name', 'users.role'])
    .select(['given.school_id', 'given.was_pending', 'schools.name'])
    .where('given.import_id', '=', importId)
    .orderBy('users.sort_key')
    .orderBy('users.id')
    .orderBy('schools.name_key')
    .execute();
  const ids = [...new Set(rows.map((row) => row.id))];
  const logged = await loggedSince(trx, ids, since);
  const schools = await countSchools(trx, ids);
  return rows.map((row) => ({
    user: { id: row.id, firstName: row.first_name, lastName: row.last_name, role: row.role },
    schoolId: row.school_id,
    school: row.name,
    wasPending: row.was_pending === 1,
    hasHoursSince: logged.has(`${row.id} ${row.school_id}`),
    schools: schools.get(row.id) ?? 0,
  }));
}

// Rows in the trash count too: an undo deletes nothing that a person did.
async function withRecords(trx: Trx, ids: readonly number[]): Promise<ReadonlySet<number>> {
  const found = new Set<number>();
  for (const table of ['time_entries', 'photos', 'activity_suggestions'] as const) {
    const rows = await collect(ids, (some) =>
      trx.selectFrom(table).select('user_id').distinct().where('user_id', 'in', some).execute(),
    );
    for (const row of rows) found.add(row.user_id);
  }
  // Somebody else's account that became part of this one would go with it.
  const merged = await collect(ids, (some) =>
    trx
      .selectFrom('account_merges')
      .select('into_user_id')
      .where('into_user_id', 'in', some)
      .where('undone_at', 'is', null)
      .execute(),
  );
  for (const row of merged) found.add(row.into_user_id);
  return found;
}

async function loggedSince(trx: Trx, ids: readonly number[], since: Instant): Promise<ReadonlySet<string>> {
  const rows = await collect(ids, (some) =>
    trx
      .selectFrom('time_entries')
      .select(['user_id', 'school_id'])
      .distinct()
      .where('user_id', 'in', some)
      .where('created_at', '>=', since)
      .where('deleted_at', 'is', null)
      .execute(),
  );
  return new Set(rows.map((row) => `${row.user_id} ${row.school_id}`));
}

async function countSchools(trx: Trx, ids: readonly number[]): Promise<ReadonlyMap<number, number>> {
  const rows = await collect(ids, (some) =>
    trx
      .selectFrom('user_schools')
      .select(['user_id', (eb) => eb.fn.countAll<number>().as('count')])
      .where('user_id', 'in', some)
      .where('status', '=', 'active')
      .groupBy('user_id')
      .execute(),
  );
  return new Map(rows.map((row) => [row.user_id, row.count]));
}
