import { useIsIdle } from '#web/api/network-idle.ts';
import { lazyScreen } from '#web/ui/lazy-screen.tsx';

const Loaded = lazyScreen(
  async () => (await import('#features/time-entries/goals/web/milestone-thanks.tsx')).Thanks,
);

/** The thanks for a milestone, loaded after the screen. */
export function Thanks() {
  return useIsIdle() && <Loaded />;
}
