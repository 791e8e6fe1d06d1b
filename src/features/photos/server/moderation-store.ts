import { sql } from 'kysely';
import type { Db, Trx } from '#server/db/database.ts';
import { inSchools } from '#server/db/queries/conditions.ts';
import { countRows } from '#server/db/queries/count-rows.ts';
import type { Page } from '#server/db/queries/pagination.ts';
import { toPersonRef } from '#server/db/queries/person-ref.ts';
import { RECIPIENT, type Recipient, selectAdministrators } from '#server/db/queries/recipient.ts';
import { translatedName } from '#server/db/queries/translated-name.ts';
import type { SchoolScope } from '#server/http/viewer.ts';
import type { Instant } from '#shared/calendar-date.ts';
import { rolesFor } from '#shared/permissions.ts';
import type { PhotoToReview } from '../contract.ts';
import { type PhotoAudience, type StoredPhoto, selectPhotos, toPhoto } from './store.ts';

/** Returns a page of photos that wait for a decision, oldest upload first, plus one row that shows whether there are more. */
export async function pageOfPhotosToReview(
  db: Db,
  audience: PhotoAudience,
  schools: SchoolScope,
  page: Page,
): Promise<(StoredPhoto & Pick<PhotoToReview, 'takedown'>)[]> {
  const rows = await selectPhotos(db)
    .leftJoin('users as asker', 'asker.id', 'photos.hidden_by')
    .select(['photos.hidden_reason', 'photos.hidden_at', 'asker.id as asker_id'])
    .select(['asker.first_name as asker_first', 'asker.last_name as asker_last'])
    .where(inSchools('photos.school_id', schools))
    .where(sql<boolean>`photos.deleted_at is null and photos.review <> 'visible'`)
    .where(page.after === undefined ? sql<boolean>`1 = 1` : sql<boolean>`photos.id > ${page.after[0]}`)
    .orderBy('photos.id')
    .limit(page.limit + 1)
    .execute();
  return rows.map((row) => ({
    ...toPhoto(audience, row),
    takedown:
      row.hidden_at === null
        ? null
        : {
            reason: row.hidden_reason,
            at: row.hidden_at,
            by: toPersonRef(row.asker_id, row.asker_first, row.asker_last),
          },
  }));
}

/** Counts the photos that wait for a decision. */
export function countWaitingPhotos(db: Db, schools: SchoolScope): Promise<number> {
  return countRows(
    db
      .selectFrom('photos')
      .where(inSchools('school_id', schools))
      .where(sql<boolean>`deleted_at is null and review <> 'visible'`),
  );
}

/** Makes a photo visible to all members of the school. */
export async function markVisible(trx: Trx, id: number): Promise<void> {
  await trx
    .updateTable('photos')
    .set((eb) => ({
      review: 'visible',
      review_round: eb('review_round', '+', 1),
      hidden_reason: null,
      hidden_at: null,
      hidden_by: null,
      version: eb('version', '+', 1),
    }))
    .where('id', '=', id)
    .execute();
}

/** Hides a photo until administrators decide. */
export async function markReported(
  trx: Trx,
  id: number,
  takedown: { at: Instant; by: number; reason: string | null },
): Promise<void> {
  await trx
    .updateTable('photos')
    .set((eb) => ({
      review: 'reported',
      review_round: eb('review_round', '+', 1),
      hidden_reason: takedown.reason,
      hidden_at: takedown.at,
      hidden_by: takedown.by,
      version: eb('version', '+', 1),
    }))
    .where('id', '=', id)
    .execute();
}

/** Returns the active district administrators among these users. */
export async function findAdministratorsAmong(db: Db, ids: readonly number[]): Promise<Recipient[]> {
  return ids.length === 0 ? [] : selectAdministrators(db).where('users.id', 'in', ids).execute();
}

/** Returns active users who administer a school, without the district's administrators, who are notified separately. */
export function listSchoolAdministrators(db: Db, schoolId: number): Promise<Recipient[]> {
  return db
    .selectFrom('users')
    .select(RECIPIENT)
    .where('role', '=', 'user')
    .where('is_active', '=', 1)
    .where('users.id', 'in', (grantsQuery) =>
      grantsQuery
        .selectFrom('user_grants')
        .select('user_id')
        .where('school_id', '=', schoolId)
        .where('role', 'in', rolesFor('edit school')),
    )
    .orderBy('id')
    .execute();
}

/** Returns the names of an activity and its school. */
export function findActivityNames(db: Db, activityId: number): Promise<{ school: string; activity: string }> {
  return db
    .selectFrom('activities')
    .innerJoin('schools', 'schools.id', 'activities.school_id')
    .select([translatedName('schools').as('school'), translatedName('activities').as('activity')])
    .where('activities.id', '=', activityId)
    .executeTakeFirstOrThrow();
}
