import type { ComponentProps, ReactNode } from 'react';
import { dayIn, formatDay } from '#shared/calendar-date.ts';
import type { Id } from '#shared/id.ts';
import { fullName } from '#shared/person-name.ts';
import { failureText } from '#web/api/call.ts';
import { useTranslation } from '#web/i18n/translate.ts';
import { EmptyList } from '#web/ui/admin/list-page.tsx';
import { QueueItem, QueueList } from '#web/ui/admin/queue-list.tsx';
import { Badge } from '#web/ui/badge.tsx';
import { Button } from '#web/ui/button.tsx';
import { createFocusTarget } from '#web/ui/focus-target.ts';
import { ListEnd } from '#web/ui/list-end.tsx';
import { QueryPlaceholder } from '#web/ui/query-error.tsx';
import { notify } from '#web/ui/toasts.ts';
import { messages, type Photo } from '../contract.ts';
import { useDecidePhoto, useDeletedPhotos, usePhotosToReview } from './admin-api.ts';
import { showGalleryNotice } from './gallery.tsx';
import { ReviewBadge } from './photo-card.tsx';
import { PhotoImage } from './photo-image.tsx';
import { altText } from './photo-labels.ts';

type ReviewListProps = {
  /** Undefined means all schools. */
  schoolId: Id | undefined;
  timeZone: string;
  /** Returns the name of a photo's school if photos of several schools are listed. */
  schoolOf: (photo: Photo) => string | undefined;
};

/** Photos that wait for an administrator: new ones, and those that a user asked to hide. */
export function ReviewQueue({
  mayDecide,
  schoolId,
  timeZone,
  schoolOf,
}: ReviewListProps & { mayDecide: (photo: Photo) => boolean }) {
  const text = useTranslation();
  const { t, language } = text;
  const list = usePhotosToReview(schoolId);
  const decide = useDecide();
  return (
    <PhotoList title={t('photos:reviewTitle')} list={list} whenNone={t('photos:nothingWaits')}>
      {list.data?.map((photo) => (
        <PhotoRow
          key={photo.id}
          photo={photo}
          badges={
            <>
              <ReviewBadge review={photo.review} />
              {photo.containsStudents && <Badge>{t('photos:students')}</Badge>}
            </>
          }
          facts={[
            schoolOf(photo),
            t('photos:uploadedOn', { date: formatDay(dayIn(timeZone, photo.createdAt), language) }),
            photo.takedown?.by && t('photos:askedBy', { name: fullName(photo.takedown.by) }),
          ]}
          quote={photo.takedown?.reason}
        >
          {mayDecide(photo) && (
            <>
              <Button
                label={t('photos:approveOne', { name: altText(photo, text) })}
                onPress={() => decide(photo.id, 'approve')}
              >
                {t('photos:approve')}
              </Button>
              <Button
                kind="plain"
                label={t('photos:deleteOne', { name: altText(photo, text) })}
                onPress={() => decide(photo.id, 'reject')}
              >
                {t('web:delete')}
              </Button>
            </>
          )}
        </PhotoRow>
      ))}
    </PhotoList>
  );
}

/** Deleted photos, until they are removed permanently. */
export function PhotoTrash({ schoolId, timeZone, schoolOf }: ReviewListProps) {
  const text = useTranslation();
  const { t, language } = text;
  const list = useDeletedPhotos(schoolId);
  const decide = useDecide();
  const loadLinks = async (id: Id) => {
    const { data } = await list.refetch({ throwOnError: true });
    const found = data?.find((photo) => photo.id === id);
    if (found === undefined) throw new Error('not in the trash any more');
    return found;
  };
  const dayOf = (at: Photo['createdAt']) => formatDay(dayIn(timeZone, at), language);
  return (
    <PhotoList title={t('photos:trash')} list={list} whenNone={t('photos:trashEmpty')}>
      {list.data?.map((photo) => (
        <PhotoRow
          key={photo.id}
          photo={photo}
          refetchLinks={() => loadLinks(photo.id)}
          facts={[
            schoolOf(photo),
            photo.deletedBy === null
              ? t('photos:deletedOn', { date: dayOf(photo.deletedAt) })
              : t('photos:deletedBy', { name: fullName(photo.deletedBy), date: dayOf(photo.deletedAt) }),
            t('photos:removedOn', { date: dayOf(photo.removedAt) }),
          ]}
        >
          <Button
            label={t('photos:restoreOne', { name: altText(photo, text) })}
            onPress={() => decide(photo.id, 'restore')}
          >
            {t('photos:restore')}
          </Button>
        </PhotoRow>
      ))}
    </PhotoList>
  );
}

function useDecide() {
  const { mutateAsync } = useDecidePhoto();
  return (id: Id, decision: 'approve' | 'reject' | 'restore') =>
    void mutateAsync({ id, decision }).then(
      ({ message }) => {
        showGalleryNotice(message);
        // The row that opened the dialog is gone.
        setTimeout(listTitle.focus);
      },
      (error: unknown) => notify.failure(failureText(error)),
    );
}

const listTitle = createFocusTarget();

type PhotoListProps = {
  title: string;
  list: ReturnType<typeof usePhotosToReview> | ReturnType<typeof useDeletedPhotos>;
  whenNone: string;
  children: ReactNode;
};

function PhotoList({ title, list, whenNone, children }: PhotoListProps) {
  const { say } = useTranslation();
  return (
    <section aria-label={title} className="flex flex-col gap-4">
      <h3 ref={listTitle.ref} tabIndex={-1} className="text-xl font-semibold outline-none">
        {title}
      </h3>
      <QueryPlaceholder text={messages.failedToLoad} query={list} rows={4} isTall />
      {list.data?.length === 0 && <EmptyList text={whenNone} />}
      {list.data !== undefined && list.data.length > 0 && <QueueList label={title}>{children}</QueueList>}
      <ListEnd list={list} failure={say(messages.failedToLoad)} />
    </section>
  );
}

type PhotoRowProps = {
  photo: Photo;
  /** Fetches new links where the viewer cannot request the photo itself. */
  refetchLinks?: ComponentProps<typeof PhotoImage>['refetchLinks'];
  badges?: ReactNode;
  facts: readonly (string | null | undefined)[];
  quote?: string | null | undefined;
  children: ReactNode;
};

function PhotoRow({ photo, refetchLinks, badges, facts, quote, children }: PhotoRowProps) {
  const text = useTranslation();
  return (
    <QueueItem>
      <span className="relative block h-32 w-44 shrink-0 overflow-hidden rounded-lg bg-line">
        <PhotoImage
          photo={photo}
          size="thumbnail"
          alt={altText(photo, text)}
          className="absolute inset-0 size-full object-contain"
          isLazy
          {...(refetchLinks === undefined ? {} : { refetchLinks })}
        />
      </span>
      <div className="flex min-w-0 grow flex-col gap-0.5 text-dense text-soft">
        {photo.caption !== null && <p className="font-medium wrap-anywhere text-ink">{photo.caption}</p>}
        <p className="wrap-anywhere">{photo.activity.name}</p>
        <p className="wrap-anywhere">{photo.originalName}</p>
        {photo.user !== null && (
          <p className="wrap-anywhere">{text.t('photos:by', { name: fullName(photo.user) })}</p>
        )}
        {facts.map((fact) => fact && <p key={fact}>{fact}</p>)}
        {quote && <p className="border-l-2 border-line pl-3 wrap-anywhere whitespace-pre-line">{quote}</p>}
        <p className="flex flex-wrap gap-1 pt-1 empty:hidden">{badges}</p>
      </div>
      <div className="flex shrink-0 flex-wrap gap-2">{children}</div>
    </QueueItem>
  );
}
