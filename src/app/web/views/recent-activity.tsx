import { usePartAhead } from '#web/lib/use-part.ts';
import { LoadedPart } from './loaded-part.tsx';
import type { RecentActivityProps } from './recent-activity-part.tsx';

/** Recent Activity, loaded in the background while Log Time is open. */
export function RecentActivity(props: RecentActivityProps) {
  const part = useRecentActivityPart(true);
  return (
    <LoadedPart part={part} rows={6}>
      {(loaded) => <loaded.RecentActivity {...props} />}
    </LoadedPart>
  );
}

/** Starts loading the tab before it is opened, without drawing anything. */
export function RecentActivityAhead() {
  useRecentActivityPart(false);
  return null;
}

function useRecentActivityPart(isOpen: boolean) {
  return usePartAhead('recent-activity', () => import('./recent-activity-part.tsx'), isOpen);
}
