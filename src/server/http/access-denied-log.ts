import type { FastifyRequest } from 'fastify';
import { type Instant, millisecondsOf } from '#shared/calendar-date.ts';
import type { Endpoint } from '#shared/endpoint.ts';
import { HttpError } from '#shared/errors.ts';
import { recordEvent } from '../audit-log.ts';
import { transaction } from '../db/database.ts';
import type { Deps } from '../deps.ts';
import { actorOf, canEverywhere, type Request, type SignedIn } from './viewer.ts';

/** A request that may be denied: its sender, endpoint and body. */
export type AuthorizedCall = Readonly<{
  endpoint: Endpoint;
  incoming: Pick<FastifyRequest, 'params' | 'query' | 'body'>;
  viewer: SignedIn | undefined;
  request: Request;
}>;

/** Records denied access: privileged fields in a body, or the error that denied a signed-in user's call. */
export type AccessDenials = Readonly<{
  recordClaims: (asked: AuthorizedCall) => Promise<void>;
  recordError: (asked: AuthorizedCall, error: unknown) => Promise<void>;
}>;

const HOUR_MS = 3_600_000;
/** The most denials that one process records in an hour. By then an administrator has noticed. */
const MAX_PER_HOUR = 5000;

/**
 * Records denied access in the audit log: every 403, and every 404 of a volunteer who named a record by its id, which may
 * belong to someone else. Such a 404 is recorded whether or not the record exists, so that response times reveal nothing. A
 * body field that would grant rights and that the endpoint does not accept is ignored and recorded likewise; all anonymous
 * callers count as one user. Each process records a denial only once an hour per user and endpoint, so that a program that
 * retries does not flood the log.
 */
export function openAccessDenials(deps: Deps): AccessDenials {
  const recordedAt = new Map<string, Instant>();
  return {
    recordClaims: async (asked) => {
      const fields = privilegedFields(asked);
      if (fields.length > 0 && isUnrecorded(recordedAt, asked, CLAIMED.action)) {
        await recordDenial(deps, asked, CLAIMED.action, fields);
      }
    },
    recordError: async (asked, error) => {
      const action = actionFor(error, asked);
      if (action !== undefined && isUnrecorded(recordedAt, asked, action))
        await recordDenial(deps, asked, action);
    },
  };
}

type Action = (typeof REFUSED | typeof MISSED | typeof CLAIMED)['action'];

const REFUSED = { action: 'access.refuse' } as const;
const MISSED = { action: 'access.miss' } as const;
const CLAIMED = { action: 'access.claim' } as const;

function actionFor(error: unknown, { endpoint, incoming, viewer }: AuthorizedCall): Action | undefined {
  if (!(error instanceof HttpError) || viewer === undefined) return undefined;
  if (error.kind === 'forbidden') return REFUSED.action;
  const namesThing = endpoint.path.includes('/:id') || schoolIdOf(incoming) !== undefined;
  const mayMiss = !canEverywhere(viewer, 'run the district');
  return error.kind === 'notFound' && mayMiss && namesThing ? MISSED.action : undefined;
}

/** The fields of a body that would grant permissions. A value that the user already has does not count. */
function privilegedFields({ endpoint, incoming: { body }, viewer }: AuthorizedCall): string[] {
  if (typeof body !== 'object' || body === null) return [];
  if (viewer !== undefined && canEverywhere(viewer, 'run the district')) return [];
  const own = { role: 'user', isActive: true, userId: viewer?.userId, isAdmin: false, adminScope: null };
  const sent: Readonly<Record<string, unknown>> = { ...body };
  return Object.entries(own)
    .filter(([name, value]) => name in sent && sent[name] !== value && !accepts(endpoint, name))
    .map(([name]) => name);
}

function accepts({ parts }: Endpoint, field: string): boolean {
  const known = parts.body?._zod.def as { shape?: object } | undefined;
  return known?.shape !== undefined && field in known.shape;
}

function isUnrecorded(
  recordedAt: Map<string, Instant>,
  { endpoint, viewer, request }: AuthorizedCall,
  action: Action,
): boolean {
  const key = `${viewer?.userId} ${action} ${endpoint.method} ${endpoint.path}`;
  const now = millisecondsOf(request.at);
  const isFresh = (at: Instant | undefined) =>
    at !== undefined && Math.abs(now - millisecondsOf(at)) < HOUR_MS;
  if (isFresh(recordedAt.get(key))) return false;
  if (recordedAt.size >= MAX_PER_HOUR) {
    for (const [old, at] of recordedAt) if (!isFresh(at)) recordedAt.delete(old);
    if (recordedAt.size >= MAX_PER_HOUR) return false;
  }
  recordedAt.set(key, request.at);
  return true;
}

async function recordDenial(
  deps: Deps,
  asked: AuthorizedCall,
  action: Action,
  fields?: readonly string[],
): Promise<void> {
  const { viewer, request } = asked;
  const event = {
    action,
    subject: 'user',
    subjectId: viewer?.userId ?? null,
    after: { request: describeCall(asked), fields },
  };
  try {
    await transaction(deps.database, (trx) => recordEvent(trx, actorOf(viewer, request), event));
  } catch (error) {
    // The caller gets the same error even if it cannot be recorded.
    deps.log.error({ err: error }, 'could not record blocked access in the audit log');
  }
}

// Ids only: other parts of an address may be secrets.
function describeCall({ endpoint, incoming }: AuthorizedCall): string {
  const params = Object.entries(incoming.params ?? {});
  const path = params.reduce(
    (known, [name, value]) => (isId(value) ? known.replace(`:${name}`, value) : known),
    endpoint.path,
  );
  const schoolId = schoolIdOf(incoming);
  return `${endpoint.method} ${path}${schoolId === undefined ? '' : `?schoolId=${schoolId}`}`;
}

function schoolIdOf({ query }: AuthorizedCall['incoming']): string | undefined {
  const { schoolId } = (query ?? {}) as { schoolId?: unknown };
  return isId(schoolId) ? schoolId : undefined;
}

function isId(value: unknown): value is string {
  return typeof value === 'string' && /^\d{1,15}$/.test(value);
}
