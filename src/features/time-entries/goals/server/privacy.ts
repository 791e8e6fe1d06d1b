import type { Db, Trx } from '#server/db/database.ts';
import type { Deps } from '#server/deps.ts';
import type { Column, Person, Section } from '#server/personal-data/data-export.ts';
import { deleteGoalsOf, ownGoals, ownThanks } from './store.ts';

/** The person's goals, which nobody else reads, and which thanks they put away. */
export function ownDataOf(db: Db, { id }: Person): readonly Section[] {
  return [
    { name: 'goals', read: () => ownGoals(db, id) },
    { name: 'thanksPutAway', read: () => ownThanks(db, id) },
  ];
}

/** Deletes them. */
export async function forgetPerson(trx: Trx, _deps: Deps, { id }: Person): Promise<void> {
  await deleteGoalsOf(trx, id);
}

export const FORGETS = [
  'hour_goals.user_id',
  'milestone_thanks.user_id',
] as const satisfies readonly Column[];

export const KEEPS = {} as const satisfies Partial<Record<Column, string>>;
