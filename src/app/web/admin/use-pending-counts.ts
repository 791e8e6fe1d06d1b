import { usePendingCount } from '#features/activities/suggestions/web/admin-api.ts';
import { usePendingPhotoCount } from '#features/photos/web/admin-pending-count.ts';
import { useWaiting } from '#features/users/web/admin-api.ts';
import { usePendingVerificationCount } from '#features/verification/web/admin-pending-count.ts';
import { useCan } from '#web/api/permissions.ts';
import { useTranslation } from '#web/i18n/translate.ts';
import type { AdminLocation } from '../navigation.ts';

/** Returns the number of pending items of a tab. A count the user can't reduce would only nag, so it is left out. */
export function usePendingCounts() {
  const { t } = useTranslation();
  const can = useCan();
  const suggestions = usePendingCount();
  const requests = useWaiting(can('see requests')).data;
  const photos = usePendingPhotoCount(undefined, can('manage photos'));
  const hours = usePendingVerificationCount(can('verify hours'));
  return (tab: AdminLocation) => {
    if (tab === 'suggestions' && can('decide suggestions')) {
      return { count: suggestions, says: t('suggestions:waiting', { count: suggestions }) };
    }
    if (tab === 'users' && can('decide requests')) {
      const count = requests?.memberships ?? 0;
      return { count, says: t('web:requestsToDecide', { count }) };
    }
    if (tab === 'time-entries' && can('verify hours')) {
      return { count: hours, says: t('web:hoursToVerify', { count: hours }) };
    }
    return tab === 'school-photos' && can('manage photos')
      ? { count: photos, says: t('web:photosToReview', { count: photos }) }
      : undefined;
  };
}
