import { collect } from '#server/db/chunks.ts';
import type { Db, Trx } from '#server/db/database.ts';
import { inSchools } from '#server/db/queries/conditions.ts';
import { translatedName } from '#server/db/queries/translated-name.ts';
import { forUpdate, lockForNoKeyUpdate } from '#server/db/row-locks.ts';
import type { SchoolScope } from '#server/http/viewer.ts';
import { isUnderLegalHold } from '#server/personal-data/legal-hold-store.ts';
import type { CalendarDate, Instant } from '#shared/calendar-date.ts';
import { translatedNames } from '#shared/content-translations.ts';
import { type Batch, BULK } from '../contract.ts';

/** Returns the colors a school's categories use. */
export async function listCategoryColors(db: Db, schoolId: number): Promise<string[]> {
  const rows = await db
    .selectFrom('categories')
    .select('color')
    .distinct()
    .where('school_id', '=', schoolId)
    .execute();
  return rows.map(({ color }) => color);
}

/** Returns a row for each folded name, in every language, of a school's activities, with the activity's first day. */
export async function listActivityNames(
  db: Db,
  schoolId: number,
): Promise<{ name: string; activeFrom: CalendarDate | null }[]> {
  const rows = await db
    .selectFrom('activities')
    .select(['name_key', 'translated_key', 'active_from as activeFrom'])
    .where('school_id', '=', schoolId)
    .execute();
  return rows.flatMap(({ name_key, translated_key, activeFrom }) =>
    [name_key, ...translatedNames(translated_key)].map((name) => ({ name, activeFrom })),
  );
}

/** Serializes bulk adds to a school. Hours can still be logged there. */
export async function lockSchool(trx: Trx, schoolId: number): Promise<void> {
  await lockForNoKeyUpdate(trx, trx.selectFrom('schools').select('id').where('id', '=', schoolId)).execute();
}

/** Stores a batch. Returns its id. */
export async function insertBatch(
  trx: Trx,
  batch: { schoolId: number; at: Instant; activities: number; categories: number },
): Promise<number> {
  const { id } = await trx
    .insertInto('activity_batches')
    .values({
      school_id: batch.schoolId,
      made_at: batch.at,
      activities: batch.activities,
      categories: batch.categories,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

/** Lists the latest 50 batches created since `since`, latest first. */
export async function listBatches(db: Db, schools: SchoolScope, since: Instant): Promise<Batch[]> {
  const rows = await selectBatches(db)
    .where(inSchools('activity_batches.school_id', schools))
    .where('activity_batches.made_at', '>=', since)
    .orderBy('activity_batches.made_at', 'desc')
    .orderBy('activity_batches.id', 'desc')
    .limit(BULK.batchesListed)
    .execute();
  return rows.map((row) => toBatch(row, since));
}

/** Returns a batch of these schools, or undefined. `canUndo` is false if the batch was created before `since`. */
export async function findBatch(
  db: Db,
  schools: SchoolScope,
  id: number,
  since: Instant,
): Promise<Batch | undefined> {
  const row = await selectBatches(db)
    .where('activity_batches.id', '=', id)
    .where(inSchools('activity_batches.school_id', schools))
    .executeTakeFirst();
  return row === undefined ? undefined : toBatch(row, since);
}

export async function markUndone(trx: Trx, id: number, at: Instant): Promise<void> {
  await trx.updateTable('activity_batches').set({ undone_at: at }).where('id', '=', id).execute();
}

/** Locks the remaining activities of a batch, so that hours cannot be logged for them meanwhile. Returns their ids. */
export async function lockBatchActivities(trx: Trx, batchId: number): Promise<number[]> {
  const rows = await forUpdate(
    trx,
    trx.selectFrom('activities').select('id').where('batch_id', '=', batchId).orderBy('id'),
  ).execute();
  return rows.map(({ id }) => id);
}

/**
 * The records that refer to an activity. `hours` and `photos` ignore deleted records; `trash` is true if deleted ones refer to
 * it.
 */
export type Use = Readonly<{ hours: boolean; photos: boolean; trash: boolean }>;

/** Returns what refers to each of these activities. Unused ones have no entry. */
export async function findUses(trx: Trx, ids: readonly number[]): Promise<ReadonlyMap<number, Use>> {
  const uses = new Map<number, Use>();
  for (const [table, kind] of [
    ['time_entries', 'hours'],
    ['photos', 'photos'],
  ] as const) {
    const rows = await collect(ids, (some) =>
      trx
        .selectFrom(table)
        .select(['activity_id', (eb) => eb.fn.count<number>('deleted_at').as('deleted')])
        .select((eb) => eb.fn.countAll<number>().as('all'))
        .where('activity_id', 'in', some)
        .groupBy('activity_id')
        .execute(),
    );
    for (const { activity_id, deleted, all } of rows) {
      const use = uses.get(activity_id) ?? { hours: false, photos: false, trash: false };
      uses.set(activity_id, { ...use, [kind]: all > deleted, trash: use.trash || deleted > 0 });
    }
  }
  return uses;
}

function selectBatches(db: Db) {
  return db
    .selectFrom('activity_batches')
    .innerJoin('schools', 'schools.id', 'activity_batches.school_id')
    .selectAll('activity_batches')
    .select([
      translatedName('schools').as('school'),
      isUnderLegalHold({ school: 'activity_batches.school_id' }).as('held'),
    ]);
}

type BatchRow = Awaited<ReturnType<ReturnType<typeof selectBatches>['execute']>>[number];

function toBatch(row: BatchRow, since: Instant): Batch {
  return {
    id: row.id,
    schoolId: row.school_id,
    school: row.school,
    madeAt: row.made_at,
    activities: row.activities,
    categories: row.categories,
    undoneAt: row.undone_at,
    canUndo: row.undone_at === null && row.made_at >= since && !row.held,
  };
}
