import type { Db, Trx } from '#server/db/database.ts';
import type { Deps } from '#server/deps.ts';
import type { Column, Person, Section } from '#server/personal-data/data-export.ts';
import { deleteAnnouncementsOf, exportAnnouncements } from './store.ts';

/** Exports the announcements that the person sent, and whether they opted out. */
export function exportPersonalData(db: Db, { id }: Person): readonly Section[] {
  return [{ name: 'lettersToMany', read: () => exportAnnouncements(db, id) }];
}

/** Deletes the person's announcements and preference. An unfinished announcement is not sent to anyone else. */
export async function deletePersonalData(trx: Trx, _deps: Deps, { id }: Person): Promise<void> {
  await deleteAnnouncementsOf(trx, id);
}

export const DELETED_COLUMNS = [
  'announcements.sent_by',
  'announcements.subject',
  'announcements.sealed',
  'announcement_recipients.user_id',
  'announcement_unsubscribes.user_id',
] as const satisfies readonly Column[];

export const RETAINED_COLUMNS = {} as const satisfies Partial<Record<Column, string>>;
