import { Flag, Hourglass, Pencil, Trash2 } from 'lucide-react';
import { memo } from 'react';
import type { Id } from '#shared/id.ts';
import { fullName } from '#shared/person-name.ts';
import { useTranslation } from '#web/i18n/translate.ts';
import { Badge } from '#web/ui/badge.tsx';
import { IconButton, LinkButton } from '#web/ui/button.tsx';
import { createFocusTargets, useFocusOnArrival } from '#web/ui/focus-target.ts';
import type { Photo, Review } from '../contract.ts';
import type { Tile } from './justified-layout.ts';
import { PhotoImage } from './photo-image.tsx';
import { activityDay, altText } from './photo-labels.ts';

/** The focus target of a photo's card by id, for use after the photo is restored. */
export const photoFocusTarget = createFocusTargets<Id>();

/** Estimated height of a card's text. */
export const TEXT_HEIGHT_PX = 170;

type PhotoCardProps = {
  photo: Photo;
  /** The photo's size in its row, as plain numbers so that memo skips the card when more photos load. */
  width: number;
  height: number;
  onOpen: (id: Id) => void;
  onEdit: (photo: Photo) => void;
  onDelete: (photo: Photo) => void;
};

/** A photo in the gallery with its text. Only administrators see who uploaded it (specification section 2). */
export const PhotoCard = memo(function PhotoCard({
  photo,
  width,
  height,
  onOpen,
  onEdit,
  onDelete,
}: PhotoCardProps) {
  const text = useTranslation();
  const { t } = text;
  const name = altText(photo, text);
  return (
    <li style={{ width }} className="flex flex-col">
      <button
        type="button"
        ref={photoFocusTarget(photo.id).ref}
        data-photo={photo.id}
        style={{ height }}
        className="relative block w-full shrink-0 overflow-hidden rounded-lg bg-line -outline-offset-2!"
        onClick={(event) => {
          event.currentTarget.focus({ preventScroll: true });
          onOpen(photo.id);
        }}
      >
        <PhotoImage
          key={photo.id}
          photo={photo}
          size="thumbnail"
          alt={t('photos:open', { name })}
          className="absolute inset-0 size-full object-cover"
          isLazy
        />
      </button>
      <div className="flex min-w-0 flex-col gap-0.5 px-0.5 pt-1.5 text-sm text-soft">
        {photo.caption !== null && (
          <p className="line-clamp-3 text-dense font-medium wrap-anywhere text-ink">{photo.caption}</p>
        )}
        <p className="wrap-anywhere">{photo.activity.name}</p>
        <p>{activityDay(photo, text)}</p>
        {photo.user !== null && (
          <p className="wrap-anywhere">{t('photos:by', { name: fullName(photo.user) })}</p>
        )}
        <p className="wrap-anywhere">{photo.originalName}</p>
        <p className="flex flex-wrap gap-1 empty:hidden">
          {photo.googlePhotosId !== null && <Badge>{t('photos:googlePhotos')}</Badge>}
          <ReviewBadge review={photo.review} />
        </p>
        <div className="-ml-3 flex flex-wrap">
          {photo.canEdit && (
            <IconButton
              label={t('photos:editCaptionOf', { name })}
              icon={<Pencil aria-hidden="true" className="size-4.5" />}
              onPress={() => onEdit(photo)}
            />
          )}
          {photo.canDelete && (
            <IconButton
              label={t('photos:deleteOne', { name })}
              icon={<Trash2 aria-hidden="true" className="size-4.5" />}
              onPress={() => onDelete(photo)}
            />
          )}
        </div>
      </div>
    </li>
  );
});

/** Explains why others do not see a photo. Renders nothing for a visible one. */
export function ReviewBadge({ review }: { review: Review }) {
  const { t } = useTranslation();
  if (review === 'visible') return null;
  const isWaiting = review === 'waiting';
  return (
    <Badge
      tone={isWaiting ? 'notice' : 'danger'}
      icon={
        isWaiting ? (
          <Hourglass aria-hidden="true" className="size-3.5" />
        ) : (
          <Flag aria-hidden="true" className="size-3.5" />
        )
      }
    >
      {t(isWaiting ? 'photos:waiting' : 'photos:reported')}
    </Badge>
  );
}

type DeletedCardProps = {
  photo: Photo;
  tile: Tile;
  /**
   * Whether Undo gets the focus, since the button that deleted the photo is gone and the focus would jump to the top of the
   * page.
   */
  isFocused: boolean;
  /** Undefined if only other users can undo the deletion. */
  onUndo: (() => void) | undefined;
};

/** Replaces a deleted photo until the user leaves the gallery. */
export function DeletedCard({ photo, tile, isFocused, onUndo }: DeletedCardProps) {
  const text = useTranslation();
  const { t } = text;
  const undo = useFocusOnArrival<HTMLButtonElement>(() => isFocused && onUndo !== undefined);
  const notice = useFocusOnArrival<HTMLParagraphElement>(() => isFocused && onUndo === undefined);
  return (
    <li style={{ width: tile.width }}>
      <div
        style={{ height: tile.height }}
        className="flex flex-col items-center justify-center rounded-lg border border-dashed border-field p-2 text-center text-soft"
      >
        <p ref={notice} tabIndex={-1} className="outline-none">
          {t('photos:deletedHere')}
        </p>
        {onUndo !== undefined && (
          <LinkButton ref={undo} onPress={onUndo}>
            {t('web:undo')}
            <span className="sr-only">{t('photos:undoDelete', { name: altText(photo, text) })}</span>
          </LinkButton>
        )}
      </div>
    </li>
  );
}
