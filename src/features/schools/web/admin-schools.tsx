import { download } from '#web/api/download.ts';
import { useCan } from '#web/api/permissions.ts';
import { formatCount, inWords } from '#web/i18n/count-text.ts';
import { useTranslation } from '#web/i18n/translate.ts';
import { RowName } from '#web/ui/admin/data-table.tsx';
import { EditableList } from '#web/ui/admin/editable-list.tsx';
import { useSearch } from '#web/ui/admin/use-list-search.ts';
import { Logo } from '#web/ui/logo.tsx';
import { exportSchools, type School } from '../admin-contract.ts';
import { useTranslatedNames } from '../content-translations/web/admin-translated-names.tsx';
import { ownName, TranslatedNames } from '../content-translations/web/admin-translation-fields.tsx';
import { messages } from '../contract.ts';
import { schoolNames, useDeleteSchool, useSchoolList } from './admin-api.ts';
import { SchoolForm } from './admin-school-form.tsx';

/** The schools of the district: search, add, rename and, while they have no data, delete. */
export function AdminSchools({ onHistory }: { onHistory: (school: School) => void }) {
  const text = useTranslation();
  const { t, say, language } = text;
  const search = useSearch();
  const may = useCan();
  const names = useTranslatedNames(schoolNames(t('schools:name')), may('edit school'));
  const list = useSchoolList(search.searched, names.without);
  const remove = useDeleteSchool();
  if (names.screen !== undefined) return names.screen;
  return (
    <EditableList<School>
      texts={{
        title: t('schools:title'),
        total: list.data === undefined ? undefined : t('schools:total', { count: list.data.total }),
        search: t('schools:search'),
        add: t('schools:add'),
        noneYet: t('schools:noneYet'),
        addFirst: t('schools:addFirst'),
        createTitle: t('schools:createTitle'),
        editTitle: t('schools:editTitle'),
        deleteTitle: t('schools:deleteTitle'),
        failure: say(messages.failedToLoad),
      }}
      search={search}
      onSave={(format) =>
        download(`schools.${format}`, exportSchools, {
          body: { format, search: search.searched, without: names.without },
        })
      }
      names={names.line}
      noneMatch={search.searched === '' ? names.noneMatch : undefined}
      loading={list}
      rows={list.data?.schools}
      columns={(open) => [
        {
          key: 'name',
          title: t('schools:name'),
          isMain: true,
          cell: (school) => (
            <>
              <RowName onPress={() => open(school)}>
                <Logo src={school.logoUrl} size="row" />
                {ownName(school)}
              </RowName>
              <TranslatedNames row={school} />
            </>
          ),
        },
        {
          key: 'volunteers',
          title: t('schools:volunteers'),
          isNumber: true,
          cell: ({ counts }) => formatCount(counts.userSchools, language),
        },
        {
          key: 'categories',
          title: t('schools:categories'),
          isNumber: true,
          cell: ({ counts }) => formatCount(counts.activityCategories, language),
        },
      ]}
      form={(given) => <SchoolForm {...given} />}
      remove={remove.mutateAsync}
      inUse={({ name, counts }, things) =>
        counts.activityCategories > 0 ? say(messages.inUse(name, things)) : undefined
      }
      things={({ counts }) =>
        inWords(
          [
            { count: counts.activityCategories, message: messages.countedCategories },
            { count: counts.userSchools, message: messages.countedMembers },
          ],
          text,
        )
      }
      reload={async (id) => (await list.refetch()).data?.schools.find((school) => school.id === id)}
      mayAdd={may('run the district')}
      mayEdit={({ id }) => may('edit school', id)}
      onHistory={onHistory}
    />
  );
}
