import type { Instant } from '#base/calendar-date.ts';
import { inChunks } from '#server/db/chunks.ts';
import type { Trx } from '#server/db/connect.ts';
import { refuseReferenced } from '#server/in-use.ts';
import { forgetMailOfAll } from '#server/mail/outbox.ts';
import { emailKey } from '../contract.ts';
import {
  deletePlaces,
  deleteUnusedAccounts,
  insertAccounts,
  insertPlaces,
  type ListedPerson,
  type Place,
  setPlace,
} from './many-accounts-store.ts';

/** A place in a school; `wasPending` when its owner has asked for it. */
export type AskedPlace = Place & Readonly<{ wasPending: boolean }>;

/**
 * Makes accounts without a password, members of their schools. Answers their ids, by `emailKey`. A unique violation
 * means that an address is taken.
 */
export async function makeAccounts(
  trx: Trx,
  people: readonly ListedPerson[],
  at: Instant,
): Promise<Map<string, number>> {
  const ids = await insertAccounts(trx, people, at);
  const places = people.flatMap(({ email, schoolIds }) =>
    schoolIds.map((schoolId) => ({ userId: ids.get(emailKey(email)) ?? 0, schoolId })),
  );
  await insertPlaces(trx, places, at);
  return ids;
}

/** Lets people into schools, those who have asked for it too. */
export async function letIntoSchools(trx: Trx, places: readonly AskedPlace[], at: Instant): Promise<void> {
  for (const place of places.filter(({ wasPending }) => wasPending)) await setPlace(trx, place, 'active');
  await insertPlaces(
    trx,
    places.filter(({ wasPending }) => !wasPending),
    at,
  );
}

/** Takes people out of schools again; whoever had asked to join waits again. */
export async function takeFromSchools(trx: Trx, places: readonly AskedPlace[]): Promise<void> {
  for (const place of places.filter(({ wasPending }) => wasPending)) await setPlace(trx, place, 'pending');
  await deletePlaces(
    trx,
    places.filter(({ wasPending }) => !wasPending),
  );
}

/** Deletes accounts that nobody has begun to use, with the letters to them. */
export async function removeUnusedAccounts(trx: Trx, ids: readonly number[]): Promise<void> {
  await inChunks(ids, (some) => deleteUnusedAccounts(trx, some).catch(refuseReferenced));
  // Their links are dead; what is left of the letters is of no use to anybody.
  await forgetMailOfAll(trx, ids);
}
