import type { ComponentProps } from 'react';
import type { Activity } from '#features/activities/contract.ts';
import type { Days } from '#features/activities/web/activity-tags.tsx';
import { PickedActivity } from '#features/activities/web/selected-activity.tsx';
import { Card } from '#web/ui/card.tsx';
import { LogTimeForm } from './log-time-form.tsx';

type LogPanelProps = Omit<ComponentProps<typeof LogTimeForm>, 'today'> & {
  days: Days;
  onCancel: () => void;
  onPhotos?: ((activity: Activity) => void) | undefined;
};

/** The confirmation that replaces the panel once the hours are logged. */
export { LoggedConfirmation } from './logged-confirmation.tsx';

/** The picked activity and its form, opened by picking an activity in Log Time. */
export function LogPanel({ days, onCancel, onPhotos, ...form }: LogPanelProps) {
  return (
    <Card ref={scrollIntoView}>
      <div className="flex flex-col gap-5">
        <PickedActivity activity={form.activity} days={days} onCancel={onCancel} onPhotos={onPhotos} />
        <LogTimeForm key={form.activity.id} today={days.today} {...form} />
      </div>
    </Card>
  );
}

// An activity picked far down a long list opens at the top, so scroll there.
function scrollIntoView(card: HTMLElement | null) {
  card?.scrollIntoView({ block: 'nearest' });
}
