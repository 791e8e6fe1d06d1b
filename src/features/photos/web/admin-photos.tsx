import '#web/ui/admin/admin.css';
import { type ReactNode, useState } from 'react';
import {
  TranslationFields,
  translationValues,
} from '#features/schools/content-translations/web/admin-translation-fields.tsx';
import type { PublicSchool } from '#features/schools/contract.ts';
import { usePermittedSchools } from '#features/schools/web/admin-permitted-schools.ts';
import type { User } from '#features/users/contract.ts';
import { EmailNotice } from '#features/users/web/admin-email-notice.tsx';
import type { Id } from '#shared/id.ts';
import { failureText } from '#web/api/call.ts';
import { useArea } from '#web/forms/unsaved-changes.ts';
import { useForm } from '#web/forms/use-form.ts';
import { useTranslation } from '#web/i18n/translate.ts';
import { ListTitle } from '#web/ui/admin/list-page.tsx';
import { Card } from '#web/ui/card.tsx';
import { CheckList } from '#web/ui/check-list.tsx';
import { CheckboxField } from '#web/ui/checkbox.tsx';
import { FilterPills, type Pill } from '#web/ui/filter-pills.tsx';
import { PageForm } from '#web/ui/page-form.tsx';
import { QueryError } from '#web/ui/query-error.tsx';
import { SkeletonRows } from '#web/ui/skeleton.tsx';
import { TextArea } from '#web/ui/text-area.tsx';
import { useBackCloses } from '#web/ui/use-back-closes.ts';
import { LIMITS, type PhotoSettings, PhotoSettingsChange, TRANSLATED } from '../contract.ts';
import { useAdministrators, useChangePhotoSettings, usePhotoSettings } from './admin-api.ts';
import { usePendingPhotoCount } from './admin-pending-count.ts';
import { PhotoActivities } from './admin-photo-activities.tsx';
import { PhotoTrash, ReviewQueue } from './admin-review-queue.tsx';
import { Gallery, showGalleryNotice } from './gallery.tsx';
import { ActivityPhotos, type GalleryActivity } from './manage-photos.tsx';
import { type PhotoPermissions, photoPermissions } from './photo-permissions.ts';

export type AdminPhotosProps = {
  user: User;
  /** Undefined means all schools. */
  school: PublicSchool | undefined;
  filter: ReactNode;
  timeZone: string;
  /** Whether to open the review queue first, as from the count on the tab. */
  startsWaiting: boolean;
};

type Section = 'activities' | 'all' | 'review' | 'trash' | 'settings';

/** The photos of one school or of all: by activity, all photos, the review queue, the trash and the settings. */
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
          choices={tabsFor(permissions, t('photos:reviewCount', { count: waiting }), t)}
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
    // Photos can be added only once a school is selected.
    mayAdd: false,
    seesTrash: all.some(({ seesTrash }) => seesTrash),
    seesSettings: all.some(({ seesSettings }) => seesSettings),
  };
}

function tabsFor(
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

/** The district's photo settings. */
function PhotoSettingsSection() {
  const { t } = useTranslation();
  const settings = usePhotoSettings();
  const administrators = useAdministrators();
  const failed = settings.isError ? settings : administrators.isError ? administrators : undefined;
  return (
    <section aria-label={t('photos:settings')} className="flex max-w-184 flex-col gap-4">
      <h3 className="text-xl font-semibold">{t('photos:settings')}</h3>
      {failed !== undefined && <QueryError text={failureText(failed.error)} query={failed} />}
      {failed === undefined && (settings.data === undefined || administrators.data === undefined) && (
        <SkeletonRows rows={4} isTall />
      )}
      {settings.data !== undefined && administrators.data !== undefined && (
        <Card>
          <SettingsForm settings={settings.data} administrators={administrators.data} />
        </Card>
      )}
    </section>
  );
}

type SettingsFormProps = {
  settings: PhotoSettings;
  administrators: readonly { id: number; name: string }[];
};

function SettingsForm({ settings, administrators }: SettingsFormProps) {
  const { t } = useTranslation();
  const change = useChangePhotoSettings();
  const known = new Set(administrators.map(({ id }) => id));
  const form = useForm({
    schema: PhotoSettingsChange,
    // Drops users who are no longer administrators: they cannot be notified, and the server would reject them.
    initial: {
      ...settings,
      translations: translationValues(TRANSLATED, settings.translations),
      notify: settings.notify.filter((id) => known.has(id)),
    },
    send: async (body) => {
      showGalleryNotice((await change.mutateAsync(body)).message);
    },
  });
  return (
    <PageForm form={form} send={{ text: t('web:save'), busyText: t('web:saving') }}>
      <CheckboxField
        name="consent"
        isSelected={form.values.consent}
        onChange={(isOn) => form.set('consent', isOn)}
      >
        {t('photos:askConsent')}
      </CheckboxField>
      {form.values.consent && (
        <>
          <TextArea
            {...form.field('consentText')}
            label={t('photos:consentText')}
            max={LIMITS.consentText}
            rows={3}
            isRequired
          />
          <TranslationFields
            {...form.field('translations')}
            texts={[
              {
                name: 'consentText',
                label: t('photos:consentText'),
                max: LIMITS.consentText,
                isLong: true,
              },
            ]}
          />
        </>
      )}
      <CheckboxField
        name="review"
        isSelected={form.values.review}
        onChange={(isOn) => form.set('review', isOn)}
      >
        {t('photos:askReview')}
      </CheckboxField>
      <CheckList
        {...form.field('notify')}
        label={t('photos:notify')}
        searchLabel={t('photos:searchAdministrators')}
        noMatch={t('photos:noAdministrator')}
        choices={administrators}
      />
      <EmailNotice />
    </PageForm>
  );
}
