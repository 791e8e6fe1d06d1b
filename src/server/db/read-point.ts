import { AsyncLocalStorage } from 'node:async_hooks';

/** A place in PostgreSQL's log, in bytes from its beginning; what was confirmed before it lies before it. */
export type LogPlace = number;

const points = new AsyncLocalStorage<LogPlace>();

/**
 * Runs `work` so that its lists and reports may be read from a standby that has replayed the log up to this place;
 * undefined means from the leader alone.
 */
export function readingFrom<Made>(mustSee: LogPlace | undefined, work: () => Made): Made {
  return mustSee === undefined ? points.exit(work) : points.run(mustSee, work);
}

/** What the running request must see; undefined when only the leader will do, as for everything outside a request. */
export function readPoint(): LogPlace | undefined {
  return points.getStore();
}
