import '#web/ui/admin/admin.css';
import { ArrowLeft, Images } from 'lucide-react';
import { type ReactNode, useId, useMemo, useState } from 'react';
import { type Activity, messages as activityMessages } from '#features/activities/contract.ts';
import { findActivities, sortByNameMatch, toSearchable } from '#features/activities/web/activity-search.ts';
import { useActivities } from '#features/activities/web/api.ts';
import type { PublicSchool } from '#features/schools/contract.ts';
import type { User } from '#features/users/contract.ts';
import type { Id } from '#shared/id.ts';
import { useArea } from '#web/forms/unsaved-changes.ts';
import { useTranslation } from '#web/i18n/translate.ts';
import { Button } from '#web/ui/button.tsx';
import { CategoryChip, CategoryDot } from '#web/ui/category.tsx';
import { focusOnMount } from '#web/ui/focus-target.ts';
import { QueryPlaceholder } from '#web/ui/query-error.tsx';
import { moveBetweenRows, RowButton } from '#web/ui/row-button.tsx';
import { SearchField } from '#web/ui/search-field.tsx';
import { useBackCloses } from '#web/ui/use-back-closes.ts';
import type { Photo } from '../contract.ts';
import { usePhotosAdded } from './api.ts';
import { Gallery, showGalleryNotice } from './gallery.tsx';
import { PhotoImage } from './photo-image.tsx';
import { type PhotoPermissions, photoPermissions } from './photo-permissions.ts';
import { UploadForm } from './upload-form.tsx';

export type ManagePhotosProps = {
  user: User;
  school: PublicSchool;
  /** The activity to open first, set by the shortcut in Log Time. */
  startAt?: Id | undefined;
  /** Returns to Log Time. */
  onBack: () => void;
};

/** The activity's fields shown above its photos. */
export type GalleryActivity = Pick<Activity, 'id' | 'name' | 'category' | 'schoolId' | 'photoCount'>;

type Choice = Id | 'all' | undefined;

/** Manage Photos: all of a school's photos, or those of one of its activities (specification section 2). */
export function ManagePhotos(props: ManagePhotosProps) {
  const { user, school, startAt, onBack } = props;
  const { t } = useTranslation();
  const isMember = user.schools.some(({ id }) => id === school.id);
  const permissions = photoPermissions(user, school.id, isMember);
  const activities = useActivities(school.id);
  const [choice, setChoice] = useState<Choice>(startAt);
  const [query, setQuery] = useState('');
  const [isMoved, setIsMoved] = useState(startAt !== undefined);
  const { Area, area, leave } = useArea();
  const activity = activities.data?.find(({ id }) => id === choice);
  const isChosen = choice === 'all' || activity !== undefined;
  useBackCloses(isChosen, () => choose(undefined), 'part');

  function choose(next: Choice) {
    leave(() => {
      setIsMoved(true);
      setChoice(next);
    });
  }

  if (activities.data === undefined)
    return <QueryPlaceholder text={activityMessages.failedToLoad} query={activities} rows={6} isTall />;

  return (
    <div className="flex flex-col gap-5">
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1">
        <h2
          // The pressed button disappears with its screen, so the next screen's heading gets the focus and is announced.
          key={String(choice)}
          ref={isMoved ? focusOnMount : undefined}
          tabIndex={-1}
          className="text-2xl font-semibold outline-none"
        >
          {t('web:managePhotos')}
        </h2>
        <Button kind="plain" icon={<ArrowLeft aria-hidden="true" className="size-5" />} onPress={onBack}>
          {t('photos:backToActivities')}
        </Button>
      </div>
      {!isChosen && (
        <ActivityChoice activities={activities.data} query={query} onQuery={setQuery} onChoose={choose} />
      )}
      {choice === 'all' && (
        <AllPhotos school={school} permissions={permissions} onChange={() => choose(undefined)} />
      )}
      {activity !== undefined && (
        <Area value={area}>
          <ActivityPhotos activity={activity} permissions={permissions} onChange={() => choose(undefined)} />
        </Area>
      )}
    </div>
  );
}

type ActivityChoiceProps = {
  activities: readonly Activity[];
  query: string;
  onQuery: (query: string) => void;
  onChoose: (choice: Choice) => void;
};

function ActivityChoice({ activities, query, onQuery, onChoose }: ActivityChoiceProps) {
  const { t } = useTranslation();
  const searchable = useMemo(() => toSearchable(activities), [activities]);
  const found = sortByNameMatch(findActivities(searchable, query), query);
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it only moves the focus between the controls inside
    <div className="flex max-w-184 flex-col gap-4" onKeyDown={moveBetweenRows}>
      <RowButton look="tile" onPress={() => onChoose('all')}>
        <Images aria-hidden="true" className="size-6 shrink-0 text-brand" />
        <span className="font-semibold">{t('photos:viewAll')}</span>
      </RowButton>
      <search className="flex flex-col gap-1.5">
        <SearchField
          label={t('activities:search')}
          value={query}
          onChange={onQuery}
          onEnter={() => {
            const [only, ...others] = query.trim() === '' ? [] : found;
            if (only !== undefined && others.length === 0) onChoose(only.id);
          }}
        />
        <p role="status" className="min-h-5 px-1 text-sm text-soft">
          {query.trim() !== '' &&
            (found.length === 0 ? t('activities:noneFound') : t('activities:found', { count: found.length }))}
        </p>
      </search>
      {found.length > 0 && (
        <ActivityRows>
          {found.map((activity) => (
            <ActivityRow key={activity.id} activity={activity} onChoose={({ id }) => onChoose(id)} />
          ))}
        </ActivityRows>
      )}
    </div>
  );
}

/** A list of activities. */
export function ActivityRows({ children }: { children: ReactNode }) {
  return <ul className="rounded-card border border-line bg-card px-2 py-1 sm:px-3">{children}</ul>;
}

type ActivityRowProps = {
  activity: GalleryActivity;
  /** The photo shown next to the name; null for an empty box, undefined for none. */
  latest?: Photo | null;
  schoolName?: string | undefined;
  onChoose: (activity: GalleryActivity) => void;
};

/** An activity with its category and number of photos. */
export function ActivityRow({ activity, latest, schoolName, onChoose }: ActivityRowProps) {
  const { id, name, category, photoCount } = activity;
  return (
    <li className="[contain-intrinsic-size:auto_3.5rem] [content-visibility:auto]">
      <RowButton rowKey={id} onPress={() => onChoose(activity)}>
        {latest !== undefined && (
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

function PhotoCount({ count }: { count: number }) {
  const { t } = useTranslation();
  return (
    <span className={`figures shrink-0 text-sm ${count === 0 ? 'text-soft' : 'font-medium'}`}>
      {count === 0 ? t('photos:noPhotos') : t('activities:countedPhotos', { count })}
    </span>
  );
}

type AllPhotosProps = { school: PublicSchool; permissions: PhotoPermissions; onChange: () => void };

function AllPhotos({ school, permissions, onChange }: AllPhotosProps) {
  const { t } = useTranslation();
  const id = useId();
  return (
    <section aria-labelledby={id} className="flex flex-col gap-4">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <div>
          <h3 id={id} className="text-xl font-semibold">
            {t('photos:allPhotos')}
          </h3>
          <p className="text-soft">{school.name}</p>
        </div>
        <Button onPress={onChange}>{t('photos:backToSelection')}</Button>
      </div>
      <Gallery
        scope={{ schoolId: school.id, activityId: undefined }}
        permissionsAt={() => permissions}
        whenNone={t('photos:noneInSchool')}
      />
    </section>
  );
}

type ActivityPhotosProps = { activity: GalleryActivity; permissions: PhotoPermissions; onChange: () => void };

/** The photos of an activity, with the upload form for users who may add some, and a Back button. */
export function ActivityPhotos({ activity, permissions, onChange }: ActivityPhotosProps) {
  const { t } = useTranslation();
  const id = useId();
  const scope = { schoolId: activity.schoolId, activityId: activity.id };
  const added = usePhotosAdded(scope);
  return (
    <section aria-labelledby={id} className="flex flex-col gap-5">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <div className="flex min-w-0 flex-col gap-1">
          <h3 id={id} className="flex items-center gap-3 text-xl font-semibold wrap-anywhere">
            <CategoryDot color={activity.category.color} />
            {activity.name}
          </h3>
          <p className="flex flex-wrap items-center gap-2">
            <CategoryChip name={activity.category.name} color={activity.category.color} />
            <PhotoCount count={activity.photoCount} />
          </p>
        </div>
        <Button onPress={onChange}>{t('photos:changeActivity')}</Button>
      </div>
      {permissions.mayAdd && (
        <UploadForm {...scope} activityId={activity.id} onArrived={added} onMessage={showGalleryNotice} />
      )}
      <Gallery scope={scope} permissionsAt={() => permissions} whenNone={t('photos:noneInActivity')} />
    </section>
  );
}
