import type { Id } from '#shared/id.ts';
import { useTranslation } from '#web/i18n/translate.ts';
import type { Column } from '#web/ui/admin/data-table.tsx';
import type { PublicSchool } from '../contract.ts';
import { usePublicSchools } from './api.ts';

/** Returns the column with each row's school for a list of all schools, and no column for a list of one school. */
export function useSchoolColumn(
  listed: PublicSchool | undefined,
): readonly Column<Readonly<{ schoolId: Id }>>[] {
  const { t } = useTranslation();
  const schools = usePublicSchools().data;
  if (listed !== undefined) return [];
  const nameOf = (schoolId: Id) => schools?.find(({ id }) => id === schoolId)?.name;
  return [
    {
      key: 'school',
      title: t('schools:one'),
      isPlain: true,
      isExtra: true,
      isBelow: true,
      cell: ({ schoolId }) => (
        <span className="wrap-anywhere @xl:inline-block @xl:max-w-56 @xl:min-w-32">{nameOf(schoolId)}</span>
      ),
    },
  ];
}
