import { Copy } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { useTranslatedNames } from '#features/schools/content-translations/web/admin-translated-names.tsx';
import {
  ownName,
  TranslatedNames,
} from '#features/schools/content-translations/web/admin-translation-fields.tsx';
import type { PublicSchool } from '#features/schools/contract.ts';
import { CopyToSchools } from '#features/schools/web/admin-copy-to-schools.tsx';
import { FormSchool } from '#features/schools/web/admin-form-school.tsx';
import { usePermittedSchools } from '#features/schools/web/admin-permitted-schools.ts';
import { useSchoolColumn } from '#features/schools/web/admin-school-column.tsx';
import { download } from '#web/api/download.ts';
import { useCan } from '#web/api/permissions.ts';
import { formatCount, inWords } from '#web/i18n/count-text.ts';
import { type Text, useTranslation } from '#web/i18n/translate.ts';
import { type Column, RowName } from '#web/ui/admin/data-table.tsx';
import { EditableList } from '#web/ui/admin/editable-list.tsx';
import { SelectionBar } from '#web/ui/admin/selection-bar.tsx';
import { useSearch } from '#web/ui/admin/use-list-search.ts';
import { Button } from '#web/ui/button.tsx';
import { CategoryChip } from '#web/ui/category.tsx';
import { type Category, exportCategories, messages } from '../contract.ts';
import { AddCategories } from './admin-add-categories.tsx';
import {
  addCategories,
  categoryNames,
  removeCategories,
  useCategoryList,
  useDeleteCategory,
} from './admin-api.ts';
import { CategoryForm } from './admin-category-form.tsx';

type AdminCategoriesProps = {
  /** Undefined means all schools. */
  school: PublicSchool | undefined;
  filter: ReactNode;
  onHistory: (category: Category) => void;
};

/** The categories of a school, or of all schools. */
export function AdminCategories({ school, filter, onHistory }: AdminCategoriesProps) {
  const text = useTranslation();
  const { t, say } = text;
  const search = useSearch();
  const can = useCan();
  const mayEdit = can('edit categories', school?.id);
  const names = useTranslatedNames(categoryNames(school?.id, t('categories:name')), mayEdit);
  const list = useCategoryList(school?.id, search.searched, names.without);
  const remove = useDeleteCategory();
  const schoolColumn = useSchoolColumn(school);
  const schools = usePermittedSchools('edit categories').data ?? [];
  const [chosen, setChosen] = useState<ReadonlySet<number>>(new Set());
  const [isAdding, setIsAdding] = useState(false);
  const [isCopying, setIsCopying] = useState(false);
  const ticked = (list.data?.categories ?? []).filter(({ id }) => chosen.has(id));
  const others = schools.filter(({ id }) => ticked.every(({ schoolId }) => schoolId !== id));
  const name = t('categories:total', { count: ticked.length });
  if (names.screen !== undefined) return names.screen;
  return (
    <>
      <EditableList<Category>
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
        names={names.line}
        noneMatch={search.searched === '' ? names.noneMatch : undefined}
        onSave={(format) =>
          download(`categories.${format}`, exportCategories, {
            body: { format, schoolId: school?.id, search: search.searched, without: names.without },
          })
        }
        {...(mayEdit
          ? {
              filters: <Button onPress={() => setIsAdding(true)}>{t('categories:addSeveral')}</Button>,
              bulk: (
                <SelectionBar
                  text={t('categories:selected', { count: ticked.length })}
                  isShown={ticked.length > 0}
                >
                  {others.length > 0 && (
                    <Button
                      icon={<Copy aria-hidden="true" className="size-5" />}
                      onPress={() => setIsCopying(true)}
                    >
                      {t('schools:copyToSchools')}
                    </Button>
                  )}
                  <Button kind="plain" onPress={() => setChosen(new Set())}>
                    {t('categories:clearSelection')}
                  </Button>
                </SelectionBar>
              ),
              selection: {
                chosen,
                onChange: setChosen,
                allLabel: t('categories:selectAll'),
                rowLabel: (row: Category) => t('categories:selectOne', { name: row.name }),
              },
            }
          : {})}
        search={search}
        loading={list}
        rows={list.data?.categories}
        columns={(open) => columnsOf(open, text).toSpliced(2, 0, ...schoolColumn)}
        form={(given) => (
          <FormSchool
            school={given.opened.kind === 'edit' ? given.opened.row.schoolId : school}
            needs="edit categories"
          >
            {(at) => <CategoryForm school={at} {...given} />}
          </FormSchool>
        )}
        remove={remove.mutateAsync}
        inUse={({ name, counts }, things) =>
          counts.activities > 0 ? say(messages.inUse(name, things)) : undefined
        }
        things={({ counts }) =>
          inWords([{ count: counts.activities, message: messages.countedActivities }], text)
        }
        reload={async (id) => (await list.refetch()).data?.categories.find((category) => category.id === id)}
        mayAdd={mayEdit}
        mayEdit={({ schoolId }) => can('edit categories', schoolId)}
        onHistory={onHistory}
      />
      <AddCategories isOpen={isAdding} school={school} onClose={() => setIsAdding(false)} />
      <CopyToSchools
        copying={
          isCopying
            ? {
                name,
                hint: t('categories:copyHint', { name }),
                to: async (schoolId) => {
                  const added = await addCategories(schoolId, ticked.map(toListedCategory));
                  return added.length === 0 ? undefined : () => removeCategories(added).then(() => 0);
                },
              }
            : undefined
        }
        schools={others}
        onClose={() => setIsCopying(false)}
      />
    </>
  );
}

function columnsOf(open: (category: Category) => void, { t, language }: Text): readonly Column<Category>[] {
  return [
    {
      key: 'name',
      title: t('categories:name'),
      isMain: true,
      cell: (category) => (
        <>
          <RowName onPress={() => open(category)}>
            <CategoryChip name={ownName(category)} color={category.color} />
          </RowName>
          <TranslatedNames row={category} />
        </>
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
  ];
}

function toListedCategory({ name, color, kind, description, translations }: Category) {
  return { name, color, kind, description, translations };
}
