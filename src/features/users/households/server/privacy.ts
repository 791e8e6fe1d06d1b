import type { Db, Trx } from '#server/db/database.ts';
import type { Deps } from '#server/deps.ts';
import type { Column, Person, Section } from '#server/personal-data/data-export.ts';
import { removeFromHousehold } from './actions.ts';
import { ownMembership } from './store.ts';

/** Exports when the person joined their household, and the codes. The other members are not part of their data. */
export function exportPersonalData(db: Db, { id }: Person): readonly Section[] {
  return [{ name: 'household', read: () => ownMembership(db, id) }];
}

/** Removes the person from their household. */
export async function deletePersonalData(trx: Trx, _deps: Deps, { id }: Person): Promise<void> {
  await removeFromHousehold(trx, id);
}

export const DELETED_COLUMNS = [
  'household_members.user_id',
  'household_members.household',
  'household_members.joined_with',
  'household_members.code',
] as const satisfies readonly Column[];

export const RETAINED_COLUMNS = {} as const satisfies Partial<Record<Column, string>>;
