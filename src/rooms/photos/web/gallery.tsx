import { useEffect, useEffectEvent, useState } from 'react';
import type { Id } from '#base/id.ts';
import { baseMessages } from '#base/messages.ts';
import { failureText } from '#web/lib/call.ts';
import { NOTICE_MS, notify } from '#web/lib/notify.ts';
import { useText } from '#web/lib/text.ts';
import { usePart } from '#web/lib/use-part.ts';
import { ListEnd } from '#web/ui/list-end.tsx';
import { ErrorBox } from '#web/ui/notice.tsx';
import { SkeletonRows } from '#web/ui/skeleton.tsx';
import { messages, type Photo } from '../contract.ts';
import { type Shown, useForgetPhoto, usePhotos, useRestorePhoto } from './api.ts';
import { CaptionDialog } from './caption-dialog.tsx';
import { DeleteDialog } from './delete-dialog.tsx';
import { type Block, blocksOf, justify } from './justify.ts';
import { Near } from './near.tsx';
import { DeletedCard, PhotoCard, WORDS_PX } from './photo-card.tsx';

type GalleryProps = Readonly<{
  shown: Shown;
  isAdmin: boolean;
  /** Said when there is no photo. */
  whenNone: string;
}>;

const GAP = 4;
const ROW_GAP = 24;
/** So many photos at least come and go together; a page that is scrolled holds a few such blocks, however many there are. */
const BLOCK = 8;
/** So many before the last loaded photo, the next ones are asked for. */
const AHEAD = 5;

/** Photos in rows of their own proportions, and one of them large. */
export function Gallery({ shown, isAdmin, whenNone }: GalleryProps) {
  const { say } = useText();
  const list = usePhotos(shown);
  const [deleted, setDeleted] = useState<readonly Photo[]>([]);
  const [editing, setEditing] = useState<Photo>();
  const [deleting, setDeleting] = useState<Photo>();
  const viewer = useViewer();
  const restore = useRestorePhoto();
  const forget = useForgetPhoto();
  const { box, width } = useWidth();
  const deletedIds = new Set(deleted.map(({ id }) => id));
  const forgetDeleted = useEffectEvent(() => {
    for (const { id } of deleted) forget(id);
  });
  useEffect(() => () => forgetDeleted(), []);

  if (list.data === undefined) {
    return list.isError ? (
      <ErrorBox
        text={say(messages.failedToLoad)}
        onRetry={() => list.refetch()}
        isRetrying={list.isFetching}
      />
    ) : (
      <SkeletonRows rows={3} isTall />
    );
  }

  const { photos, total } = list.data;
  const kept = photos.filter(({ id }) => !deletedIds.has(id));
  const rows = justify(photos, layoutFor(width));
  // The last row may still change with the photos of the next page, and would jump: it is shown with them.
  const isRowOpen = list.hasNextPage && !list.isFetchNextPageError && rows.length > 1;
  const blocks = blocksOf(isRowOpen ? rows.slice(0, -1) : rows, BLOCK);

  function markDeleted(photo: Photo) {
    setDeleted((before) => [...before, photo]);
  }
  async function undo(photo: Photo) {
    try {
      const { message } = await restore.mutateAsync(photo.id);
      setDeleted((before) => before.filter(({ id }) => id !== photo.id));
      tell(message);
      setTimeout(() => focusPhoto(photo.id));
    } catch (error) {
      notify.failure(failureText(error));
    }
  }
  function show(id: Id) {
    viewer.show(id);
    const left = kept.length - kept.findIndex((photo) => photo.id === id);
    if (left <= AHEAD && list.hasNextPage && !list.isFetchingNextPage) void list.fetchNextPage();
  }

  return (
    <div ref={box} className="flex flex-col gap-4">
      {photos.length === 0 && <p className="py-6 text-center text-soft">{whenNone}</p>}
      {width > 0 && photos.length > 0 && (
        <div className="flex flex-col gap-6">
          {blocks.map(({ start, rows: own }) => {
            const tiles = own.flat();
            const part = photos.slice(start, start + tiles.length);
            return (
              <Near
                key={start}
                height={heightOf(own)}
                // The first is seen at once. 'Deleted. Undo' takes the focus when it appears, which it must do once.
                stays={start === 0 || part.some(({ id }) => deletedIds.has(id))}
              >
                <ul className="flex flex-wrap gap-x-1 gap-y-6">
                  {part.map((photo, at) => {
                    const tile = tiles[at] ?? { width: 0, height: 0 };
                    return deletedIds.has(photo.id) ? (
                      <DeletedCard
                        key={photo.id}
                        photo={photo}
                        tile={tile}
                        isFocused={viewer.id === undefined}
                        onUndo={() => void undo(photo)}
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
              </Near>
            );
          })}
        </div>
      )}
      <ListEnd
        hasMore={list.hasNextPage}
        isLoading={list.isFetchingNextPage}
        failure={list.isFetchNextPageError ? say(messages.failedToLoad) : undefined}
        onMore={() => void list.fetchNextPage()}
      />
      <CaptionDialog photo={editing} onClose={() => setEditing(undefined)} onSaid={tell} />
      <DeleteDialog
        photo={deleting}
        onClose={() => setDeleting(undefined)}
        onDeleted={(photo, message) => {
          markDeleted(photo);
          tell(message);
        }}
      />
      {viewer.id !== undefined && viewer.part.data !== undefined && (
        <viewer.part.data.Viewer
          photos={kept}
          total={total - deleted.length}
          id={viewer.id}
          isAdmin={isAdmin}
          onShow={show}
          onClose={viewer.close}
          onDeleted={markDeleted}
          onGone={({ id }) => forget(id)}
        />
      )}
    </div>
  );
}

/** Says something of the gallery in passing (4 s, specification section 4). */
export function tell(message: string): void {
  notify.success(message, { lasts: NOTICE_MS.gallery });
}

function useViewer() {
  const { say } = useText();
  const part = usePart('photo-viewer', () => import('./viewer.tsx'));
  const [id, setId] = useState<Id>();
  const giveUp = useEffectEvent(() => {
    notify.failure(say(baseMessages.networkError));
    setId(undefined);
    void part.refetch();
  });
  const isMissing = id !== undefined && part.isError;
  useEffect(() => {
    if (isMissing) giveUp();
  }, [isMissing]);
  return { part, id, show: setId, close: () => setId(undefined) };
}

// Two columns on a phone; rows of up to 260 px from a small tablet on.
function layoutFor(width: number) {
  return width < 560
    ? { width, height: 240, gap: GAP, columns: 2, narrowest: 0.75, widest: 1.6 }
    : { width, height: 260, gap: GAP, narrowest: 0.6, widest: 2.4 };
}

function heightOf(rows: Block['rows']): number {
  const tiles = rows.reduce((sum, [first]) => sum + (first?.height ?? 0) + WORDS_PX, 0);
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

function focusPhoto(id: Id): void {
  document.querySelector<HTMLElement>(`[data-photo="${id}"]`)?.focus();
}
