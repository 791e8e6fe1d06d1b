import type { Db, Trx } from '#server/db/database.ts';
import type { Deps } from '#server/deps.ts';
import type { Column, Person, Section } from '#server/personal-data/data-export.ts';
import { deleteHoldReasons } from './store.ts';

/** Empty, because a person under a legal hold must not learn of it. */
export function exportPersonalData(_db: Db, _person: Person): readonly Section[] {
  return [];
}

/** Clears the reasons of lifted holds, which may name the person. A hold in force prevents the deletion. */
export async function deletePersonalData(trx: Trx, _deps: Deps, { id }: Person): Promise<void> {
  await deleteHoldReasons(trx, id);
}

export const DELETED_COLUMNS = ['legal_holds.reason'] as const satisfies readonly Column[];

export const RETAINED_COLUMNS = {
  'legal_holds.user_id': 'that there was a hold is never deleted; the account has no name any more',
  'legal_holds.placed_by': 'who decided it; their account has no name once they are erased',
  'legal_holds.lifted_by': 'who decided it; their account has no name once they are erased',
} as const satisfies Partial<Record<Column, string>>;
