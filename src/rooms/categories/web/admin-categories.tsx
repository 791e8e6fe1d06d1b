import type { ReactNode } from 'react';
import type { PublicSchool } from '#rooms/schools/contract.ts';
import { AtSchool } from '#rooms/schools/web/admin-at-school.tsx';
import { useSchoolColumn } from '#rooms/schools/web/admin-school-column.tsx';
import { formatCount, inWords } from '#web/lib/counted.ts';
import { useMay } from '#web/lib/may.ts';
import { useText } from '#web/lib/text.ts';
import { RowName } from '#web/ui/admin/data-table.tsx';
import { RecordList } from '#web/ui/admin/record-list.tsx';
import { useSearch } from '#web/ui/admin/use-search.ts';
import { CategoryChip } from '#web/ui/category.tsx';
import { type Category, messages } from '../contract.ts';
import { useCategoryList, useDeleteCategory } from './admin-api.ts';
import { CategoryForm } from './admin-category-form.tsx';

type AdminCategoriesProps = {
  /** Undefined for all schools. */
  school: PublicSchool | undefined;
  filter: ReactNode;
  onHistory: (category: Category) => void;
};

/** The categories of a school, or of all. */
export function AdminCategories({ school, filter, onHistory }: AdminCategoriesProps) {
  const text = useText();
  const { t, say, language } = text;
  const search = useSearch();
  const list = useCategoryList(school?.id, search.searched);
  const remove = useDeleteCategory();
  const may = useMay();
  const schoolColumn = useSchoolColumn(school);
  return (
    <RecordList<Category>
      texts={{
        title: t('categories:title'),
        total: list.data === undefined ? undefined : t('categories:total', { count: list.data.total }),
        search: t('categories:search'),
        add: t('categories:add'),
        noneYet: t('categories:noneYet', { school: school?.name ?? t('web:grantedSchools') }),
        addFirst: t('categories:addFirst'),
        createTitle: t('categories:createTitle'),
        editTitle: t('categories:editTitle'),
        deleteTitle: t('categories:deleteTitle'),
        failure: say(messages.failedToLoad),
      }}
      aside={filter}
      search={search}
      loading={list}
      rows={list.data?.categories}
      columns={(open) => [
        {
          key: 'name',
          title: t('categories:name'),
          isMain: true,
          cell: (category) => (
            <RowName onPress={() => open(category)}>
              <CategoryChip name={category.name} color={category.color} />
            </RowName>
          ),
        },
        {
          key: 'description',
          title: t('categories:description'),
          isPlain: true,
          cell: ({ description }) => (
            <span className="line-clamp-2 max-w-96 text-soft max-sm:order-last">{description}</span>
          ),
          whole: ({ description }) => description,
        },
        ...schoolColumn,
        {
          key: 'kind',
          title: t('categories:kindShort'),
          isPlain: true,
          cell: ({ kind }) => t(`categories:${kind}`),
        },
        {
          key: 'activities',
          title: t('categories:activities'),
          isNumber: true,
          cell: ({ counts }) => formatCount(counts.activities, language),
        },
      ]}
      form={(given) => (
        <AtSchool
          school={given.opened.kind === 'edit' ? given.opened.row.schoolId : school}
          needs="edit categories"
        >
          {(at) => <CategoryForm school={at} {...given} />}
        </AtSchool>
      )}
      remove={remove.mutateAsync}
      things={({ counts }) =>
        inWords([{ count: counts.activities, message: messages.countedActivities }], text)
      }
      reload={async (id) => (await list.refetch()).data?.categories.find((category) => category.id === id)}
      mayAdd={may('edit categories', school?.id)}
      mayEdit={({ schoolId }) => may('edit categories', schoolId)}
      onHistory={onHistory}
    />
  );
}
