import { mergedInto } from '#features/users/server/accounts.ts';
import { addressOf, pastAddressesOf, withoutAddressesOfOthers } from '#features/users/server/privacy.ts';
import type { Db, Trx } from '#server/db/database.ts';
import type { Deps } from '#server/deps.ts';
import type { Request } from '#server/http/viewer.ts';
import type { Person } from '#server/personal-data/data-export.ts';
import { PERSONAL_DATA_FEATURES } from './registry.ts';

type When = Pick<Request, 'at'>;

/** Removes from every room what names a person, or anyone who became part of them. */
export async function deletePersonalDataEverywhere(
  trx: Trx,
  deps: Deps,
  when: When,
  id: number,
): Promise<void> {
  const person = await currentPerson(trx, when, id);
  // Whoever became part of the person goes too; what is kept to undo that goes last.
  const merged = await mergedInto(trx, [id]);
  for (const one of [
    person,
    ...(await Promise.all(merged.map((other) => currentPerson(trx, when, other)))),
  ]) {
    for (const { forgetPerson } of PERSONAL_DATA_FEATURES) await forgetPerson(trx, deps, one);
  }
}

/** A person with the current and earlier addresses; none for one who was erased. */
export async function currentPerson(db: Db, { at }: When, id: number): Promise<Person> {
  const address = await addressOf(db, id);
  const known = address === undefined ? [] : [address, ...(await pastAddressesOf(db, id))];
  return { id, addresses: await withoutAddressesOfOthers(db, id, [...new Set(known)]), at };
}
