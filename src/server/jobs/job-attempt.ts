import { deleteServerState, setServerState } from '../db/server-state.ts';
import type { Deps } from '../deps.ts';

/** The key prefixes in `server_state`, followed by the job's name. */
export const JOB_STATE_PREFIX = { ran: 'ran:', failed: 'failed:' } as const;

/**
 * Runs a job so that its failure does not stop the next one. A failure is logged, and stored in `server_state` under the job's
 * name until the job succeeds again. The duration of the last run is stored too. Returns whether the job succeeded.
 */
export async function runJobAttempt(
  deps: Deps,
  name: string,
  work: () => Promise<unknown>,
): Promise<boolean> {
  const { db } = deps.database;
  const began = performance.now();
  const at = deps.clock.now();
  try {
    await deps.settings.refresh();
    await work();
    await deleteServerState(db, `${JOB_STATE_PREFIX.failed}${name}`).catch(() => undefined);
    return true;
  } catch (error) {
    deps.log.error({ err: error, job: name }, 'job failed');
    // Only the error's class, because its message may name people. If the database itself failed, there is only the log.
    const kind = error instanceof Error ? error.name : 'unknown';
    await setServerState(db, `${JOB_STATE_PREFIX.failed}${name}`, kind, at).catch(() => undefined);
    return false;
  } finally {
    const milliseconds = String(Math.round(performance.now() - began));
    await setServerState(db, `${JOB_STATE_PREFIX.ran}${name}`, milliseconds, at).catch(() => undefined);
  }
}
