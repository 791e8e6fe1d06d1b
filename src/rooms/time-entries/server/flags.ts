import type { Db } from '#server/db/connect.ts';
import { mayAt, type SignedIn } from '#server/http/viewer.ts';
import type { TimeEntry } from '../contract.ts';
import { flagsOf } from '../flags.ts';
import { factsOf } from './flags-store.ts';

/** Entries with what is odd about them, for whoever sees everybody's at their schools. */
export async function withFlags(
  db: Db,
  viewer: SignedIn,
  entries: readonly TimeEntry[],
): Promise<TimeEntry[]> {
  const seen = entries.filter(
    ({ verification, schoolId }) => verification !== null && mayAt(viewer, 'see entries', schoolId),
  );
  if (seen.length === 0) return [...entries];
  const facts = await factsOf(
    db,
    seen.map(({ id }) => id),
  );
  return entries.map((entry) => {
    const found = facts.get(entry.id);
    return found === undefined ? entry : { ...entry, flags: flagsOf(found) };
  });
}

/** The same for one entry. */
export async function flagged(db: Db, viewer: SignedIn, entry: TimeEntry): Promise<TimeEntry> {
  const [only = entry] = await withFlags(db, viewer, [entry]);
  return only;
}
