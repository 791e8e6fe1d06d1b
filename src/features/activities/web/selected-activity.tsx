import { Images } from 'lucide-react';
import { useTranslation } from '#web/i18n/translate.ts';
import { Button } from '#web/ui/button.tsx';
import { CategoryDot } from '#web/ui/category.tsx';
import type { VolunteerActivity } from '../contract.ts';
import { ActivityFacts, ActivityTags, type Days } from './activity-tags.tsx';

type PickedActivityProps = {
  activity: VolunteerActivity;
  days: Days;
  onCancel: () => void;
  /** Opens the activity's photos. Undefined hides the shortcut. */
  onPhotos?: ((activity: VolunteerActivity) => void) | undefined;
};

/** The selected activity, with buttons to cancel and, if `onPhotos` is set, to open its photos. */
export function PickedActivity({ activity, days, onCancel, onPhotos }: PickedActivityProps) {
  const { t } = useTranslation();
  return (
    // On a narrow screen, or with large text, the buttons wrap below the name.
    <div className="flex flex-wrap items-start justify-end gap-3">
      <div className="flex min-w-0 grow basis-48 items-start gap-3">
        <span className="flex h-8 items-center">
          <CategoryDot color={activity.category.color} />
        </span>
        <div className="flex min-w-0 grow flex-col gap-1">
          <h2 className="text-xl leading-8 font-semibold wrap-anywhere">{activity.name}</h2>
          <p className="flex flex-wrap items-center gap-2 text-dense text-soft">
            <span>
              <ActivityFacts activity={activity} days={days} isCategoryShown />
            </span>
            <ActivityTags activity={activity} days={days} />
          </p>
          {activity.description !== null && (
            <p lang={activity.descriptionLanguage} className="text-dense whitespace-pre-line text-soft">
              {activity.description}
            </p>
          )}
        </div>
      </div>
      <div className="-mt-1.5 -mr-2 flex flex-wrap justify-end">
        {onPhotos !== undefined && (
          <Button
            kind="plain"
            icon={<Images aria-hidden="true" className="size-5" />}
            onPress={() => onPhotos(activity)}
          >
            {t('activities:photos')}
          </Button>
        )}
        <Button kind="plain" onPress={onCancel}>
          {t('activities:cancel')}
        </Button>
      </div>
    </div>
  );
}
