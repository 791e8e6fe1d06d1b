import type { Db, Trx } from '#server/db/database.ts';
import type { Deps } from '#server/deps.ts';
import type { Column, Person, Section } from '#server/personal-data/data-export.ts';
import { deleteMergesOf, exportMerges } from './store.ts';

/** The merges for a person's data export, with their dates. */
export function exportPersonalData(db: Db, { id }: Person): readonly Section[] {
  return [{ name: 'merges', read: () => exportMerges(db, id) }];
}

/** Deletes a person's merges, and everything stored to undo them. */
export async function deletePersonalData(trx: Trx, _deps: Deps, { id }: Person): Promise<void> {
  await deleteMergesOf(trx, id);
}

export const DELETED_COLUMNS = [
  'account_merges.from_user_id',
  'account_merges.into_user_id',
  'account_merges.sealed',
  'account_merge_rows.deed',
  'account_merge_rows.place',
  'account_merge_rows.sealed',
  'not_duplicates.low_user_id',
  'not_duplicates.high_user_id',
] as const satisfies readonly Column[];

const DEED = "what an administrator did; shown as 'Former volunteer' once they are erased";

export const RETAINED_COLUMNS = {
  'account_merges.merged_by': DEED,
  'account_merges.undone_by': DEED,
  'not_duplicates.said_by': DEED,
} as const satisfies Partial<Record<Column, string>>;
