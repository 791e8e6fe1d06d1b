import {
  keepPreviousData,
  useInfiniteQuery,
  useMutation,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query';
import { listUsers } from '#features/users/admin-contract.ts';
import type { BodyOf } from '#shared/endpoint.ts';
import type { Id } from '#shared/id.ts';
import { fullName } from '#shared/person-name.ts';
import { call } from '#web/api/call.ts';
import { listPages, readPages } from '#web/api/infinite-pages.ts';
import { useDecision } from '#web/api/list-cache.ts';
import {
  approvePhoto,
  deletePhoto,
  getPhotoSettings,
  listActivitiesWithPhotos,
  listDeletedPhotos,
  listPhotosToReview,
  restorePhoto,
  updatePhotoSettings,
} from '../contract.ts';

const ADMIN = ['photos', 'admin'] as const;
const PAGE = 50;

/** Fetches the activities of one school, or of all, that have photos. */
export function useActivitiesWithPhotos(schoolId: Id | undefined, search: string) {
  return useInfiniteQuery({
    ...listPages(
      [...ADMIN, 'activities', schoolId ?? 'all', search],
      listActivitiesWithPhotos,
      { schoolId, search, limit: PAGE },
      (pages) => pages.flatMap((page) => page.activities),
    ),
    placeholderData: keepPreviousData,
  });
}

/** Fetches the photos of one school, or of all, that wait for a decision, oldest upload first. */
export function usePhotosToReview(schoolId: Id | undefined) {
  return useInfiniteQuery(
    listPages(
      [...ADMIN, 'review', schoolId ?? 'all'],
      listPhotosToReview,
      { schoolId, limit: PAGE },
      (pages) => pages.flatMap((page) => page.photos),
    ),
  );
}

/** Fetches the deleted photos of one school, or of all, latest deletion first. */
export function useDeletedPhotos(schoolId: Id | undefined) {
  return useInfiniteQuery(
    listPages([...ADMIN, 'trash', schoolId ?? 'all'], listDeletedPhotos, { schoolId, limit: PAGE }, (pages) =>
      pages.flatMap((page) => page.photos),
    ),
  );
}

const DECISIONS = { approve: approvePhoto, reject: deletePhoto, restore: restorePhoto } as const;

/** Approves a photo, rejects it (which deletes it) or restores it. Reloads the lists even after an error. */
export function useDecidePhoto() {
  return useDecision(
    ({ id, decision }: { id: Id; decision: keyof typeof DECISIONS }): Promise<{ message: string }> =>
      call(DECISIONS[decision], { params: { id } }),
  );
}

/** The district's settings for photos. */
export function usePhotoSettings() {
  return useQuery({
    queryKey: [...ADMIN, 'settings'],
    queryFn: ({ signal }) => call(getPhotoSettings, { signal }).then((reply) => reply.settings),
    staleTime: 0,
  });
}

export function useChangePhotoSettings() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: BodyOf<typeof updatePhotoSettings>) => call(updatePhotoSettings, { body }),
    onSuccess: () => void client.invalidateQueries({ queryKey: ['photos'] }),
  });
}

/** Fetches every active administrator by name, as possible recipients of requests to hide a photo. */
export function useAdministrators() {
  return useQuery({
    queryKey: [...ADMIN, 'administrators'],
    queryFn: async ({ signal }) => {
      const pages = await readPages(listUsers, { limit: 500 }, { signal });
      return pages
        .flatMap(({ users }) => users)
        .filter(({ role, isActive }) => role === 'admin' && isActive)
        .map((user) => ({ id: user.id, name: fullName(user) }));
    },
  });
}
