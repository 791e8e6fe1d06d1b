import { usePart } from '#web/lib/use-part.ts';
import { LoadedPart } from './loaded-part.tsx';
import type { RecentActivityProps } from './recent-activity-part.tsx';

export const RECENT_ACTIVITY = {
  name: 'recent-activity',
  load: () => import('./recent-activity-part.tsx'),
} as const;

/** Recent Activity, loaded in the background while Log Time is open. */
export function RecentActivity(props: RecentActivityProps) {
  const part = usePart(RECENT_ACTIVITY.name, RECENT_ACTIVITY.load);
  return (
    <LoadedPart part={part} rows={6}>
      {(loaded) => <loaded.RecentActivity {...props} />}
    </LoadedPart>
  );
}
