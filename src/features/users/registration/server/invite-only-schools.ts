import type { Db } from '#server/db/database.ts';
import type { Deps } from '#server/deps.ts';
import { refuse } from '#shared/errors.ts';
import { messages } from '../../contract.ts';
import { schoolNames } from '../../memberships/server/school-names.ts';

/** Refuses these schools by name because they need an invitation; does nothing for an empty list. */
export async function rejectWithoutInvitation(
  db: Db,
  deps: Deps,
  schoolIds: readonly number[],
): Promise<void> {
  if (schoolIds.length === 0) return;
  const schools = await schoolNames(db, deps, schoolIds);
  throw refuse.forbidden(messages.joinNeedsInvite(schools, deps.config.supportEmail));
}
