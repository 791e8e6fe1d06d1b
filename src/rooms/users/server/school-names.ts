import type { Language } from '#base/language.ts';
import type { Db } from '#server/db/connect.ts';
import type { Deps } from '#server/deps.ts';
import { namesFor, type Reads } from '#server/for-reader.ts';
import { readingIn } from '#server/listeners.ts';
import { markOf } from '#server/speech.ts';
import { namesOfSchools } from './membership-store.ts';

export { namesOfSchools } from './membership-store.ts';

/** A school as somebody calls it who is written to. */
export async function schoolNameFor(
  db: Db,
  deps: Parameters<typeof namesFor>[0],
  reader: Reads,
  schoolId: number,
): Promise<string> {
  const [name = ''] = await namesFor(deps, reader, () => namesOfSchools(db, [schoolId]));
  return name;
}

/** Schools in words, by name: 'Adams, Lincoln, and Madison'. */
export async function schoolNames(
  db: Db,
  deps: Pick<Deps, 'catalogue'>,
  schoolIds: readonly number[],
): Promise<string> {
  const language = markOf(deps.catalogue) as Language;
  const names = await readingIn(language, () => namesOfSchools(db, schoolIds));
  return new Intl.ListFormat(deps.catalogue.language).format(names);
}
