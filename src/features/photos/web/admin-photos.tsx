import '#web/ui/admin/admin.css';
import { type ReactNode, useState } from 'react';
import type { PublicSchool } from '#features/schools/contract.ts';
import { usePermittedSchools } from '#features/schools/web/admin-permitted-schools.ts';
import type { User } from '#features/users/contract.ts';
import type { Id } from '#shared/id.ts';
import { useArea } from '#web/forms/unsaved-changes.ts';
import { useTranslation } from '#web/i18n/translate.ts';
import { ListTitle } from '#web/ui/admin/list-page.tsx';
import { FilterPills, type Pill } from '#web/ui/filter-pills.tsx';
import { useBackCloses } from '#web/ui/use-back-closes.ts';
import { usePendingPhotoCount } from './admin-pending-count.ts';
import { PhotoActivities } from './admin-photo-activities.tsx';
import { PhotoSettingsSection } from './admin-photo-settings.tsx';
import { PhotoTrash, ReviewQueue } from './admin-review-queue.tsx';
import { Gallery } from './gallery.tsx';
import { ActivityPhotos, type GalleryActivity } from './manage-photos.tsx';
import { type PhotoPermissions, photoPermissions } from './photo-permissions.ts';

export type AdminPhotosProps = {
  user: User;
  /** Undefined for all schools. */
  school: PublicSchool | undefined;
  filter: ReactNode;
  timeZone: string;
  /** Whether to open the review queue first, as from the number on the tab. */
  startsWaiting: boolean;
};

type Section = 'activities' | 'all' | 'review' | 'trash' | 'settings';

/** The photos of a school or of all: by activity, all of them, the review queue, the trash and the settings. */
export function AdminPhotos({ user, school, filter, timeZone, startsWaiting }: AdminPhotosProps) {
  const { t } = useTranslation();
  const [part, setPart] = useState<Section>(startsWaiting ? 'review' : 'activities');
  const [activity, setActivity] = useState<GalleryActivity>();
  const { Area, area, leave } = useArea();
  const schools = usePermittedSchools('see photos');
  const permissionsAt = (schoolId: Id) => photoPermissions(user, schoolId, false);
  const permissions =
    school === undefined ? permissionsAnywhere(schools.data ?? [], permissionsAt) : permissionsAt(school.id);
  const waiting = usePendingPhotoCount(school?.id, true);
  useBackCloses(activity !== undefined, () => leave(() => setActivity(undefined)), 'part');
  const nameOf = (schoolId: Id) =>
    school === undefined ? schools.data?.find(({ id }) => id === schoolId)?.name : undefined;
  const listProps = {
    schoolId: school?.id,
    timeZone,
    schoolOf: (photo: { schoolId: Id }) => nameOf(photo.schoolId),
  };

  return (
    <section className="flex flex-col gap-4">
      <ListTitle
        title={t('web:photos')}
        total={waiting === 0 ? undefined : t('photos:waitingCount', { count: waiting })}
        aside={filter}
      />
      {activity === undefined && (
        <FilterPills
          label={t('photos:shown')}
          value={part}
          onChange={(next) => leave(() => setPart(next))}
          choices={partsFor(permissions, t('photos:reviewCount', { count: waiting }), t)}
        />
      )}
      <Area value={area}>
        {activity !== undefined && (
          <ActivityPhotos
            activity={activity}
            permissions={permissionsAt(activity.schoolId)}
            onChange={() => leave(() => setActivity(undefined))}
          />
        )}
        {activity === undefined && part === 'activities' && (
          <PhotoActivities
            school={school}
            nameOf={nameOf}
            mayAdd={permissions.mayAdd}
            onChoose={setActivity}
          />
        )}
        {activity === undefined && part === 'all' && (
          <Gallery
            scope={
              school === undefined
                ? { schoolId: 'all', activityId: undefined }
                : { schoolId: school.id, activityId: undefined }
            }
            permissionsAt={permissionsAt}
            whenNone={t('photos:noneYet')}
          />
        )}
        {activity === undefined && part === 'review' && (
          <ReviewQueue {...listProps} mayDecide={({ schoolId }) => permissionsAt(schoolId).mayDecide} />
        )}
        {activity === undefined && part === 'trash' && <PhotoTrash {...listProps} />}
        {activity === undefined && part === 'settings' && <PhotoSettingsSection />}
      </Area>
    </section>
  );
}

function permissionsAnywhere(
  schools: readonly PublicSchool[],
  permissionsAt: (schoolId: Id) => PhotoPermissions,
): Pick<PhotoPermissions, 'mayAdd' | 'seesTrash' | 'seesSettings'> {
  const all = schools.map(({ id }) => permissionsAt(id));
  return {
    // Photos can be added only once a school is chosen.
    mayAdd: false,
    seesTrash: all.some(({ seesTrash }) => seesTrash),
    seesSettings: all.some(({ seesSettings }) => seesSettings),
  };
}

function partsFor(
  permissions: Pick<PhotoPermissions, 'seesTrash' | 'seesSettings'>,
  review: string,
  t: ReturnType<typeof useTranslation>['t'],
): Pill<Section>[] {
  return [
    { value: 'activities', text: t('photos:byActivity') },
    { value: 'all', text: t('photos:allPhotos') },
    { value: 'review', text: review },
    ...(permissions.seesTrash ? [{ value: 'trash', text: t('photos:trashPart') } as const] : []),
    ...(permissions.seesSettings ? [{ value: 'settings', text: t('photos:settingsPart') } as const] : []),
  ];
}
