import { useQuiet } from '#web/lib/quiet.ts';
import { lazyScreen } from '#web/ui/lazy-screen.tsx';

const Loaded = lazyScreen(async () => (await import('#rooms/goals/web/thanks.tsx')).Thanks);

/** The thanks for a milestone, loaded after the screen. */
export function Thanks() {
  return useQuiet() && <Loaded />;
}
