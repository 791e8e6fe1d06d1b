import { sql } from 'kysely';
import { inChunks } from '#server/db/chunks.ts';
import type { Db, Trx } from '#server/db/database.ts';
import { changesRows } from '#server/db/queries/changes-rows.ts';
import { type CalendarDate, type Instant, plusMilliseconds } from '#shared/calendar-date.ts';
import type { Message } from '#shared/i18n/message.ts';
import type { DriveFolder, SyncState } from '../contract.ts';
import { VISIBLE_TO_SCHOOL } from './file-store.ts';

/** An activity whose photos will be copied. */
export type ActivityToSync = Readonly<{
  id: number;
  name: string;
  activeFrom: CalendarDate | null;
  createdAt: Instant;
}>;

/** An activity within a sync, as stored: `error` is not translated yet. */
export type StoredActivitySync = Readonly<{
  activityId: number;
  name: string;
  state: SyncState;
  error: Message | null;
  folder: DriveFolder | null;
  total: number;
  successful: number;
  skipped: number;
  failed: number;
}>;

/** Returns the activities among these that exist. */
export function findActivitiesToSync(db: Db, ids: readonly number[]): Promise<ActivityToSync[]> {
  return db
    .selectFrom('activities')
    .select(['id', 'name', 'active_from as activeFrom', 'created_at as createdAt'])
    .where('id', 'in', ids)
    .execute();
}

/**
 * Stores a sync with its activities and their visible photos, so that the work survives the end of this
 * process. Returns the sync's id.
 */
export async function insertSync(
  trx: Trx,
  sync: {
    kind: 'manual' | 'nightly';
    userId: number | null;
    at: Instant;
    activities: readonly { id: number; name: string }[];
  },
): Promise<number> {
  const { id } = await trx
    .insertInto('drive_syncs')
    .values({
      kind: sync.kind,
      requested_by: sync.userId,
      requested_at: sync.at,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  const activities = sync.activities.map((activity, position) => ({
    sync_id: id,
    activity_id: activity.id,
    position,
    name: activity.name,
    state: 'queued' as const,
  }));
  await inChunks(activities, async (some) => {
    await trx.insertInto('drive_sync_activities').values(some).execute();
    await insertPhotosOf(trx, id, some);
  });
  return id;
}

function insertPhotosOf(trx: Trx, id: number, activities: readonly { activity_id: number }[]) {
  return trx
    .insertInto('drive_sync_photos')
    .columns(['sync_id', 'activity_id', 'photo_id', 'state', 'error'])
    .expression(
      trx
        .selectFrom('photos')
        .where(
          'activity_id',
          'in',
          activities.map((activity) => activity.activity_id),
        )
        .where(VISIBLE_TO_SCHOOL)
        .select([
          sql<number>`cast(${id} as bigint)`.as('sync_id'),
          'activity_id',
          'id as photo_id',
          sql<'waiting'>`'waiting'`.as('state'),
          sql<null>`cast(null as text)`.as('error'),
        ]),
    )
    .execute();
}

/** Returns a sync with the name of the user who started it, or undefined. */
export function findSync(db: Db, id: number) {
  return selectSyncs(db).where('drive_syncs.id', '=', id).executeTakeFirst();
}

/** Returns the oldest running sync, else the latest finished one, else undefined. */
export async function findCurrentSync(db: Db) {
  const open = await selectSyncs(db)
    .where('finished_at', 'is', null)
    .orderBy('drive_syncs.id')
    .limit(1)
    .executeTakeFirst();
  const latest = db.selectFrom('drive_syncs').select((eb) => eb.fn.max('id').as('id'));
  return open ?? (await selectSyncs(db).where('drive_syncs.id', '=', latest).executeTakeFirst());
}

/** Returns the activities of a sync in order, with the number of photos by outcome. */
export async function listSyncActivities(db: Db, syncId: number): Promise<StoredActivitySync[]> {
  const activities = await db
    .selectFrom('drive_sync_activities')
    .select(['activity_id', 'name', 'state', 'error', 'folder_url', 'folder_name'])
    .where('sync_id', '=', syncId)
    .orderBy('position')
    .execute();
  const counted = await db
    .selectFrom('drive_sync_photos')
    .select(['activity_id', 'state'])
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('sync_id', '=', syncId)
    .groupBy(['activity_id', 'state'])
    .execute();
  return activities.map((activity) => {
    const own = counted.filter((row) => row.activity_id === activity.activity_id);
    const count = (state: string) => own.find((row) => row.state === state)?.count ?? 0;
    return {
      activityId: activity.activity_id,
      name: activity.name,
      state: activity.state,
      error: activity.error as Message | null,
      folder:
        activity.folder_url === null ? null : { url: activity.folder_url, name: activity.folder_name ?? '' },
      total: own.reduce((sum, row) => sum + row.count, 0),
      successful: count('stored'),
      skipped: count('skipped'),
      failed: count('failed'),
    };
  });
}

/** Returns the first failed photos of a sync. */
export function listSyncFailures(db: Db, syncId: number, limit: number) {
  return db
    .selectFrom('drive_sync_photos as failed')
    .leftJoin('photos', 'photos.id', 'failed.photo_id')
    .select([
      'failed.activity_id as activityId',
      'failed.photo_id as photoId',
      'photos.original_name as originalName',
      'failed.error',
    ])
    .where('failed.sync_id', '=', syncId)
    .where('failed.state', '=', 'failed')
    .orderBy('failed.activity_id')
    .orderBy('failed.photo_id')
    .limit(limit)
    .execute();
}

/** Whether a sync has ended; true for one that does not exist. */
export async function isSyncFinished(db: Db, id: number): Promise<boolean> {
  const row = await db
    .selectFrom('drive_syncs')
    .select('finished_at')
    .where('id', '=', id)
    .executeTakeFirst();
  return row === undefined || row.finished_at !== null;
}

/**
 * Cancels a sync: queued activities never start, and the running one stops by itself and ends the sync. Returns false if the
 * sync has ended or was already canceled.
 */
export async function cancelSync(trx: Trx, id: number, at: Instant): Promise<boolean> {
  const isCancelled = await changesRows(
    trx
      .updateTable('drive_syncs')
      .set({ cancelled_at: at })
      .where('id', '=', id)
      .where('finished_at', 'is', null)
      .where('cancelled_at', 'is', null),
  );
  await trx
    .updateTable('drive_sync_activities')
    .set({ state: 'cancelled' })
    .where('sync_id', '=', id)
    .where('state', '=', 'queued')
    .execute();
  await finishSyncIfDone(trx, id, at);
  return isCancelled;
}

/** Cancels every sync that has not ended. */
export async function cancelAllSyncs(trx: Trx, at: Instant): Promise<void> {
  const open = await trx.selectFrom('drive_syncs').select('id').where('finished_at', 'is', null).execute();
  for (const { id } of open) await cancelSync(trx, id, at);
}

/** Ends a sync if all of its activities have ended. */
export async function finishSyncIfDone(db: Db, id: number, at: Instant): Promise<void> {
  await db
    .updateTable('drive_syncs')
    .set({ finished_at: at, waiting_until: null })
    .where('id', '=', id)
    .where('finished_at', 'is', null)
    .where((eb) =>
      eb.not(
        eb.exists(
          eb
            .selectFrom('drive_sync_activities')
            .select('activity_id')
            .where('sync_id', '=', id)
            .where('state', 'in', ['queued', 'running']),
        ),
      ),
    )
    .execute();
}

const RETENTION_DAYS = 30;
const DAY_MS = 86_400_000;

/** Deletes syncs that ended over a month ago. */
export async function deleteOldSyncs(trx: Trx, now: Instant): Promise<void> {
  const before = plusMilliseconds(now, -RETENTION_DAYS * DAY_MS);
  await trx.deleteFrom('drive_syncs').where('finished_at', '<', before).execute();
}

function selectSyncs(db: Db) {
  return db
    .selectFrom('drive_syncs')
    .leftJoin('users', 'users.id', 'drive_syncs.requested_by')
    .select([
      'drive_syncs.id',
      'kind',
      'requested_at as startedAt',
      'waiting_until as waitingUntil',
      'cancelled_at as cancelledAt',
      'finished_at as finishedAt',
      'users.id as userId',
      'users.first_name as firstName',
      'users.last_name as lastName',
    ]);
}
