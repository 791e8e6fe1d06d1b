import type { Db, Trx } from '#server/db/database.ts';
import type { Deps } from '#server/deps.ts';
import type { Column, Person, Section } from '#server/personal-data/data-export.ts';
import { deleteConnectionsOf, findDriveConnectionOf, listDriveSyncsOf } from './privacy-store.ts';

/** The Photo Sync sections of a person's data export. */
export function exportPersonalData(db: Db, person: Person): readonly Section[] {
  return [
    { name: 'driveConnection', read: async () => (await findDriveConnectionOf(db, person)) ?? null },
    { name: 'driveSyncs', read: () => listDriveSyncsOf(db, person.id) },
  ];
}

/**
 * Deletes the person's attempts to connect and the connection to their own Drive, which must not get photos after the deletion.
 */
export async function deletePersonalData(trx: Trx, _deps: Deps, person: Person): Promise<void> {
  await deleteConnectionsOf(trx, person);
}

export const DELETED_COLUMNS = [
  'drive_connection.refresh_token',
  'drive_connection.access_token',
  'drive_connection.account',
  'drive_attempts.state_hash',
  'drive_attempts.user_id',
  'drive_attempts.verifier',
  'drive_attempts.problem',
] as const satisfies readonly Column[];

const ADMIN_ACTION = "an administrator's action for the district; shown as 'Former volunteer'";

export const RETAINED_COLUMNS = {
  'drive_connection.connected_by': ADMIN_ACTION,
  'drive_syncs.requested_by': ADMIN_ACTION,
  'drive_syncs.kind': ADMIN_ACTION,
} as const satisfies Partial<Record<Column, string>>;
