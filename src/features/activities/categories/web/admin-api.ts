import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query';
import type { TranslatableList } from '#features/schools/content-translations/web/translatable-list.ts';
import type { OtherLanguage } from '#shared/content-translations.ts';
import type { BodyOf } from '#shared/endpoint.ts';
import type { Id } from '#shared/id.ts';
import { PAGE } from '#shared/list-query.ts';
import { foldForSearch } from '#shared/text-normalization.ts';
import { call } from '#web/api/call.ts';
import { listPages, readPages, totalOf } from '#web/api/infinite-pages.ts';
import { useAdminChange } from '#web/api/list-cache.ts';
import { PALETTE } from '../category-colors.ts';
import {
  type Category,
  createCategory,
  deleteCategory,
  listCategories,
  translateCategories,
  updateCategory,
} from '../contract.ts';

/**
 * Fetches the categories that match a search, by name, of one school or of all. `without` matches those without a name
 * in this language.
 */
export function useCategoryList(
  schoolId: Id | undefined,
  search: string,
  without: OtherLanguage | undefined,
) {
  return useInfiniteQuery({
    ...listPages(
      ['admin', 'categories', schoolId, search, without],
      listCategories,
      { schoolId, search, without },
      (pages) => ({ categories: pages.flatMap((page) => page.categories), total: totalOf(pages) }),
    ),
    placeholderData: keepPreviousData,
  });
}

/** Category names for the bulk translation dialog. */
export function categoryNames(schoolId: Id | undefined, nameHead: string): TranslatableList {
  return {
    kind: 'categories',
    schoolId,
    nameHead,
    missing: async (without, limit, signal) => {
      const query = { schoolId, without, limit };
      const { categories, total } = await call(listCategories, { query, signal });
      return { names: categories.map(({ name }) => name), total };
    },
    send: (body, signal) =>
      call(translateCategories, { body: { ...body, schoolId }, ...(signal && { signal }) }),
  };
}

/** Fetches all categories of a school for a select field. */
async function allCategories(schoolId: Id, signal?: AbortSignal): Promise<Category[]> {
  const pages = await readPages(listCategories, { schoolId, limit: PAGE.max }, { signal });
  return pages.flatMap(({ categories }) => categories);
}

/** Fetches all categories of a school by name. */
export function useCategories(schoolId: Id) {
  return useQuery({
    queryKey: ['admin', 'all-categories', schoolId],
    queryFn: ({ signal }) => allCategories(schoolId, signal),
  });
}

/** Creates a category, or changes the given version of an existing one. */
export function useSaveCategory() {
  return useAdminChange(
    ({ category, body }: { category: Category | undefined; body: BodyOf<typeof createCategory> }) =>
      category === undefined
        ? call(createCategory, { body })
        : call(updateCategory, { params: { id: category.id }, body, version: category.version }),
  );
}

/** Deletes a category without activities. */
export function useDeleteCategory() {
  return useAdminChange((category: Category) => call(deleteCategory, { params: { id: category.id } }));
}

/** A category of a pasted list; only the name is required. */
export type ListedCategory = Pick<
  BodyOf<typeof createCategory>,
  'name' | 'color' | 'kind' | 'description' | 'translations'
>;

/** Adds categories to a school, skipping names that are taken. Returns the added ones. */
export async function addCategories(
  schoolId: Id,
  categories: readonly ListedCategory[],
): Promise<readonly Category[]> {
  const here = await allCategories(schoolId);
  const names = new Set(here.map(({ name }) => foldForSearch(name)));
  const colors = new Set(here.map(({ color }) => color.toLowerCase()));
  const free = PALETTE.filter((color) => !colors.has(color));
  const added: Category[] = [];
  for (const { name, color = free.shift(), ...look } of categories) {
    if (names.has(foldForSearch(name))) continue;
    names.add(foldForSearch(name));
    const body = { schoolId, name, ...(color === undefined ? {} : { color }), ...look };
    added.push((await call(createCategory, { body })).category);
  }
  return added;
}

/** Deletes categories that are still empty. */
export async function removeCategories(categories: readonly Category[]): Promise<void> {
  for (const { id } of categories) await call(deleteCategory, { params: { id } });
}
