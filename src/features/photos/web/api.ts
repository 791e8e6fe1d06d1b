import {
  hashKey,
  type InfiniteData,
  infiniteQueryOptions,
  type QueryClient,
  useInfiniteQuery,
  useMutation,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query';
import { useEffect, useEffectEvent } from 'react';
import type { ReplyOf } from '#shared/endpoint.ts';
import type { Id } from '#shared/id.ts';
import { CallError, call } from '#web/api/call.ts';
import {
  deletePhoto,
  getPhotoRules,
  listActivityPhotos,
  listGrantedPhotos,
  listSchoolPhotos,
  type Photo,
  restorePhoto,
  takePhotoDown,
  updatePhoto,
} from '../contract.ts';

/**
 * The photos of a gallery: those of a school, of one of its activities, or of all schools whose photos the viewer sees through
 * a role.
 */
export type GalleryScope =
  | Readonly<{ schoolId: Id; activityId: Id | undefined }>
  | Readonly<{ schoolId: 'all'; activityId: undefined }>;

type Page = ReplyOf<typeof listSchoolPhotos>;

const PAGE = 50;

const galleryQuery = (scope: GalleryScope) =>
  infiniteQueryOptions({
    queryKey: ['photos', 'gallery', scope.schoolId, scope.activityId ?? 'all'],
    queryFn: ({ pageParam, signal }): Promise<Page> => {
      const query = { limit: PAGE, ...(pageParam === '' ? {} : { cursor: pageParam }) };
      const { schoolId, activityId } = scope;
      if (schoolId === 'all') return call(listGrantedPhotos, { query, signal });
      return activityId === undefined
        ? call(listSchoolPhotos, { params: { id: schoolId }, query, signal })
        : call(listActivityPhotos, { params: { id: activityId }, query: { schoolId, ...query }, signal });
    },
    initialPageParam: '',
    getNextPageParam: (page) => page.nextCursor ?? undefined,
    select: ({ pages }) => ({
      photos: pages.flatMap((page) => page.photos),
      total: pages[0]?.pagination.total ?? 0,
    }),
    // A refetch on window focus would reload every page of a long gallery.
    refetchOnWindowFocus: false,
  });

/** Fetches photos, latest first, one page at a time. */
export function usePhotos(scope: GalleryScope) {
  return useInfiniteQuery(galleryQuery(scope));
}

/** Calls back with a gallery's photos whenever they are loaded or changed. */
export function useWatchPhotos(scope: GalleryScope, onPhotos: (photos: readonly Photo[]) => void) {
  const client = useQueryClient();
  const pass = useEffectEvent(onPhotos);
  const hash = hashKey(galleryQuery(scope).queryKey);
  useEffect(
    () =>
      client.getQueryCache().subscribe(({ type, query }) => {
        if (type !== 'updated' || query.queryHash !== hash) return;
        const pages = (query.state.data as InfiniteData<Page> | undefined)?.pages;
        if (pages !== undefined) pass(pages.flatMap((page) => page.photos));
      }),
    [client, hash],
  );
}

/** Fetches the rules that the upload form shows, such as the consent text. */
export function usePhotoRules() {
  return useQuery({
    queryKey: ['photos', 'rules'],
    queryFn: ({ signal }) => call(getPhotoRules, { signal }).then((reply) => reply.rules),
  });
}

/** Puts new photos at the top of a gallery, and reloads every other list that may show or count them. */
export function usePhotosAdded(scope: GalleryScope) {
  const client = useQueryClient();
  return (added: readonly Photo[]) => {
    const ids = new Set(added.map(({ id }) => id));
    client.setQueryData(galleryQuery(scope).queryKey, (data) => {
      const known = data?.pages.flatMap((page) => page.photos).filter(({ id }) => ids.has(id)).length ?? 0;
      return updatePages(
        data,
        (photos, page) => {
          const others = photos.filter(({ id }) => !ids.has(id));
          return page === 0 ? [...added, ...others] : others;
        },
        added.length - known,
      );
    });
    void client.invalidateQueries({ queryKey: ['photos', 'gallery'], refetchType: 'none' });
    refreshCounts(client);
  };
}

/** Changes a caption. */
export function useEditCaption() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ photo, caption }: { photo: Photo; caption: string | null }) =>
      call(updatePhoto, { params: { id: photo.id }, body: { caption }, version: photo.version }),
    onSuccess: ({ photo }) => replacePhoto(client, photo),
    onError: (error) => refreshWhenStale(client, error),
  });
}

/** Deletes a photo. It stays in the cached lists so that it can be restored; the gallery marks it as deleted. */
export function useDeletePhoto() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (id: Id) => call(deletePhoto, { params: { id } }),
    onSuccess: () => refreshCounts(client),
    onError: (error) => refreshWhenStale(client, error),
  });
}

/** Restores a deleted photo. */
export function useRestorePhoto() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (id: Id) => call(restorePhoto, { params: { id } }),
    onSuccess: ({ photo }) => {
      replacePhoto(client, photo);
      refreshCounts(client);
    },
  });
}

/** Hides a photo. Viewers who see all photos still see it, with a badge. It is removed from everyone else's gallery. */
export function useHidePhoto(seesAll: boolean) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ photo, reason }: { photo: Photo; reason: string | null }) =>
      call(takePhotoDown, { params: { id: photo.id }, body: { reason } }),
    onSuccess: (_, { photo }) => {
      if (seesAll) replacePhoto(client, { ...photo, review: 'reported' });
      refreshCounts(client);
    },
    onError: (error) => refreshWhenStale(client, error),
  });
}

/** Removes a photo from the cached galleries. */
export function useRemoveCachedPhoto() {
  const client = useQueryClient();
  return (id: Id) =>
    client.setQueriesData<InfiniteData<Page>>({ queryKey: ['photos', 'gallery'] }, (data) => {
      const isThere = data?.pages.some((page) => page.photos.some((photo) => photo.id === id));
      return isThere ? updatePages(data, (photos) => photos.filter((photo) => photo.id !== id), -1) : data;
    });
}

function replacePhoto(client: QueryClient, photo: Photo) {
  client.setQueriesData<InfiniteData<Page>>({ queryKey: ['photos', 'gallery'] }, (data) =>
    updatePages(data, (photos) => photos.map((one) => (one.id === photo.id ? photo : one))),
  );
}

function updatePages<Data extends InfiniteData<Page>>(
  data: Data | undefined,
  update: (photos: Photo[], page: number) => Photo[],
  more = 0,
): Data | undefined {
  return (
    data && {
      ...data,
      pages: data.pages.map((page, at) => ({
        ...page,
        photos: update(page.photos, at),
        pagination: { total: page.pagination.total + more },
      })),
    }
  );
}

function refreshCounts(client: QueryClient) {
  void client.invalidateQueries({ queryKey: ['activities'] });
  void client.invalidateQueries({ queryKey: ['photos', 'admin'] });
}

// The photo was changed or deleted elsewhere, so the gallery reloads to show the current state.
function refreshWhenStale(client: QueryClient, error: Error) {
  if (!(error instanceof CallError) || ![404, 409].includes(error.status)) return;
  void client.invalidateQueries({ queryKey: ['photos'] });
  refreshCounts(client);
}
