import type { Deps } from '#server/deps.ts';
import type { ListColumn } from '#server/export/list-file.ts';
import { withNameLanguage } from '#server/i18n/locale.ts';
import { LANGUAGES } from '#shared/i18n/languages.ts';
import { allSchools } from './store.ts';

/** The column of a list's file that says the school of each row. */
export async function schoolColumn(deps: Deps): Promise<ListColumn<Readonly<{ schoolId: number }>>> {
  const schools = new Map(
    (await withNameLanguage(LANGUAGES[0], () => allSchools(deps.database.db))).map(({ id, name }) => [
      id,
      name,
    ]),
  );
  return {
    title: 'schools:one',
    kind: 'text',
    width: 28,
    value: ({ schoolId }) => schools.get(schoolId) ?? null,
  };
}
