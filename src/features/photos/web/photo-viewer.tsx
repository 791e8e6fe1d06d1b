import { ChevronLeft, ChevronRight, Flag, Pencil, Trash2, X } from 'lucide-react';
import { type PointerEvent, type ReactNode, useEffect, useEffectEvent, useRef, useState } from 'react';
import { Dialog as AriaDialog } from 'react-aria-components/Dialog';
import { Modal } from 'react-aria-components/Modal';
import type { Id } from '#shared/id.ts';
import { savesData } from '#web/api/network-idle.ts';
import { useForm } from '#web/forms/use-form.ts';
import { formatCount } from '#web/i18n/count-text.ts';
import { useTranslation } from '#web/i18n/translate.ts';
import { Dialog } from '#web/ui/dialog.tsx';
import { DialogForm } from '#web/ui/dialog-form.tsx';
import { PageOverlay } from '#web/ui/page-overlay.tsx';
import { TextArea } from '#web/ui/text-area.tsx';
import { NOTICE_MS } from '#web/ui/toasts.ts';
import { useBackCloses } from '#web/ui/use-back-closes.ts';
import { LIMITS, type Photo, takePhotoDown } from '../contract.ts';
import { useHidePhoto } from './api.ts';
import { CaptionDialog, DeleteDialog } from './photo-dialogs.tsx';
import { largeImageAttributes, PhotoImage } from './photo-image.tsx';
import { activityDay, altText } from './photo-labels.ts';
import type { PhotoPermissions } from './photo-permissions.ts';
import { type Preload, preloadPlan, swipe } from './photo-viewer-gestures.ts';
import { Strip } from './thumbnail-strip.tsx';

type HidePhotoDialogProps = {
  /** The photo to hide; undefined while the dialog is closed. */
  photo: Photo | undefined;
  /** Whether the viewer still sees the photo afterwards. */
  seesAll: boolean;
  onClose: () => void;
  onHidden: (photo: Photo, message: string) => void;
};

/** Any member may ask to hide a photo. No reason is needed, and the photo is hidden immediately. */
export function HidePhotoDialog({ photo, ...rest }: HidePhotoDialogProps) {
  const { t } = useTranslation();
  return (
    <Dialog title={t('photos:takeDownTitle')} isOpen={photo !== undefined} onClose={rest.onClose}>
      {photo !== undefined && <HidePhotoForm key={photo.id} photo={photo} {...rest} />}
    </Dialog>
  );
}

function HidePhotoForm({
  photo,
  seesAll,
  onClose,
  onHidden,
}: Omit<HidePhotoDialogProps, 'photo'> & { photo: Photo }) {
  const { t } = useTranslation();
  const takeDown = useHidePhoto(seesAll);
  const form = useForm({
    schema: takePhotoDown.parts.body,
    initial: { reason: '' },
    send: async ({ reason }) => {
      const { message } = await takeDown.mutateAsync({ photo, reason: reason ?? null });
      onClose();
      onHidden(photo, message);
    },
  });
  return (
    <DialogForm
      form={form}
      send={{ text: t('photos:takeDown'), busyText: t('photos:takingDown') }}
      onCancel={onClose}
    >
      <p>{t('photos:takeDownHint')}</p>
      <TextArea {...form.field('reason')} label={t('photos:takeDownReason')} max={LIMITS.reason} rows={2} />
    </DialogForm>
  );
}

export type ViewerProps = {
  /** The photos loaded so far, latest first. */
  photos: readonly Photo[];
  /** The total number of photos, loaded or not. */
  total: number;
  /** The id of the visible photo. */
  id: Id;
  permissionsAt: (schoolId: Id) => PhotoPermissions;
  onShow: (id: Id) => void;
  onClose: () => void;
  onDeleted: (photo: Photo) => void;
  /** Called if the photo was hidden and this viewer may no longer see it. */
  onGone: (photo: Photo) => void;
};

/** The open dialog over the viewer. */
type OpenDialog = 'caption' | 'delete' | 'takeDown';

/** One photo on the full screen. This code is loaded only when a photo is opened. */
export function Viewer({
  photos,
  total,
  id,
  permissionsAt,
  onShow,
  onClose,
  onDeleted,
  onGone,
}: ViewerProps) {
  const text = useTranslation();
  const { t, language } = text;
  const index = photos.findIndex((photo) => photo.id === id);
  const photo = photos[index];
  const [openDialog, setOpenDialog] = useState<OpenDialog>();
  const [notice, showNotice] = useTemporaryMessage();
  usePreloading(photos, index);
  useBackCloses(true, onClose);
  // While a dialog is open over the viewer, the keys belong to the dialog.
  useKeys(openDialog === undefined, {
    ArrowLeft: () => move(-1),
    ArrowRight: () => move(1),
    Escape: onClose,
  });

  // The photo was just removed from the list; the gallery shows a notice and closes the viewer.
  if (photo === undefined) return null;
  const permissions = permissionsAt(photo.schoolId);

  function move(way: number) {
    const next = photos[index + way];
    if (next !== undefined) onShow(next.id);
  }
  // The photo leaves the list: shows the next one, or closes the viewer after the last one.
  function leavePhoto(message: string) {
    const next = photos[index + 1] ?? photos[index - 1];
    if (next === undefined) onClose();
    else onShow(next.id);
    showNotice(message);
  }

  return (
    <PageOverlay
      isOpen
      onOpenChange={(isOpen) => {
        if (!isOpen) onClose();
      }}
      className="fixed inset-0 z-20 bg-[#000] transition-opacity entering:opacity-0"
    >
      <Modal className="h-full">
        <AriaDialog aria-label={t('photos:viewer')} className="flex h-full flex-col text-[#fff] outline-none">
          <TopBar
            photo={photo}
            position={t('photos:counter', {
              index: formatCount(index + 1, language),
              total: formatCount(Math.max(total, photos.length), language),
            })}
            mayTakeDown={permissions.mayTakeDown}
            onOpenDialog={setOpenDialog}
            onClose={onClose}
          />
          <SwipeArea onMove={move}>
            <LargePhoto key={photo.id} photo={photo} alt={altText(photo, text)} />
            <SideButton side="left" isShown={index > 0}>
              <ViewerButton
                label={t('photos:previous')}
                icon={<ChevronLeft aria-hidden="true" className="size-7" />}
                onPress={() => move(-1)}
                isDisabled={index === 0}
              />
            </SideButton>
            <SideButton side="right" isShown={index < photos.length - 1}>
              <ViewerButton
                label={t('photos:next')}
                icon={<ChevronRight aria-hidden="true" className="size-7" />}
                onPress={() => move(1)}
                isDisabled={index === photos.length - 1}
              />
            </SideButton>
          </SwipeArea>
          <PhotoText photo={photo} notice={notice} />
          <Strip photos={photos} index={index} onShow={onShow} />
        </AriaDialog>
      </Modal>
      <CaptionDialog
        photo={openDialog === 'caption' ? photo : undefined}
        onClose={() => setOpenDialog(undefined)}
        onMessage={showNotice}
      />
      <DeleteDialog
        photo={openDialog === 'delete' ? photo : undefined}
        onClose={() => setOpenDialog(undefined)}
        onDeleted={(deleted, message) => {
          leavePhoto(message);
          onDeleted(deleted);
        }}
      />
      <HidePhotoDialog
        photo={openDialog === 'takeDown' ? photo : undefined}
        seesAll={permissions.seesAll}
        onClose={() => setOpenDialog(undefined)}
        onHidden={(taken, message) => {
          if (permissions.seesAll) {
            showNotice(message);
            return;
          }
          leavePhoto(message);
          onGone(taken);
        }}
      />
    </PageOverlay>
  );
}

type PhotoTextProps = { photo: Photo; notice: { number: number; text: string } | undefined };

function PhotoText({ photo, notice }: PhotoTextProps) {
  const text = useTranslation();
  return (
    <div className="flex flex-col items-center px-4 pt-2 text-center">
      {photo.caption !== null && (
        <p className="max-h-24 max-w-184 overflow-y-auto wrap-anywhere">{photo.caption}</p>
      )}
      <p className="text-sm wrap-anywhere opacity-80">
        {photo.activity.name} · {activityDay(photo, text)}
      </p>
      <p role="status" className="text-sm font-medium">
        <span key={notice?.number}>{notice?.text}</span>
      </p>
    </div>
  );
}

type TopBarProps = {
  photo: Photo;
  /** The photo's position, such as '3 of 12'. */
  position: string;
  mayTakeDown: boolean;
  onOpenDialog: (question: OpenDialog) => void;
  onClose: () => void;
};

function TopBar({ photo, position, mayTakeDown, onOpenDialog, onClose }: TopBarProps) {
  const text = useTranslation();
  const { t } = text;
  return (
    <div className="flex items-center gap-1 py-1 pr-2 pl-4">
      <p aria-live="polite" className="figures grow">
        <span>{position}</span>
        <span className="sr-only">{altText(photo, text)}</span>
      </p>
      {photo.canEdit && (
        <ViewerButton
          label={t('photos:editCaption')}
          icon={<Pencil aria-hidden="true" className="size-5" />}
          onPress={() => onOpenDialog('caption')}
        />
      )}
      {mayTakeDown && (
        <ViewerButton
          label={t('photos:takeDownAsk')}
          icon={<Flag aria-hidden="true" className="size-5" />}
          onPress={() => onOpenDialog('takeDown')}
        />
      )}
      {photo.canDelete && (
        <ViewerButton
          label={t('photos:deleteTitle')}
          icon={<Trash2 aria-hidden="true" className="size-5" />}
          onPress={() => onOpenDialog('delete')}
        />
      )}
      <ViewerButton
        label={t('web:close')}
        icon={<X aria-hidden="true" className="size-6" />}
        onPress={onClose}
      />
    </div>
  );
}

// A horizontal swipe shows the next photo; while the page is zoomed in, it pans the image instead.
function SwipeArea({ onMove, children }: { onMove: (way: number) => void; children: ReactNode }) {
  const start = useRef<{ x: number; y: number }>(undefined);
  function onPointerUp(event: PointerEvent<HTMLElement>) {
    const from = start.current;
    start.current = undefined;
    if (from === undefined || (visualViewport?.scale ?? 1) > 1) return;
    const dx = event.clientX - from.x;
    if (Math.abs(dx) > Math.abs(event.clientY - from.y)) onMove(swipe(dx));
  }
  return (
    <div
      className="relative min-h-0 grow touch-pan-y touch-pinch-zoom select-none"
      onPointerDown={({ isPrimary, clientX, clientY }) => {
        start.current = isPrimary ? { x: clientX, y: clientY } : undefined;
      }}
      onPointerUp={onPointerUp}
      onPointerCancel={() => {
        start.current = undefined;
      }}
    >
      {children}
    </div>
  );
}

// The thumbnail appears first; the large image covers it when loaded.
function LargePhoto({ photo, alt }: { photo: Photo; alt: string }) {
  const [isLoaded, setIsLoaded] = useState(false);
  const whole = 'absolute inset-0 size-full object-contain';
  return (
    <>
      {!isLoaded && <PhotoImage photo={photo} size="thumbnail" alt="" className={whole} isQuiet />}
      <PhotoImage photo={photo} size="view" alt={alt} className={whole} onLoad={() => setIsLoaded(true)} />
    </>
  );
}

function SideButton({
  side,
  isShown,
  children,
}: {
  side: 'left' | 'right';
  isShown: boolean;
  children: ReactNode;
}) {
  return (
    <span
      className={`absolute inset-y-0 my-auto flex h-fit rounded-full bg-[rgb(0_0_0_/_55%)] ${side === 'left' ? 'left-2' : 'right-2'} ${isShown ? '' : 'not-focus-within:opacity-0'} not-focus-within:pointer-coarse:sr-only`}
    >
      {children}
    </span>
  );
}

type ViewerButtonProps = { label: string; icon: ReactNode; onPress: () => void; isDisabled?: boolean };

function ViewerButton({ label, icon, onPress, isDisabled = false }: ViewerButtonProps) {
  return (
    <button
      type="button"
      aria-label={label}
      title={label}
      aria-disabled={isDisabled || undefined}
      className="flex size-11 shrink-0 items-center justify-center rounded-full text-[#fff] hover:bg-[rgb(255_255_255_/_16%)] focus-visible:outline-[#fff]"
      onClick={(event) => {
        event.currentTarget.focus({ preventScroll: true });
        onPress();
      }}
    >
      {icon}
    </button>
  );
}

/** Listens on the document, because just after opening, and after a dialog closes, the focus is not inside the viewer. */
function useKeys(isOn: boolean, keys: Readonly<Record<string, () => void>>) {
  const press = useEffectEvent((event: KeyboardEvent) => {
    const action = keys[event.key];
    if (!isOn || action === undefined || event.defaultPrevented) return;
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    action();
  });
  useEffect(() => {
    document.addEventListener('keydown', press);
    return () => document.removeEventListener('keydown', press);
  }, []);
}

/** Preloads the photos that are likely to be opened next into the browser's cache. */
function usePreloading(photos: readonly Photo[], index: number) {
  const before = useRef<number>(undefined);
  const planPreload = useEffectEvent((isMove: boolean) =>
    preloadPlan(index, photos.length, { isMove, saveData: savesData() }),
  );
  const load = useEffectEvent(({ index: at, size }: Preload) => {
    const photo = photos[at];
    if (photo === undefined) return;
    const {
      src,
      sizes = '',
      srcSet = '',
    } = size === 'view' ? largeImageAttributes(photo, photo.signedUrl) : { src: photo.thumbnailSignedUrl };
    // Set last, because setting `src` starts the download.
    Object.assign(new Image(), { sizes, srcset: srcSet, src });
  });
  useEffect(() => {
    const isMove = before.current !== undefined && before.current !== index;
    before.current = index;
    const timers = planPreload(isMove).map((step) => setTimeout(() => load(step), step.afterMs));
    return () => timers.forEach(clearTimeout);
  }, [index]);
}

/**
 * A message that disappears by itself. A normal notice would be hidden behind this screen. A repeated message is announced
 * again.
 */
function useTemporaryMessage() {
  const [message, setMessage] = useState<{ text: string; number: number }>();
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  function show(text: string) {
    clearTimeout(timer.current);
    timer.current = setTimeout(() => setMessage(undefined), NOTICE_MS.gallery);
    setMessage((before) => ({ text, number: (before?.number ?? 0) + 1 }));
  }
  return [message, show] as const;
}
