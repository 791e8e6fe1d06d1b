import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import type { TranslatableList } from '#features/schools/content-translations/web/translatable-list.ts';
import type { UndoCopy } from '#features/schools/web/admin-copy-to-schools.tsx';
import type { OtherLanguage } from '#shared/content-translations.ts';
import type { BodyOf } from '#shared/endpoint.ts';
import type { Id } from '#shared/id.ts';
import { foldForSearch } from '#shared/text-normalization.ts';
import { CallError, call } from '#web/api/call.ts';
import { listPages, totalOf } from '#web/api/infinite-pages.ts';
import { useAdminChange } from '#web/api/list-cache.ts';
import { undoBulk } from '../bulk/contract.ts';
import { createActivities } from '../bulk/web/admin-api.ts';
import {
  type AdminActivity,
  createActivity,
  deleteActivity,
  listAdminActivities,
  translateActivities,
  updateActivity,
} from '../contract.ts';

/**
 * Fetches the activities that match a search, by name, of one school or of all. `without` matches those without a name
 * in this language.
 */
export function useActivityList(
  schoolId: Id | undefined,
  search: string,
  without: OtherLanguage | undefined,
) {
  return useInfiniteQuery({
    ...listPages(
      ['admin', 'activities', schoolId, search, without],
      listAdminActivities,
      { schoolId, search, without },
      (pages) => ({ activities: pages.flatMap((page) => page.activities), total: totalOf(pages) }),
    ),
    placeholderData: keepPreviousData,
  });
}

/** Activity names for the bulk translation dialog. */
export function activityNames(schoolId: Id | undefined, nameHead: string): TranslatableList {
  return {
    kind: 'activities',
    schoolId,
    nameHead,
    missing: async (without, limit, signal) => {
      const query = { schoolId, without, limit };
      const { activities, total } = await call(listAdminActivities, { query, signal });
      return { names: activities.map(({ name }) => name), total };
    },
    send: (body, signal) =>
      call(translateActivities, { body: { ...body, schoolId }, ...(signal && { signal }) }),
  };
}

/** Creates an activity, or changes the given version of an existing one. */
export function useSaveActivity() {
  return useAdminChange(
    ({ activity, body }: { activity: AdminActivity | undefined; body: BodyOf<typeof createActivity> }) =>
      activity === undefined
        ? call(createActivity, { body })
        : call(updateActivity, { params: { id: activity.id }, body, version: activity.version }),
  );
}

/** Deletes an activity. Fails if it has hours or photos. */
export function useDeleteActivity() {
  return useAdminChange((activity: AdminActivity) => call(deleteActivity, { params: { id: activity.id } }));
}

/** Activates or deactivates one activity of a selection. The caller reloads the lists after the last one. */
export function setActive({ id, version }: AdminActivity, isActive: boolean) {
  return call(updateActivity, { params: { id }, body: { isActive }, version });
}

/**
 * Copies activities to another school, skipping duplicates. Uses the categories of the same names, and creates missing ones if
 * the user may. Returns a function that undoes the copy and returns the number of activities that could not be deleted.
 */
export async function copyToSchool(activities: readonly AdminActivity[], schoolId: Id): Promise<UndoCopy> {
  const looks = new Map(activities.map(({ category }) => [foldForSearch(category.name), category]));
  try {
    const { batch } = await createActivities({
      schoolId,
      activities: activities.map((activity) => {
        const { name, description, activeFrom, activeUntil, requiresDescription, descriptionPrompt } =
          activity;
        const category = activity.category.name;
        const days = { activeFrom, activeUntil };
        const { translations } = activity;
        return { name, category, description, ...days, requiresDescription, descriptionPrompt, translations };
      }),
      categories: [...looks.values()].map(({ name, color, kind }) => ({ name, color, kind })),
    });
    return async () => (await call(undoBulk, { params: { id: batch.id } })).kept.length;
  } catch (error) {
    // The error of the first invalid row is more specific than the summary.
    const [reason] = error instanceof CallError ? Object.values(error.fields) : [];
    if (!(error instanceof CallError) || reason === undefined) throw error;
    throw new CallError(error.status, reason, true);
  }
}
