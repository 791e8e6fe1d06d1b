import fc from 'fast-check';
import { expect } from 'vitest';
import type { Endpoint } from '#shared/endpoint.ts';
import { startApp, type TestApp } from '#test/harness.ts';
import { callOf } from '../all-endpoints.ts';
import { type FuzzDistrict, fuzzDistrict, renewSenders } from './district.ts';
import { type FuzzRequest, requestsTo } from './requests.ts';
import { differences, storedState } from './stored-state.ts';
import { MODES } from './values.ts';

/** The number of concurrent requests, and of new requests between two checks of the database. */
const CONCURRENCY = 20;
const BATCH = 150;

/** The number of requests after which lists are long and a new district is used. */
const DISTRICT = 20_000;

/** The time after which a request without a reply counts as hanging. All take less than a twentieth of it. */
const HUNG_MS = 30_000;

/** The number of replies by status, and of rejected requests that were checked to have changed nothing. */
export type Outcome = { statuses: Map<number, number>; refusedWithoutTrace: number; endpoints: Set<string> };

/**
 * Sends valid, nearly valid and hostile requests in turn. Throws at the first server error, reply that violates the contract or
 * missing reply, and when rejected requests changed the database. Prints a summary after each district.
 */
export async function fuzz(endpoints: readonly Endpoint[], count: number, seed: number): Promise<Outcome> {
  const outcome: Outcome = { statuses: new Map(), refusedWithoutTrace: 0, endpoints: new Set() };
  for (let sent = 0; sent < count; sent += DISTRICT) {
    const app = await startApp();
    await fuzzOne(app, endpoints, { from: sent, until: Math.min(count, sent + DISTRICT), seed }, outcome);
    await app.close();
    console.log(summaryOf(outcome, seed));
  }
  return outcome;
}

async function fuzzOne(
  app: TestApp,
  endpoints: readonly Endpoint[],
  { from, until, seed }: { from: number; until: number; seed: number },
  outcome: Outcome,
): Promise<void> {
  const district = await fuzzDistrict(app);
  const kinds = MODES.map((mode) => requestsTo(endpoints, mode, district.live));
  let sent = from;
  for (let turn = 0; sent < until; turn++) {
    const numRuns = Math.min(BATCH, until - sent);
    const kind = kinds[turn % kinds.length] as fc.Arbitrary<FuzzRequest>;
    // Rare endpoints may never be chosen, so the first batch has one request to each endpoint.
    const batch =
      sent === 0
        ? endpoints.flatMap((one) =>
            fc.sample(requestsTo([one], MODES[0], district.live), { seed, numRuns: 1 }),
          )
        : fc.sample(kind, { seed: seed + sent, numRuns });
    const refused = await sendBatch(app, district, batch, outcome);
    await renewSenders(app, district);
    sent += batch.length + (await sendAgain(app, district, refused, outcome));
  }
}

/**
 * Repeats rejected requests until all of them are rejected again. Then the database must be unchanged. Returns the number of
 * requests.
 */
async function sendAgain(
  app: TestApp,
  district: FuzzDistrict,
  refused: readonly FuzzRequest[],
  outcome: Outcome,
): Promise<number> {
  if (refused.length === 0) return 0;
  const before = await storedState(app);
  const again = await sendBatch(app, district, refused, outcome);
  if (again.length < refused.length) return refused.length + (await sendAgain(app, district, again, outcome));
  const left = differences(before, await storedState(app));
  if (left.length > 0)
    throw new Error(`${left.join('\n')}\nleft by one of\n${refused.map(describe).join('\n')}`);
  outcome.refusedWithoutTrace += refused.length;
  return refused.length;
}

/** Returns the rejected requests that would have written something. */
async function sendBatch(
  app: TestApp,
  district: FuzzDistrict,
  batch: readonly FuzzRequest[],
  outcome: Outcome,
): Promise<FuzzRequest[]> {
  const refused: FuzzRequest[] = [];
  for (let i = 0; i < batch.length; i += CONCURRENCY) {
    await Promise.all(
      batch.slice(i, i + CONCURRENCY).map(async (request) => {
        const status = await send(app, district, request);
        if (status >= 400 && mayWrite(request.endpoint)) refused.push(request);
        outcome.endpoints.add(callOf(request.endpoint));
        outcome.statuses.set(status, (outcome.statuses.get(status) ?? 0) + 1);
      }),
    );
  }
  return refused;
}

// A GET for a file adds an audit event, and one for Google's URL stores a state.
function mayWrite({ method, parts, path }: Endpoint): boolean {
  return method !== 'GET' || parts.file === true || path.endsWith('/auth-url');
}

async function send(app: TestApp, district: FuzzDistrict, request: FuzzRequest): Promise<number> {
  const token = district.tokens[request.sender];
  const replying = app.app.inject({
    method: request.method as 'GET',
    url: request.url,
    headers: { ...(token === undefined ? {} : { authorization: `Bearer ${token}` }), ...request.headers },
    ...(request.payload === undefined ? {} : { payload: request.payload }),
  });
  const { promise: hung, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new Error(`no answer: ${describe(request)}`)), HUNG_MS);
  const reply = await Promise.race([replying, hung]).finally(() => clearTimeout(timer));
  const status = reply.statusCode;
  if (status >= 400) checkError(request, status, reply.headers, reply.body);
  else
    expect([describe(request), status]).toEqual([
      describe(request),
      expect.toBeOneOf(successesOf(request.endpoint)),
    ]);
  return status;
}

function checkError(
  request: FuzzRequest,
  status: number,
  headers: Record<string, unknown>,
  text: string,
): void {
  if (status >= 500) throw new Error(`${status} ${text} to ${describe(request)}`);
  // Some errors have more fields: the current total of a verification, or what the user must do first.
  const { error, fields = {}, total, fresh, secondFactorNeeded, ...more } = JSON.parse(text);
  const texts = [error, ...Object.values(fields)];
  const isExplained =
    texts.every((one) => typeof one === 'string' && one !== '') && Object.keys(more).length === 0;
  const hasRetryAfter = status !== 429 || Number(headers['retry-after']) > 0;
  if (!isExplained || !hasRetryAfter) throw new Error(`${status} ${text} to ${describe(request)}`);
}

/** Other successes: a registration that waits for its email, and previews. */
const ALSO: Readonly<Record<string, readonly number[]>> = {
  '/auth/register': [202],
  '/admin/activities/bulk': [200],
  '/admin/schools/translations': [200],
  '/admin/categories/translations': [200],
  '/admin/activities/translations': [200],
};

function successesOf({ parts, path }: Endpoint): number[] {
  return [parts.status ?? 200, ...(ALSO[path] ?? [])];
}

/** Describes a request in one line, so that it can be repeated. */
function describe({ method, url, sender, headers, payload }: FuzzRequest): string {
  return `${sender}: ${method} ${url.slice(0, 300)} ${JSON.stringify(headers).slice(0, 200)} ${payload?.slice(0, 500) ?? ''}`;
}

/** The results in one line. */
function summaryOf({ statuses, refusedWithoutTrace, endpoints }: Outcome, seed: number): string {
  const counted = [...statuses]
    .toSorted(([a], [b]) => a - b)
    .map(([status, count]) => `${count} x ${status}`);
  const requests = [...statuses.values()].reduce((sum, count) => sum + count, 0);
  return `seed ${seed}: ${requests} requests to ${endpoints.size} calls, ${counted.join(', ')}; ${refusedWithoutTrace} rejected ones checked for changes`;
}
