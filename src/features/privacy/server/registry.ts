import * as suggestions from '#features/activities/suggestions/server/privacy.ts';
import * as audit from '#features/audit/server/privacy.ts';
import * as auth from '#features/auth/server/privacy.ts';
import * as twoFactor from '#features/auth/two-factor/server/privacy.ts';
import * as timeEntryImports from '#features/imports/hours/server/privacy.ts';
import * as userImports from '#features/imports/people/server/privacy.ts';
import * as announcements from '#features/notifications/announcements/server/privacy.ts';
import * as reminders from '#features/notifications/reminders/server/privacy.ts';
import * as operations from '#features/operations/server/privacy.ts';
import * as driveSync from '#features/photos/google-drive/server/privacy.ts';
import * as photos from '#features/photos/server/privacy.ts';
import * as letters from '#features/reports/service-letters/server/privacy.ts';
import * as goals from '#features/time-entries/goals/server/privacy.ts';
import * as timeEntries from '#features/time-entries/server/privacy.ts';
import * as households from '#features/users/households/server/privacy.ts';
import * as merges from '#features/users/merging/server/privacy.ts';
import { mergedInto } from '#features/users/server/accounts.ts';
import * as users from '#features/users/server/privacy.ts';
import { addressOf, pastAddressesOf, withoutAddressesOfOthers } from '#features/users/server/privacy.ts';
import * as verification from '#features/verification/server/privacy.ts';
import type { Db, Trx } from '#server/db/database.ts';
import type { Deps } from '#server/deps.ts';
import type { Request } from '#server/http/viewer.ts';
import type { Person, PersonalData } from '#server/personal-data/data-export.ts';
import * as serverPersonalData from '#server/personal-data/server-personal-data.ts';
import * as legalHolds from '../legal-holds/server/privacy.ts';
import * as deletionRequests from './privacy.ts';

/** The features that store personal data, in the order of the data export. */
export const PERSONAL_DATA_FEATURES: readonly PersonalData[] = [
  users,
  auth,
  operations,
  twoFactor,
  deletionRequests,
  userImports,
  serverPersonalData,
  driveSync,
  timeEntries,
  timeEntryImports,
  goals,
  households,
  reminders,
  announcements,
  letters,
  verification,
  photos,
  suggestions,
  audit,
  legalHolds,
  merges,
];

type When = Pick<Request, 'at'>;

/** Deletes the data that every feature stores about a person and the accounts merged into theirs. */
export async function deletePersonalDataEverywhere(
  trx: Trx,
  deps: Deps,
  when: When,
  id: number,
): Promise<void> {
  const person = await currentPerson(trx, when, id);
  // Merged accounts are deleted too. The data for undoing merges goes last.
  const merged = await mergedInto(trx, [id]);
  for (const one of [
    person,
    ...(await Promise.all(merged.map((other) => currentPerson(trx, when, other)))),
  ]) {
    for (const { deletePersonalData } of PERSONAL_DATA_FEATURES) await deletePersonalData(trx, deps, one);
  }
}

/** Returns a person with those current and past email addresses that no other account uses now. */
export async function currentPerson(db: Db, { at }: When, id: number): Promise<Person> {
  const address = await addressOf(db, id);
  const known = address === undefined ? [] : [address, ...(await pastAddressesOf(db, id))];
  return { id, addresses: await withoutAddressesOfOthers(db, id, [...new Set(known)]), at };
}
