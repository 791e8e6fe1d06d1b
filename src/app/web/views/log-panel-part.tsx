import type { ComponentProps } from 'react';
import { LogPanel as Panel } from '#rooms/time-entries/web/log-panel.tsx';

/** What opens when an activity is picked, and what stands there once hours are logged, with its texts. */
export { LoggedCard } from '#rooms/time-entries/web/logged-card.tsx';

/** The form with its calendar for several days, which is loaded when it is asked for. */
export function LogPanel(props: Omit<ComponentProps<typeof Panel>, 'loadSeveral'>) {
  return <Panel {...props} loadSeveral={() => import('./several-days-part.ts')} />;
}
