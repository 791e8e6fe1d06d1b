import { useEffect, useEffectEvent, useRef, useState } from 'react';
import type { Id } from '#shared/id.ts';
import { failureText } from '#web/api/call.ts';
import { useTranslation } from '#web/i18n/translate.ts';
import { lazyDialog } from '#web/ui/lazy-screen.tsx';
import { ListEnd } from '#web/ui/list-end.tsx';
import { QueryPlaceholder } from '#web/ui/query-error.tsx';
import { NOTICE_MS, notify } from '#web/ui/toasts.ts';
import { VirtualList } from '#web/ui/virtual-list.tsx';
import { messages, type Photo } from '../contract.ts';
import {
  type GalleryScope,
  usePhotos,
  useRemoveCachedPhoto,
  useRestorePhoto,
  useWatchPhotos,
} from './api.ts';
import { type Block, blocksOf, justify } from './justified-layout.ts';
import { DeletedCard, PhotoCard, photoFocusTarget, TEXT_HEIGHT_PX } from './photo-card.tsx';
import { CaptionDialog, DeleteDialog } from './photo-dialogs.tsx';
import type { PhotoPermissions } from './photo-permissions.ts';
import type { ViewerProps } from './photo-viewer.tsx';

type GalleryProps = Readonly<{
  scope: GalleryScope;
  /** Returns what the viewer may do with photos of a school. */
  permissionsAt: (schoolId: Id) => PhotoPermissions;
  /** The text to show if there are no photos. */
  whenNone: string;
}>;

const GAP = 4;
const ROW_GAP = 24;
/** Minimum number of photos per block. Blocks are rendered and removed as a whole, and a long gallery renders only a few. */
const BLOCK = 8;
/** The next page is requested this many photos before the last loaded one. */
const AHEAD = 5;

/** Photos in rows that preserve their proportions, with a viewer for one large photo. */
export function Gallery({ scope, permissionsAt, whenNone }: GalleryProps) {
  const { say } = useTranslation();
  const list = usePhotos(scope);
  const deleted = useDeleted();
  const [editing, setEditing] = useState<Photo>();
  const [deleting, setDeleting] = useState<Photo>();
  const viewer = useViewer(scope);
  const { box, width } = useWidth();

  if (list.data === undefined)
    return <QueryPlaceholder text={messages.failedToLoad} query={list} rows={3} isTall />;

  const { photos, total } = list.data;
  const remaining = photos.filter(({ id }) => !deleted.ids.has(id));
  const rows = justify(photos, layoutFor(width));
  // The next page may still change the last row and make it jump, so it is not rendered until that page has loaded.
  const isRowOpen = list.hasNextPage && !list.isFetchNextPageError && rows.length > 1;
  const blocks = blocksOf(isRowOpen ? rows.slice(0, -1) : rows, BLOCK);

  const photosOf = ({ start, rows: own }: Block) => photos.slice(start, start + own.flat().length);

  function show(id: Id) {
    viewer.show(id);
    const left = remaining.length - remaining.findIndex((photo) => photo.id === id);
    if (left <= AHEAD && list.hasNextPage && !list.isFetchingNextPage) void list.fetchNextPage();
  }

  return (
    <div ref={box} className="flex flex-col gap-4">
      {photos.length === 0 && <p className="py-6 text-center text-soft">{whenNone}</p>}
      {width > 0 && photos.length > 0 && (
        <div className="flex flex-col gap-6">
          <VirtualList
            items={blocks}
            rows={photos.length}
            heightOf={heightOf}
            gap={ROW_GAP}
            // 'Deleted. Undo' gets the focus when it mounts, which must happen only once.
            stays={(block) => deleted.ids.size > 0 && photosOf(block).some(({ id }) => deleted.ids.has(id))}
          >
            {(block) => {
              const tiles = block.rows.flat();
              return (
                <ul className="flex flex-wrap gap-x-1 gap-y-6">
                  {photosOf(block).map((photo, at) => {
                    const tile = tiles[at] ?? { width: 0, height: 0 };
                    return deleted.ids.has(photo.id) ? (
                      <DeletedCard
                        key={photo.id}
                        photo={photo}
                        tile={tile}
                        isFocused={viewer.id === undefined}
                        onUndo={
                          permissionsAt(photo.schoolId).mayUndo ? () => void deleted.undo(photo) : undefined
                        }
                      />
                    ) : (
                      <PhotoCard
                        key={photo.id}
                        photo={photo}
                        width={tile.width}
                        height={tile.height}
                        onOpen={viewer.show}
                        onEdit={setEditing}
                        onDelete={setDeleting}
                      />
                    );
                  })}
                </ul>
              );
            }}
          </VirtualList>
        </div>
      )}
      <ListEnd list={list} failure={say(messages.failedToLoad)} />
      <CaptionDialog photo={editing} onClose={() => setEditing(undefined)} onMessage={showGalleryNotice} />
      <DeleteDialog
        photo={deleting}
        onClose={() => setDeleting(undefined)}
        onDeleted={(photo, message) => {
          deleted.mark(photo);
          showGalleryNotice(message);
        }}
      />
      {viewer.id !== undefined && (
        <Viewer
          isOpen
          photos={remaining}
          total={total - deleted.ids.size}
          id={viewer.id}
          permissionsAt={permissionsAt}
          onShow={show}
          onClose={viewer.close}
          onDeleted={deleted.mark}
          onGone={({ id }) => deleted.forget(id)}
        />
      )}
    </div>
  );
}

const Viewer = lazyDialog<ViewerProps & { isOpen: boolean }>(
  async () => (await import('./photo-viewer.tsx')).Viewer,
);

/** Shows a short notice about the gallery (4 s, specification section 4). */
export function showGalleryNotice(message: string): void {
  notify.success(message, { lasts: NOTICE_MS.gallery });
}

/** The photo that is open in the viewer. The viewer closes if the photo leaves the list or the viewer's code fails to load. */
function useViewer(scope: GalleryScope) {
  const { say } = useTranslation();
  const [id, setId] = useState<Id>();
  // A ref, because a new list may arrive after the id was set and before React renders again.
  const latest = useRef<Id>(undefined);
  function show(next: Id | undefined) {
    latest.current = next;
    setId(next);
  }
  const close = () => show(undefined);
  useWatchPhotos(scope, (photos) => {
    if (latest.current === undefined || photos.some((photo) => photo.id === latest.current)) return;
    close();
    notify.failure(say(messages.notFound));
  });
  return { id, show, close };
}

/** Deleted photos leave a card with Undo until the user leaves the gallery. */
function useDeleted() {
  const [deleted, setDeleted] = useState<readonly Photo[]>([]);
  const restore = useRestorePhoto();
  const clear = useRemoveCachedPhoto();
  const forgetDeleted = useEffectEvent(() => {
    for (const { id } of deleted) clear(id);
  });
  useEffect(() => () => forgetDeleted(), []);
  return {
    ids: new Set(deleted.map(({ id }) => id)),
    mark: (photo: Photo) => setDeleted((before) => [...before, photo]),
    forget: clear,
    async undo(photo: Photo) {
      try {
        const { message } = await restore.mutateAsync(photo.id);
        setDeleted((before) => before.filter(({ id }) => id !== photo.id));
        showGalleryNotice(message);
        setTimeout(photoFocusTarget(photo.id).focus);
      } catch (error) {
        notify.failure(failureText(error));
      }
    },
  };
}

// A phone has two columns; small tablets and larger screens have rows up to 260 px high.
function layoutFor(width: number) {
  return width < 560
    ? { width, height: 240, gap: GAP, columns: 2, narrowest: 0.7, widest: 1.78 }
    : { width, height: 260, gap: GAP, narrowest: 0.6, widest: 2.4 };
}

function heightOf({ rows }: Block): number {
  const tiles = rows.reduce((sum, [first]) => sum + (first?.height ?? 0) + TEXT_HEIGHT_PX, 0);
  return tiles + ROW_GAP * (rows.length - 1);
}

function useWidth() {
  const [width, setWidth] = useState(0);
  const [box] = useState(() => (element: HTMLElement | null) => {
    if (element === null) return;
    const measure = () => setWidth(Math.floor(element.getBoundingClientRect().width));
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => observer.disconnect();
  });
  return { box, width };
}
