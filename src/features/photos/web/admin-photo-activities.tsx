import { type ReactNode, useMemo } from 'react';
import { findActivities, toSearchable } from '#features/activities/web/activity-search.ts';
import { useActivities } from '#features/activities/web/api.ts';
import type { PublicSchool } from '#features/schools/contract.ts';
import type { Id } from '#shared/id.ts';
import { useTranslation } from '#web/i18n/translate.ts';
import { listSearch } from '#web/ui/admin/list-focus-targets.ts';
import { EmptyList } from '#web/ui/admin/list-page.tsx';
import { useSearch } from '#web/ui/admin/use-list-search.ts';
import { CategoryDot } from '#web/ui/category.tsx';
import { ListEnd } from '#web/ui/list-end.tsx';
import { QueryError } from '#web/ui/query-error.tsx';
import { moveBetweenRows, RowButton } from '#web/ui/row-button.tsx';
import { SearchField } from '#web/ui/search-field.tsx';
import { SkeletonRows } from '#web/ui/skeleton.tsx';
import { messages, type Photo } from '../contract.ts';
import { useActivitiesWithPhotos } from './admin-api.ts';
import { type GalleryActivity, PhotoCount } from './manage-photos.tsx';
import { PhotoImage } from './photo-image.tsx';

type PhotoActivitiesProps = {
  /** Undefined means all schools. */
  school: PublicSchool | undefined;
  /** Returns a school's name if several schools are listed. */
  nameOf: (schoolId: Id) => string | undefined;
  /** Whether to list activities without photos too, so that the user can add some. */
  mayAdd: boolean;
  onChoose: (activity: GalleryActivity) => void;
};

/** Activities with photos, each with its latest one, followed by activities without photos where the user can add some. */
export function PhotoActivities({ school, nameOf, mayAdd, onChoose }: PhotoActivitiesProps) {
  const { t, say } = useTranslation();
  const search = useSearch();
  const list = useActivitiesWithPhotos(school?.id, search.searched);
  const isSearch = search.searched.trim() !== '';
  const none = isSearch ? t('activities:noneFound') : t('photos:noneYet');
  const withPhotos = list.data ?? [];
  const hasOthers = mayAdd && school !== undefined && list.data !== undefined && !list.hasNextPage;
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it only moves the focus between the controls inside
    <div className="flex flex-col gap-4" onKeyDown={moveBetweenRows}>
      <SearchField
        label={t('activities:search')}
        value={search.typed}
        onChange={search.onChange}
        ref={listSearch.ref}
      />
      {list.data === undefined && list.isError && <QueryError text={messages.failedToLoad} query={list} />}
      {list.data === undefined && !list.isError && <SkeletonRows rows={6} isTall />}
      {list.data?.length === 0 && !hasOthers && <EmptyList text={none} />}
      {withPhotos.length > 0 && (
        <Rows>
          {withPhotos.map((activity) => (
            <Row
              key={activity.id}
              activity={activity}
              latest={activity.latest}
              schoolName={nameOf(activity.schoolId)}
              onChoose={onChoose}
            />
          ))}
        </Rows>
      )}
      {hasOthers && (
        <WithoutPhotos
          schoolId={school.id}
          search={search.searched}
          whenNone={withPhotos.length === 0 ? none : undefined}
          onChoose={onChoose}
        />
      )}
      <ListEnd list={list} failure={say(messages.failedToLoad)} />
    </div>
  );
}

type WithoutPhotosProps = {
  schoolId: Id;
  search: string;
  whenNone: string | undefined;
  onChoose: (activity: GalleryActivity) => void;
};

function WithoutPhotos({ schoolId, search, whenNone, onChoose }: WithoutPhotosProps) {
  const { data } = useActivities(schoolId);
  const empty = useMemo(
    () => toSearchable((data ?? []).filter(({ photoCount }) => photoCount === 0)),
    [data],
  );
  const found = findActivities(empty, search);
  if (found.length === 0) {
    return data !== undefined && whenNone !== undefined && <EmptyList text={whenNone} />;
  }
  return (
    <Rows>
      {found.map((activity) => (
        <Row key={activity.id} activity={activity} onChoose={onChoose} />
      ))}
    </Rows>
  );
}

function Rows({ children }: { children: ReactNode }) {
  return <ul className="rounded-card border border-line bg-card px-2 py-1 sm:px-3">{children}</ul>;
}

type RowProps = {
  activity: GalleryActivity;
  latest?: Photo | null;
  schoolName?: string | undefined;
  onChoose: (activity: GalleryActivity) => void;
};

function Row({ activity, latest, schoolName, onChoose }: RowProps) {
  const { id, name, category, photoCount } = activity;
  return (
    <li className="[contain-intrinsic-size:auto_3.5rem] [content-visibility:auto]">
      <RowButton rowKey={id} onPress={() => onChoose(activity)}>
        {photoCount > 0 && (
          <span className="relative block size-14 shrink-0 overflow-hidden rounded-lg bg-line">
            {latest && (
              <PhotoImage
                key={latest.id}
                photo={latest}
                size="thumbnail"
                alt=""
                className="absolute inset-0 size-full object-cover"
                isLazy
                isQuiet
              />
            )}
          </span>
        )}
        <CategoryDot color={category.color} />
        <span className="flex min-w-0 grow basis-24 flex-col">
          <span className="font-medium wrap-anywhere">{name}</span>
          <span className="text-sm wrap-anywhere text-soft">
            {[category.name, schoolName].filter(Boolean).join(' · ')}
          </span>
        </span>
        <PhotoCount count={photoCount} />
      </RowButton>
    </li>
  );
}
