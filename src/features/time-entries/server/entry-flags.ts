import type { Db } from '#server/db/database.ts';
import type { Deps } from '#server/deps.ts';
import { canAt, type SignedIn } from '#server/http/viewer.ts';
import type { TimeEntry } from '../contract.ts';
import { flagsOf } from '../entry-flags.ts';
import { factsOf, type Here } from './entry-flags-store.ts';

export type { Here } from './entry-flags-store.ts';

/** Where flags are counted: a database, and the district's time zone. */
export function flagContext({ config }: Pick<Deps, 'config'>, db: Db): Here {
  return { db, timeZone: config.timeZone };
}

/** Entries with what is odd about them, for whoever sees everybody's at their schools. */
export async function addFlagsToEntries(
  here: Here,
  viewer: SignedIn,
  entries: readonly TimeEntry[],
): Promise<TimeEntry[]> {
  const seen = entries.filter(
    ({ verification, schoolId }) => verification !== null && canAt(viewer, 'see entries', schoolId),
  );
  if (seen.length === 0) return [...entries];
  const facts = await factsOf(
    here,
    seen.map(({ id }) => id),
  );
  return entries.map((entry) => {
    const found = facts.get(entry.id);
    return found === undefined ? entry : { ...entry, flags: flagsOf(found) };
  });
}

/** The same for one entry. */
export async function flagged(here: Here, viewer: SignedIn, entry: TimeEntry): Promise<TimeEntry> {
  const [only = entry] = await addFlagsToEntries(here, viewer, [entry]);
  return only;
}
