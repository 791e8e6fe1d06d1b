import { mailboxOf } from '#base/mailbox.ts';
import type { Db, Trx } from '#server/db/connect.ts';
import type { Deps } from '#server/deps.ts';
import type { Column, Person, Section } from '#server/own-data.ts';
import { deleteLettersTo } from './outside-store.ts';

/** Nothing: letters go to supervisors without an account. */
export function ownDataOf(_db: Db, _person: Person): readonly Section[] {
  return [];
}

/** Deletes the links that were mailed to the person as somebody's supervisor. */
export async function forgetPerson(trx: Trx, _deps: Deps, { addresses }: Person): Promise<void> {
  for (const address of addresses) await deleteLettersTo(trx, mailboxOf(address));
}

export const FORGETS = [
  'outside_letters.address',
  'outside_letters.address_key',
] as const satisfies readonly Column[];

export const KEEPS = {
  'outside_letters.token_hash': 'of a link; deleted with the letter',
  'outside_letters.made_day': 'the day on which a letter went, which is deleted with it',
  'outside_stops.address_hash': 'that somebody wants no letters must outlast everything else about them',
} as const satisfies Partial<Record<Column, string>>;
