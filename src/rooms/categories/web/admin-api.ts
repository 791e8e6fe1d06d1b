import { keepPreviousData, queryOptions, useInfiniteQuery, useQuery } from '@tanstack/react-query';
import type { BodyOf, ReplyOf } from '#base/endpoint.ts';
import type { Id } from '#base/id.ts';
import { PAGE } from '#base/page.ts';
import { call } from '#web/lib/call.ts';
import { pagesOf, totalOf } from '#web/lib/pages.ts';
import { useAdminChange } from '#web/lib/refresh.ts';
import {
  type Category,
  createCategory,
  deleteCategory,
  listCategories,
  updateCategory,
} from '../contract.ts';

type Page = ReplyOf<typeof listCategories>;

const categoriesFound = (schoolId: Id | undefined, search: string) =>
  pagesOf(
    ['admin', 'categories', schoolId, search],
    ({ cursor, signal }): Promise<Page> =>
      call(listCategories, { query: { schoolId, search, cursor }, signal }),
    (pages) => ({
      categories: pages.flatMap((page) => page.categories),
      total: totalOf(pages),
    }),
  );

/** The categories that match a search, by name; of one school, or of all. */
export function useCategoryList(schoolId: Id | undefined, search: string) {
  return useInfiniteQuery({ ...categoriesFound(schoolId, search), placeholderData: keepPreviousData });
}

/** Every category of a school, for a form to choose from. */
export async function allCategories(schoolId: Id, signal?: AbortSignal): Promise<Category[]> {
  const found: Category[] = [];
  let cursor: string | undefined;
  do {
    const page: Page = await call(listCategories, {
      query: { schoolId, limit: PAGE.max, cursor },
      ...(signal === undefined ? {} : { signal }),
    });
    found.push(...page.categories);
    cursor = page.nextCursor ?? undefined;
  } while (cursor !== undefined);
  return found;
}

const categoriesOf = (schoolId: Id) =>
  queryOptions({
    queryKey: ['admin', 'all-categories', schoolId],
    queryFn: ({ signal }) => allCategories(schoolId, signal),
  });

/** Every category of a school, by name. */
export function useCategories(schoolId: Id) {
  return useQuery(categoriesOf(schoolId));
}

/** Creates a category, or changes the given one in the version shown. */
export function useSaveCategory() {
  return useAdminChange(
    ({ category, body }: { category: Category | undefined; body: BodyOf<typeof createCategory> }) =>
      category === undefined
        ? call(createCategory, { body })
        : call(updateCategory, { params: { id: category.id }, body, version: category.version }),
  );
}

/** Deletes a category that has no activities. */
export function useDeleteCategory() {
  return useAdminChange((category: Category) => call(deleteCategory, { params: { id: category.id } }));
}
