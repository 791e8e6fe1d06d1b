import { useMemo } from 'react';
import { findActivities, toSearchable } from '#features/activities/web/activity-search.ts';
import { useActivities } from '#features/activities/web/api.ts';
import type { PublicSchool } from '#features/schools/contract.ts';
import type { Id } from '#shared/id.ts';
import { useTranslation } from '#web/i18n/translate.ts';
import { listSearch } from '#web/ui/admin/list-focus-targets.ts';
import { EmptyList } from '#web/ui/admin/list-page.tsx';
import { useSearch } from '#web/ui/admin/use-list-search.ts';
import { ListEnd } from '#web/ui/list-end.tsx';
import { QueryPlaceholder } from '#web/ui/query-error.tsx';
import { moveBetweenRows } from '#web/ui/row-button.tsx';
import { SearchField } from '#web/ui/search-field.tsx';
import { messages } from '../contract.ts';
import { useActivitiesWithPhotos } from './admin-api.ts';
import { ActivityRow, ActivityRows, type GalleryActivity } from './manage-photos.tsx';

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
      <QueryPlaceholder text={messages.failedToLoad} query={list} rows={6} isTall />
      {list.data?.length === 0 && !hasOthers && <EmptyList text={none} />}
      {withPhotos.length > 0 && (
        <ActivityRows>
          {withPhotos.map((activity) => (
            <ActivityRow
              key={activity.id}
              activity={activity}
              latest={activity.latest}
              schoolName={nameOf(activity.schoolId)}
              onChoose={onChoose}
            />
          ))}
        </ActivityRows>
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
    <ActivityRows>
      {found.map((activity) => (
        <ActivityRow key={activity.id} activity={activity} onChoose={onChoose} />
      ))}
    </ActivityRows>
  );
}
