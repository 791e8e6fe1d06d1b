import type { Trx } from '#server/db/connect.ts';
import type { Deps } from '#server/deps.ts';
import type { Person } from '#server/person.ts';
import { forgetImportsOf } from './store.ts';

/** Forgets that somebody came with an import, or got a school by one. */
export async function forgetPerson(trx: Trx, _deps: Deps, person: Person): Promise<void> {
  await forgetImportsOf(trx, person.id);
}
