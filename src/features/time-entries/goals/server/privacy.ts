import type { Db, Trx } from '#server/db/database.ts';
import type { Deps } from '#server/deps.ts';
import type { Column, Person, Section } from '#server/personal-data/data-export.ts';
import { deleteGoalsOf, listDismissedThanks, listGoals } from './store.ts';

/** The user's goals, which no other user can read, and the thank-yous they dismissed. */
export function exportPersonalData(db: Db, { id }: Person): readonly Section[] {
  return [
    { name: 'goals', read: () => listGoals(db, id) },
    { name: 'thanksPutAway', read: () => listDismissedThanks(db, id) },
  ];
}

/** Deletes the user's goals and dismissed thank-yous. */
export async function deletePersonalData(trx: Trx, _deps: Deps, { id }: Person): Promise<void> {
  await deleteGoalsOf(trx, id);
}

export const DELETED_COLUMNS = [
  'hour_goals.user_id',
  'milestone_thanks.user_id',
] as const satisfies readonly Column[];

export const RETAINED_COLUMNS = {} as const satisfies Partial<Record<Column, string>>;
