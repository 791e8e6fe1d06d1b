import { type RawBuilder, sql } from 'kysely';
import type { Db, Trx } from '#server/db/database.ts';
import type { Person } from '#server/personal-data/data-export.ts';

/**
 * Returns the connection to Google Drive, if the person made it or the Google account has their address. The account is
 * included only if it is theirs, because they may have connected another person's account.
 */
export function findDriveConnectionOf(db: Db, { id, addresses }: Person) {
  return db
    .selectFrom('drive_connection')
    .select(['connected_at as connectedAt', 'lost_at as lostAt'])
    .select((eb) => eb.case().when(isAccountAmong(addresses)).then(eb.ref('account')).end().as('account'))
    .where('id', '=', 1)
    .where((eb) => eb.or([eb('connected_by', '=', id), isAccountAmong(addresses)]))
    .executeTakeFirst();
}

/** Returns the syncs to Google Drive that the person started in the last month. */
export function listDriveSyncsOf(db: Db, userId: number) {
  return db
    .selectFrom('drive_syncs')
    .select(['requested_at as requestedAt', 'finished_at as finishedAt'])
    .where('requested_by', '=', userId)
    .orderBy('id')
    .execute();
}

/** Deletes the person's attempts to connect, and the connection to a Google account with one of their addresses. */
export async function deleteConnectionsOf(trx: Trx, { id, addresses }: Person): Promise<void> {
  await trx.deleteFrom('drive_attempts').where('user_id', '=', id).execute();
  await trx.deleteFrom('drive_connection').where(isAccountAmong(addresses)).execute();
}

function isAccountAmong(addresses: readonly string[]): RawBuilder<boolean> {
  return sql<boolean>`lower(account) in (${sql.join(addresses)})`;
}
