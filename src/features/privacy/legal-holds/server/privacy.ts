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
  'legal_holds.user_id': 'the existence of a hold is never deleted; the account no longer has a name',
  'legal_holds.placed_by': 'who decided it; without a name once their account is deleted',
  'legal_holds.lifted_by': 'who decided it; without a name once their account is deleted',
} as const satisfies Partial<Record<Column, string>>;
