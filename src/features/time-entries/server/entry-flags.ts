import type { Db } from '#server/db/database.ts';
import type { Deps } from '#server/deps.ts';
import { canAt, type SignedIn } from '#server/http/viewer.ts';
import type { TimeEntry } from '../contract.ts';
import { findFlags } from '../entry-flags.ts';
import { type FlagContext, findFlagFacts } from './entry-flags-store.ts';

export type { FlagContext } from './entry-flags-store.ts';

/** The database and the district's time zone, for computing flags. */
export function flagContext({ config }: Pick<Deps, 'config'>, db: Db): FlagContext {
  return { db, timeZone: config.timeZone };
}

/** Adds flags to the entries at schools where the viewer may see everyone's entries. */
export async function addFlagsToEntries(
  here: FlagContext,
  viewer: SignedIn,
  entries: readonly TimeEntry[],
): Promise<TimeEntry[]> {
  const seen = entries.filter(
    ({ verification, schoolId }) => verification !== null && canAt(viewer, 'see entries', schoolId),
  );
  if (seen.length === 0) return [...entries];
  const facts = await findFlagFacts(
    here,
    seen.map(({ id }) => id),
  );
  return entries.map((entry) => {
    const found = facts.get(entry.id);
    return found === undefined ? entry : { ...entry, flags: findFlags(found) };
  });
}

/** Adds flags to one entry if the viewer may see everyone's entries at its school. */
export async function addFlags(here: FlagContext, viewer: SignedIn, entry: TimeEntry): Promise<TimeEntry> {
  const [only = entry] = await addFlagsToEntries(here, viewer, [entry]);
  return only;
}
