import type { Db } from '#server/db/connect.ts';
import type { Deps } from '#server/deps.ts';
import { namesOfSchools } from './membership-store.ts';

export { namesOfSchools } from './membership-store.ts';

/** Schools in words, by name: 'Adams, Lincoln, and Madison'. */
export async function schoolNames(
  db: Db,
  deps: Pick<Deps, 'catalogue'>,
  schoolIds: readonly number[],
): Promise<string> {
  const names = await namesOfSchools(db, schoolIds);
  return new Intl.ListFormat(deps.catalogue.language).format(names);
}
