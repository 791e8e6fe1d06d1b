import type { Deps } from './deps.ts';
import { forgetState, noteState } from './server-state.ts';

/**
 * Runs a job so that its failure does not stop the next one: a failure is logged, and noted in `server_state` under
 * the job's name until it succeeds again. Returns whether it succeeded.
 */
export async function attemptJob(deps: Deps, name: string, work: () => Promise<unknown>): Promise<boolean> {
  const { db } = deps.database;
  const note = `failed:${name}`;
  try {
    await work();
    await forgetState(db, note).catch(() => undefined);
    return true;
  } catch (error) {
    deps.log.error({ err: error, job: name }, 'a job failed');
    // Only the kind of error, since its text may name people. If the database itself failed, the log must be enough.
    const kind = error instanceof Error ? error.name : 'unknown';
    await noteState(db, note, kind, deps.clock.now()).catch(() => undefined);
    return false;
  }
}
