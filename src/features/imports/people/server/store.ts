import { type RawBuilder, sql } from 'kysely';
import type { PersonRef, Role } from '#features/users/contract.ts';
import { collect, inChunks } from '#server/db/chunks.ts';
import type { Db, Trx } from '#server/db/database.ts';
import { inSchools } from '#server/db/queries/conditions.ts';
import { beforeId, type Page } from '#server/db/queries/pagination.ts';
import { toPersonRef } from '#server/db/queries/person-ref.ts';
import { translatedName } from '#server/db/queries/translated-name.ts';
import { forUpdate } from '#server/db/row-locks.ts';
import type { Viewer } from '#server/http/viewer.ts';
import { isUnderLegalHold } from '#server/personal-data/legal-hold-store.ts';
import type { Instant } from '#shared/calendar-date.ts';
import type { UserImport } from '../contract.ts';

/** A school with the keys that cells are matched by. */
export type SchoolName = Readonly<{ id: number; name: string; name_key: string; translated_key: string }>;

/** The account that a row is about. */
export type KnownAccount = Readonly<{
  id: number;
  firstName: string;
  lastName: string;
  email: string;
  role: Role;
  isActive: boolean;
  isEmailConfirmed: boolean;
  isWalkIn: boolean;
  vouchedBy: number | null;
  lastLogin: Instant | null;
  /** The account's roles, of which only the number matters. */
  grants: Readonly<{ length: number }>;
}>;

/** Every school. */
export async function listSchools(db: Db): Promise<SchoolName[]> {
  return db
    .selectFrom('schools')
    .select(['id', translatedName('schools').as('name'), 'name_key', 'translated_key'])
    .execute();
}

/** The accounts of these addresses, by `emailKey`. */
export async function findAccountsByEmail(
  db: Db,
  keys: readonly string[],
): Promise<Map<string, KnownAccount>> {
  const rows = await collect(keys, (some) =>
    db
      .selectFrom('users')
      .select(['id', 'email', 'email_key', 'first_name', 'last_name', 'role', 'is_active'])
      .select(['email_verified_at', 'vouched_by', 'last_login_at'])
      .select((eb) =>
        eb
          .selectFrom('user_grants')
          .select(eb.fn.countAll<number>().as('count'))
          .whereRef('user_grants.user_id', '=', 'users.id')
          .as('grants'),
      )
      .where('email_key', 'in', some)
      .execute(),
  );
  return new Map(
    rows.map((row) => [
      row.email_key,
      {
        id: row.id,
        firstName: row.first_name,
        lastName: row.last_name,
        email: row.email,
        role: row.role,
        isActive: row.is_active === 1,
        isEmailConfirmed: row.email_verified_at !== null,
        isWalkIn: false,
        vouchedBy: row.vouched_by,
        lastLogin: row.last_login_at,
        grants: { length: row.grants ?? 0 },
      },
    ]),
  );
}

/** The memberships of these people, pending ones included. */
export async function findMembershipsAmong(
  db: Db,
  userIds: readonly number[],
): Promise<Map<number, Map<number, 'active' | 'pending'>>> {
  const rows = await collect(userIds, (some) =>
    db
      .selectFrom('user_schools')
      .select(['user_id', 'school_id', 'status'])
      .where('user_id', 'in', some)
      .execute(),
  );
  const found = new Map<number, Map<number, 'active' | 'pending'>>();
  for (const row of rows) {
    const own = found.get(row.user_id) ?? new Map<number, 'active' | 'pending'>();
    found.set(row.user_id, own.set(row.school_id, row.status));
  }
  return found;
}

/** Stores an import. Returns its id. */
export async function insertImport(
  trx: Trx,
  made: { by: number; at: Instant; people: number; memberships: number; hasMail: boolean },
): Promise<number> {
  const { id } = await trx
    .insertInto('user_imports')
    .values({
      imported_by: made.by,
      imported_at: made.at,
      people: made.people,
      memberships: made.memberships,
      has_mail: made.hasMail ? 1 : 0,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

/** Stores which people an import created. */
export async function insertCreatedUsers(
  trx: Trx,
  importId: number,
  userIds: readonly number[],
): Promise<void> {
  await inChunks(userIds, (some) =>
    trx
      .insertInto('user_import_users')
      .values(some.map((userId) => ({ import_id: importId, user_id: userId })))
      .execute(),
  );
}

/** Stores which memberships an import gave to existing people. */
export async function insertGrantedMemberships(
  trx: Trx,
  importId: number,
  given: readonly Readonly<{ userId: number; schoolId: number; wasPending: boolean }>[],
): Promise<void> {
  await inChunks(given, (some) =>
    trx
      .insertInto('user_import_memberships')
      .values(
        some.map(({ userId, schoolId, wasPending }) => ({
          import_id: importId,
          user_id: userId,
          school_id: schoolId,
          was_pending: wasPending ? (1 as const) : (0 as const),
        })),
      )
      .execute(),
  );
}

/** A page of imports, latest first; one more than the page's limit. */
export async function pageOfImports(
  db: Db,
  viewer: Viewer,
  page: Page,
  undoableSince: Instant,
): Promise<UserImport[]> {
  const rows = await selectImports(db)
    .where(visibleTo(viewer))
    .where(beforeId('user_imports', page))
    .orderBy('user_imports.id', 'desc')
    .limit(page.limit + 1)
    .execute();
  return rows.map((row) => toUserImport(row, undoableSince));
}

/** An import that the viewer may see, or undefined. */
export async function findImport(
  db: Db,
  viewer: Viewer,
  id: number,
  undoableSince: Instant,
): Promise<UserImport | undefined> {
  const row = await selectImports(db)
    .where('user_imports.id', '=', id)
    .where(visibleTo(viewer))
    .executeTakeFirst();
  return row === undefined ? undefined : toUserImport(row, undoableSince);
}

// School administrators see only their own imports, and only if they still administer all schools involved.
function visibleTo({ userId, schools }: Viewer): RawBuilder<boolean> {
  if (schools === 'all') return sql<boolean>`1 = 1`;
  return sql<boolean>`(user_imports.imported_by = ${userId}
    and not exists (select 1 from user_import_memberships as given
      where given.import_id = user_imports.id and not ${inSchools('given.school_id', schools)})
    and not exists (select 1 from user_import_users as made join user_schools on user_schools.user_id = made.user_id
      where made.import_id = user_imports.id and not ${inSchools('user_schools.school_id', schools)}))`;
}

export async function markUndone(trx: Trx, id: number, at: Instant): Promise<void> {
  await trx.updateTable('user_imports').set({ undone_at: at }).where('id', '=', id).execute();
}

/** Whether a legal hold covers a person that the import created. */
export const isImportUnderLegalHold = sql<boolean>`exists (select 1 from user_import_users as made
  where made.import_id = user_imports.id and ${isUnderLegalHold({ people: ['made.user_id'] })})`;

/** The stored imports that created the account or added it to a school. */
export async function listImportsOf(db: Db, userId: number) {
  const made = await db
    .selectFrom('user_import_users')
    .innerJoin('user_imports', 'user_imports.id', 'user_import_users.import_id')
    .select('user_imports.imported_at as importedAt')
    .where('user_import_users.user_id', '=', userId)
    .execute();
  const joined = await db
    .selectFrom('user_import_memberships as given')
    .innerJoin('user_imports', 'user_imports.id', 'given.import_id')
    .innerJoin('schools', 'schools.id', 'given.school_id')
    .select(['user_imports.imported_at as importedAt', 'schools.name as school'])
    .where('given.user_id', '=', userId)
    .execute();
  return [...made.map((row) => ({ ...row, school: null })), ...joined];
}

/** Deletes the links between a user and imports. */
export async function deleteImportTracesOf(trx: Trx, userId: number): Promise<void> {
  await trx.deleteFrom('user_import_users').where('user_id', '=', userId).execute();
  await trx.deleteFrom('user_import_memberships').where('user_id', '=', userId).execute();
}

function selectImports(db: Db) {
  return db
    .selectFrom('user_imports')
    .leftJoin('users', 'users.id', 'user_imports.imported_by')
    .select([
      'user_imports.id',
      'user_imports.imported_by',
      'user_imports.imported_at as importedAt',
      'user_imports.people',
      'user_imports.memberships',
      'user_imports.has_mail',
      'user_imports.undone_at as undoneAt',
      'users.first_name',
      'users.last_name',
    ]);
}

type ImportRow = Awaited<ReturnType<ReturnType<typeof selectImports>['execute']>>[number];

function toUserImport(
  { imported_by, first_name, last_name, has_mail, ...row }: ImportRow,
  undoableSince: Instant,
): UserImport {
  return {
    ...row,
    importedBy: toPersonRef(imported_by, first_name, last_name),
    hasMail: has_mail === 1,
    canUndo: row.undoneAt === null && row.importedAt >= undoableSince,
  };
}

/** A person created by an import, and what they have done since. */
export type CreatedPerson = PersonRef &
  Readonly<{ email: string; hasSignedIn: boolean; hasPassword: boolean; hasRecords: boolean }>;

/** A membership given by an import that still exists; `schools` is how many schools the person belongs to. */
export type GrantedMembership = Readonly<{
  user: PersonRef & Readonly<{ role: Role }>;
  schoolId: number;
  school: string;
  wasPending: boolean;
  hasHoursSince: boolean;
  schools: number;
}>;

/** Locks the accounts that an import created or added to a school, so that no one can grant them roles in the meantime. */
export async function lockPeopleOfImport(trx: Trx, importId: number): Promise<void> {
  const people = (table: 'user_import_users' | 'user_import_memberships') =>
    trx.selectFrom(table).select(`${table}.user_id`).where(`${table}.import_id`, '=', importId);
  await forUpdate(
    trx,
    trx
      .selectFrom('users')
      .select('id')
      .where('id', 'in', people('user_import_users').union(people('user_import_memberships')))
      .orderBy('id'),
  ).execute();
}

/** The people created by an import who still exist. */
export async function findPeopleCreatedBy(trx: Trx, importId: number): Promise<CreatedPerson[]> {
  const rows = await trx
    .selectFrom('user_import_users')
    .innerJoin('users', 'users.id', 'user_import_users.user_id')
    .select(['users.id', 'users.email', 'users.first_name', 'users.last_name'])
    .select(['users.last_login_at', 'users.password_hash'])
    .where('user_import_users.import_id', '=', importId)
    .orderBy('users.sort_key')
    .orderBy('users.id')
    .execute();
  const busy = await findPeopleWithRecords(
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

/** The memberships from an import that still exist, and whether the person has logged hours at that school since. */
export async function findMembershipsGrantedBy(
  trx: Trx,
  importId: number,
  since: Instant,
): Promise<GrantedMembership[]> {
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
  const logged = await findLoggedSince(trx, ids, since);
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

// Soft-deleted rows count too, because an undo must not delete anything that a person did.
async function findPeopleWithRecords(trx: Trx, ids: readonly number[]): Promise<ReadonlySet<number>> {
  const found = new Set<number>();
  for (const table of ['time_entries', 'photos', 'activity_suggestions'] as const) {
    const rows = await collect(ids, (some) =>
      trx.selectFrom(table).select('user_id').distinct().where('user_id', 'in', some).execute(),
    );
    for (const row of rows) found.add(row.user_id);
  }
  // An account merged into this one would be deleted with it.
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

async function findLoggedSince(
  trx: Trx,
  ids: readonly number[],
  since: Instant,
): Promise<ReadonlySet<string>> {
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
