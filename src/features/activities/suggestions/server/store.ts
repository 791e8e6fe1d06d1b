import { sql } from 'kysely';
import type { PersonRef } from '#features/users/contract.ts';
import type { Db, Trx } from '#server/db/database.ts';
import { changesRows } from '#server/db/queries/changes-rows.ts';
import { inSchools } from '#server/db/queries/conditions.ts';
import { countRows } from '#server/db/queries/count-rows.ts';
import { beforeId, type Page } from '#server/db/queries/pagination.ts';
import { translatedName } from '#server/db/queries/translated-name.ts';
import { canAt, type SchoolScope, type Viewer } from '#server/http/viewer.ts';
import type { Instant } from '#shared/calendar-date.ts';
import { columnsIn, fromColumns, toColumns, type ValuesOf } from '#shared/entity-fields.ts';
import type { AdminSuggestion, Status, StatusCounts } from '../contract.ts';
import { SUGGESTION_FIELDS } from '../suggestion-fields.ts';

/** A new suggestion with its author and time. */
export type NewSuggestion = ValuesOf<typeof SUGGESTION_FIELDS> & Readonly<{ userId: number; at: Instant }>;

/** A decision on a suggestion with its author and time. */
export type Decision = Readonly<{
  status: Exclude<Status, 'pending'>;
  reason: string | null;
  activityId?: number;
  by: number;
  at: Instant;
}>;

/** Returns a page of a user's own suggestions, latest first, plus one row that shows whether there are more. */
export async function readPageOfOwn(
  db: Db,
  viewer: Viewer,
  status: Status | undefined,
  page: Page,
): Promise<AdminSuggestion[]> {
  const rows = await selectSuggestions(db)
    .where('activity_suggestions.user_id', '=', viewer.userId)
    .$if(status !== undefined, (query) =>
      query.where('activity_suggestions.status', '=', status ?? 'pending'),
    )
    .where(beforeId('activity_suggestions', page))
    .orderBy('activity_suggestions.id', 'desc')
    .limit(page.limit + 1)
    .execute();
  return rows.map((row) => toSuggestion(viewer, row));
}

/** Counts a user's suggestions by status. */
export async function countByStatus(db: Db, userId: number): Promise<StatusCounts> {
  const rows = await db
    .selectFrom('activity_suggestions')
    .select((eb) => ['status', eb.fn.countAll<number>().as('count')])
    .where('user_id', '=', userId)
    .groupBy('status')
    .execute();
  const of = (status: Status) => rows.find((row) => row.status === status)?.count ?? 0;
  return {
    pending: of('pending'),
    approved: of('approved'),
    rejected: of('rejected'),
    total: rows.reduce((total, row) => total + row.count, 0),
  };
}

/** Returns pending or decided suggestions of these schools, latest first, optionally only those before an id. */
export async function listSuggestions(
  db: Db,
  viewer: Viewer,
  filter: { schools: SchoolScope; isPending: boolean; before: number | undefined; limit: number },
): Promise<AdminSuggestion[]> {
  const { schools, isPending, before, limit } = filter;
  const rows = await selectSuggestions(db)
    .where(inSchools('activity_suggestions.school_id', schools))
    .where('activity_suggestions.status', isPending ? '=' : '<>', sql.lit('pending'))
    .$if(before !== undefined, (query) => query.where('activity_suggestions.id', '<', before ?? 0))
    .orderBy('activity_suggestions.id', 'desc')
    .limit(limit)
    .execute();
  return rows.map((row) => toSuggestion(viewer, row));
}

/** Counts the pending suggestions of these schools. */
export function countPending(db: Db, schools: SchoolScope): Promise<number> {
  return countRows(
    db
      .selectFrom('activity_suggestions')
      .where('status', '=', 'pending')
      .where(inSchools('school_id', schools)),
  );
}

/** Returns a suggestion in the viewer's scope, or undefined. */
export async function findSuggestion(
  db: Db,
  viewer: Viewer,
  id: number,
): Promise<AdminSuggestion | undefined> {
  const row = await selectSuggestions(db)
    .where('activity_suggestions.id', '=', id)
    .where(inSchools('activity_suggestions.school_id', viewer.schools))
    .executeTakeFirst();
  return row === undefined ? undefined : toSuggestion(viewer, row);
}

/** Inserts a suggestion. Returns its id. A foreign-key violation means the school or category was deleted. */
export async function insertSuggestion(trx: Trx, suggestion: NewSuggestion): Promise<number> {
  const { id } = await trx
    .insertInto('activity_suggestions')
    .values({
      ...toColumns(SUGGESTION_FIELDS, suggestion),
      user_id: suggestion.userId,
      status: 'pending',
      created_at: suggestion.at,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

/** Stores a decision if the suggestion has one of these statuses. Returns false if its status has changed. */
export function writeDecision(
  trx: Trx,
  id: number,
  from: readonly Status[],
  decision: Decision,
): Promise<boolean> {
  return changesRows(
    trx
      .updateTable('activity_suggestions')
      .set((eb) => ({
        status: decision.status,
        admin_reason: decision.reason,
        ...(decision.activityId === undefined ? {} : { approved_activity_id: decision.activityId }),
        decided_by: decision.by,
        decided_at: decision.at,
        version: eb('version', '+', 1),
      }))
      .where('id', '=', id)
      .where('status', 'in', from),
  );
}

/** Deletes a suggestion permanently. */
export async function purgeSuggestion(trx: Trx, id: number): Promise<void> {
  await trx.deleteFrom('activity_suggestions').where('id', '=', id).execute();
}

// Left joins prevent both engines from starting with the schools or users table.
function selectSuggestions(db: Db) {
  return db
    .selectFrom('activity_suggestions')
    .leftJoin('schools', 'schools.id', 'activity_suggestions.school_id')
    .leftJoin('users', 'users.id', 'activity_suggestions.user_id')
    .leftJoin('categories', 'categories.id', 'activity_suggestions.category_id')
    .leftJoin('activities', 'activities.id', 'activity_suggestions.approved_activity_id')
    .leftJoin('users as deciders', 'deciders.id', 'activity_suggestions.decided_by')
    .select([
      'activity_suggestions.id',
      'activity_suggestions.user_id',
      ...columnsIn('activity_suggestions', SUGGESTION_FIELDS),
      'activity_suggestions.status',
      'activity_suggestions.admin_reason',
      'activity_suggestions.approved_activity_id',
      'activity_suggestions.decided_by',
      'activity_suggestions.decided_at',
      'activity_suggestions.created_at',
      'activity_suggestions.version',
      translatedName<string | null>('schools').as('school_name'),
      'users.first_name',
      'users.last_name',
      'users.email',
      'users.erased_at',
      translatedName<string | null>('categories').as('category_name'),
      'categories.color as category_color',
      'categories.kind as category_kind',
      translatedName<string | null>('activities').as('activity_name'),
      'activities.is_active as activity_is_active',
      'deciders.first_name as decider_first_name',
      'deciders.last_name as decider_last_name',
    ]);
}

type SuggestionRow = Awaited<ReturnType<ReturnType<typeof selectSuggestions>['execute']>>[number];

function toSuggestion(viewer: Viewer, row: SuggestionRow): AdminSuggestion {
  const mayDecide = canAt(viewer, 'decide suggestions', row.school_id);
  return {
    id: row.id,
    ...fromColumns(SUGGESTION_FIELDS, row),
    category: categoryOf(row),
    status: row.status,
    adminReason: row.admin_reason,
    approvedActivity:
      row.approved_activity_id === null
        ? null
        : {
            id: row.approved_activity_id,
            name: row.activity_name ?? '',
            isActive: row.activity_is_active === 1,
          },
    createdAt: row.created_at,
    decidedAt: row.decided_at,
    school: { id: row.school_id, name: row.school_name ?? '' },
    user: {
      ...personOf(row.user_id, row.first_name, row.last_name),
      email: row.erased_at === null ? row.email : null,
    },
    version: row.version,
    canEdit: mayDecide && row.status === 'pending',
    canDelete: mayDecide,
    decidedBy:
      row.decided_by === null || row.decider_first_name === null
        ? null
        : personOf(row.decided_by, row.decider_first_name, row.decider_last_name),
  };
}

function categoryOf(row: SuggestionRow) {
  const { category_id: id, category_name: name, category_color: color, category_kind: kind } = row;
  return id === null || name === null || color === null || kind === null ? null : { id, name, color, kind };
}

function personOf(id: number, firstName: string | null, lastName: string | null): PersonRef {
  return { id, firstName: firstName ?? '', lastName: lastName ?? '' };
}
