import type { Deps } from '#server/deps.ts';
import { serverSingleton } from '#server/process/server-singleton.ts';
import type { Instant } from '#shared/calendar-date.ts';

/** An import that this server works on: who began it and when. It is one transaction, so there is no progress. */
export type RunningImport = Readonly<{ by: number; startedAt: Instant }>;

const runningOf = serverSingleton(() => new Set<RunningImport>());

/** Runs an import, which is listed until it is over. */
export async function trackRunningImport<Done>(
  deps: Deps,
  one: RunningImport,
  work: () => Promise<Done>,
): Promise<Done> {
  const here = runningOf(deps);
  here.add(one);
  try {
    return await work();
  } finally {
    here.delete(one);
  }
}

/** The imports that this server works on. */
export function runningImports(deps: Deps): readonly RunningImport[] {
  return [...runningOf(deps)];
}
