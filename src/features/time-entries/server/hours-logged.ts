import type { Deps } from '#server/deps.ts';
import type { Request } from '#server/http/viewer.ts';

/**
 * Runs after the transaction that stored the entries or changed their external verifier. All of them wait for verification.
 * Must not throw.
 */
type HoursLoggedHandler = (deps: Deps, request: Request, entryIds: readonly number[]) => Promise<void>;

// A set, because every server that a process builds registers the same handlers.
const handlers = new Set<HoursLoggedHandler>();

/** Registers a handler. Features that depend on this one use it, because this feature cannot import them. */
export function onHoursLogged(handler: HoursLoggedHandler): void {
  handlers.add(handler);
}

/** Calls the handlers in turn, unless there are no entries. */
export async function notifyHoursLogged(
  deps: Deps,
  request: Request,
  entryIds: readonly number[],
): Promise<void> {
  if (entryIds.length === 0) return;
  for (const handler of handlers) await handler(deps, request, entryIds);
}
