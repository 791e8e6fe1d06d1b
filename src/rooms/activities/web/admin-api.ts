import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import type { BodyOf, ReplyOf } from '#base/endpoint.ts';
import type { Id } from '#base/id.ts';
import { fold } from '#base/text.ts';
import { createCategory } from '#rooms/categories/contract.ts';
import { allCategories } from '#rooms/categories/web/admin-api.ts';
import { CallError, call } from '#web/lib/call.ts';
import { pagesOf, totalOf } from '#web/lib/pages.ts';
import { useAdminChange } from '#web/lib/refresh.ts';
import { t } from '#web/lib/text.ts';
import {
  type Activity,
  createActivity,
  deleteActivity,
  listAdminActivities,
  updateActivity,
} from '../contract.ts';

type Page = ReplyOf<typeof listAdminActivities>;

const activitiesFound = (schoolId: Id | undefined, search: string) =>
  pagesOf(
    ['admin', 'activities', schoolId, search],
    ({ cursor, signal }): Promise<Page> =>
      call(listAdminActivities, { query: { schoolId, search, cursor }, signal }),
    (pages) => ({
      activities: pages.flatMap((page) => page.activities),
      total: totalOf(pages),
    }),
  );

/** The activities that match a search, by name; of one school, or of all. */
export function useActivityList(schoolId: Id | undefined, search: string) {
  return useInfiniteQuery({ ...activitiesFound(schoolId, search), placeholderData: keepPreviousData });
}

/** Creates an activity, or changes the given one in the version shown. */
export function useSaveActivity() {
  return useAdminChange(
    ({ activity, body }: { activity: Activity | undefined; body: BodyOf<typeof createActivity> }) =>
      activity === undefined
        ? call(createActivity, { body })
        : call(updateActivity, { params: { id: activity.id }, body, version: activity.version }),
  );
}

/** Deletes an activity that nobody has logged hours for. */
export function useDeleteActivity() {
  return useAdminChange((activity: Activity) => call(deleteActivity, { params: { id: activity.id } }));
}

/** Activates or deactivates one of many activities; the lists are reloaded after the last one. */
export function setActive({ id, version }: Activity, isActive: boolean) {
  return call(updateActivity, { params: { id }, body: { isActive }, version });
}

/**
 * Copies an activity to another school, into the category of the same name there; creates that category if it is
 * missing, and fails where the person may not.
 */
export async function copyToSchool(activity: Activity, schoolId: Id, mayAdd: boolean): Promise<void> {
  const { name, color, kind } = activity.category;
  const there = (await allCategories(schoolId)).find((category) => fold(category.name) === fold(name));
  if (there === undefined && !mayAdd) throw new CallError(409, t('web:noSuchCategory', { name }), true);
  const category = there ?? (await call(createCategory, { body: { schoolId, name, color, kind } })).category;
  const { description, activeFrom, activeUntil, requiresDescription, descriptionPrompt } = activity;
  await call(createActivity, {
    body: {
      name: activity.name,
      schoolId,
      categoryId: category.id,
      description,
      activeFrom,
      activeUntil,
      requiresDescription,
      descriptionPrompt,
    },
  });
}
