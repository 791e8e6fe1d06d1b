import { useDeferredValue } from 'react';
import { useTranslation } from '#web/i18n/translate.ts';
import { Badge } from '#web/ui/badge.tsx';
import { LinkButton } from '#web/ui/button.tsx';
import { CategoryDot } from '#web/ui/category.tsx';
import { Notice } from '#web/ui/notice.tsx';
import type { Activity } from '../../contract.ts';
import { similarActivities } from './similar-activities.ts';

type DidYouMeanProps = {
  typed: string;
  activities: readonly Activity[];
  onActivity: (activity: { id: number; schoolId: number }) => void;
};

/** Lists the school's activities with similar names, so that nobody suggests one that exists. */
export function DidYouMean({ typed, activities, onActivity }: DidYouMeanProps) {
  const { t } = useTranslation();
  const similar = similarActivities(useDeferredValue(typed), activities);
  return (
    // Always rendered, because screen readers announce only changes inside an existing live region.
    <div role="status">
      {similar.length > 0 && (
        <div className="pt-3">
          <Notice>
            <p className="font-medium">{t('suggestions:didYouMean')}</p>
            <ul>
              {similar.map((activity) => (
                <li key={activity.id} className="flex min-h-11 flex-wrap items-center gap-2">
                  <CategoryDot color={activity.category.color} />
                  {activity.isActive ? (
                    <LinkButton onPress={() => onActivity(activity)}>{activity.name}</LinkButton>
                  ) : (
                    <>
                      <span className="px-1 font-medium wrap-anywhere">{activity.name}</span>
                      <Badge tone="notice">{t('suggestions:activityInactive')}</Badge>
                    </>
                  )}
                  <span className="text-sm wrap-anywhere">{activity.category.name}</span>
                </li>
              ))}
            </ul>
          </Notice>
        </div>
      )}
    </div>
  );
}
