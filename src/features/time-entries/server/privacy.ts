import type { Db, Trx } from '#server/db/database.ts';
import type { Deps } from '#server/deps.ts';
import type { Column, Person, Section } from '#server/personal-data/data-export.ts';
import { expiringRows } from '#server/personal-data/expired-rows-store.ts';
import {
  clearNamedVerifiers,
  isDeleted,
  isNotDeleted,
  type OwnEntry,
  readOwnDeletedEntries,
  readOwnEntries,
} from './privacy-store.ts';

/** The time entries in a user's data export. */
export function exportPersonalData(db: Db, { id }: Person): readonly Section[] {
  return [{ name: 'timeEntries', pages: () => ownEntriesOf(db, id) }];
}

/** Reads all entries of a user in pages: first those that are not deleted, by day, then the deleted ones, by id. */
export async function* ownEntriesOf(db: Db, userId: number): AsyncGenerator<readonly OwnEntry[]> {
  yield* readOwnEntries(db, userId);
  yield* readOwnDeletedEntries(db, userId);
}

/** Keeps the hours and their notes, under 'Former volunteer', and removes the external verifiers that the user named. */
export async function deletePersonalData(trx: Trx, _deps: Deps, { id }: Person): Promise<void> {
  await clearNamedVerifiers(trx, id);
}

export const DELETED_COLUMNS = [
  'school_volunteers.sort_key',
  'time_entries.external_verifier',
] as const satisfies readonly Column[];

const HOURS = "the district's records, under 'Former volunteer' (decisions)";
const SUMS = 'sums of hours, which are kept; the name is in the account';
const EXPORT = 'the filters of an administrator, as ids and days; deleted after a day';

export const RETAINED_COLUMNS = {
  'time_entries.user_id': HOURS,
  'time_entries.notes': HOURS,
  'time_entries.deleted_by': HOURS,
  'time_entries.verification': HOURS,
  'time_entries.decided_by': HOURS,
  'time_entries.decided_by_external': 'who verified the hours, which are kept',
  'time_entries.decision_note': HOURS,
  'time_entries.reopen_note': HOURS,
  'verification_batches.decided_by': 'who may undo a decision within ten minutes; an id afterwards',
  'verification_batches.decision': 'one of three kinds of decisions',
  'verification_batch_entries.before': 'the state of hours before a decision; deleted after an hour',
  'month_volunteers.user_id': SUMS,
  'school_volunteers.user_id': SUMS,
  'activity_volunteers.user_id': SUMS,
  'exports.user_id': EXPORT,
  'exports.token_hash': EXPORT,
  'exports.format': EXPORT,
  'exports.asked': EXPORT,
  'exports.outcome': EXPORT,
  'exports.made_by': 'a process of the server',
} as const satisfies Partial<Record<Column, string>>;

const about = { people: ['time_entries.user_id'], school: 'time_entries.school_id' } as const;
const entries = { table: 'time_entries', at: 'entry_date', isDay: true, about } as const;

/** Time entries by day. Deleted entries are a separate rule because they have their own index. Triggers update the sums. */
export const entryRetention = [
  expiringRows({ ...entries, only: isNotDeleted }),
  expiringRows({ ...entries, only: isDeleted }),
] as const;

/** Records of exports by when they were requested; the files themselves are not stored. */
export const exportRetention = expiringRows({
  table: 'exports',
  at: 'created_at',
  about: { people: ['exports.user_id'] },
});
