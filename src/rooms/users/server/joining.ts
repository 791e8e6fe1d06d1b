import { refuse } from '#base/refusal.ts';
import type { Db } from '#server/db/connect.ts';
import type { Deps } from '#server/deps.ts';
import { messages } from '../contract.ts';
import { namesOfSchools } from './membership-store.ts';

/** Refuses these schools by name because they need an invitation; does nothing for an empty list. */
export async function refuseWithoutInvite(db: Db, deps: Deps, schoolIds: readonly number[]): Promise<void> {
  if (schoolIds.length === 0) return;
  const schools = await schoolNames(db, deps, schoolIds);
  throw refuse.forbidden(messages.joinNeedsInvite(schools, deps.config.supportEmail));
}

/** Schools in words, by name: 'Adams, Lincoln, and Madison'. */
export async function schoolNames(
  db: Db,
  deps: Pick<Deps, 'catalogue'>,
  schoolIds: readonly number[],
): Promise<string> {
  const names = await namesOfSchools(db, schoolIds);
  return new Intl.ListFormat(deps.catalogue.language).format(names);
}
