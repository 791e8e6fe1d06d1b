import fc from 'fast-check';
import { expect } from 'vitest';
import type { Endpoint } from '#shared/endpoint.ts';
import { startApp, type TestApp } from '#test/harness.ts';
import { callOf } from '../all-endpoints.ts';
import { type FuzzDistrict, fuzzDistrict, renewSenders } from './district.ts';
import { type FuzzRequest, requestsTo } from './requests.ts';
import { differences, storedState } from './stored-state.ts';
import { MODES } from './values.ts';

/** How many requests run at once, and how many new ones there are between two checks of the database. */
const AT_ONCE = 20;
const BATCH = 150;

/** After this many requests the lists are long, and a new district begins. */
const DISTRICT = 20_000;

/** A request that takes this long has hung: nothing here takes a twentieth of it. */
const HUNG_MS = 30_000;

/** The results of the requests, by status; and how many refused ones were checked to have left nothing. */
export type Outcome = { statuses: Map<number, number>; refusedWithoutTrace: number; endpoints: Set<string> };

/**
 * Sends requests, valid, nearly valid and hostile ones in turn. Fails at the first reply that is a server
 * error or violates the contract, at the first missing reply, and when refused calls left something. Prints the sum
 * so far after each district.
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
    // Calls that cost much are drawn so seldom that chance may leave one out: each has one of the first requests.
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
 * Sends refused requests again, and then those that are refused again, until none is accepted any more: then the
 * database must be unchanged. Returns how many requests that took.
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
  if (left.length > 0) throw new Error(`${left.join('\n')}\nleft by one of\n${refused.map(told).join('\n')}`);
  outcome.refusedWithoutTrace += refused.length;
  return refused.length;
}

/** Returns those that would have written something and were refused. */
async function sendBatch(
  app: TestApp,
  district: FuzzDistrict,
  batch: readonly FuzzRequest[],
  outcome: Outcome,
): Promise<FuzzRequest[]> {
  const refused: FuzzRequest[] = [];
  for (let i = 0; i < batch.length; i += AT_ONCE) {
    await Promise.all(
      batch.slice(i, i + AT_ONCE).map(async (request) => {
        const status = await send(app, district, request);
        if (status >= 400 && mayWrite(request.endpoint)) refused.push(request);
        outcome.endpoints.add(callOf(request.endpoint));
        outcome.statuses.set(status, (outcome.statuses.get(status) ?? 0) + 1);
      }),
    );
  }
  return refused;
}

// A file is recorded when it is sent, and a redirect to Google when it is requested.
function mayWrite({ method, parts, path }: Endpoint): boolean {
  return method !== 'GET' || parts.file === true || path.endsWith('/auth-url');
}

async function send(app: TestApp, district: FuzzDistrict, request: FuzzRequest): Promise<number> {
  const token = district.tokens[request.sender];
  const answering = app.app.inject({
    method: request.method as 'GET',
    url: request.url,
    headers: { ...(token === undefined ? {} : { authorization: `Bearer ${token}` }), ...request.headers },
    ...(request.payload === undefined ? {} : { payload: request.payload }),
  });
  const { promise: hung, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new Error(`no answer: ${told(request)}`)), HUNG_MS);
  const reply = await Promise.race([answering, hung]).finally(() => clearTimeout(timer));
  const status = reply.statusCode;
  if (status >= 400) expectRefusal(request, status, reply.headers, reply.body);
  else
    expect([told(request), status]).toEqual([told(request), expect.toBeOneOf(successesOf(request.endpoint))]);
  return status;
}

function expectRefusal(
  request: FuzzRequest,
  status: number,
  headers: Record<string, unknown>,
  text: string,
): void {
  if (status >= 500) throw new Error(`${status} ${text} to ${told(request)}`);
  // A refused verification of all that is shown says how many there are by now, and some refusals what to do first.
  const { error, fields = {}, total, fresh, secondFactorNeeded, ...more } = JSON.parse(text);
  const texts = [error, ...Object.values(fields)];
  const isSaid =
    texts.every((one) => typeof one === 'string' && one !== '') && Object.keys(more).length === 0;
  const isTimed = status !== 429 || Number(headers['retry-after']) > 0;
  if (!isSaid || !isTimed) throw new Error(`${status} ${text} to ${told(request)}`);
}

// In one registration mode an account is only made once a mailed link is opened.
/** A registration that waits for a letter, and a preview of what would be added. */
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

/** A request in one line, as it can be sent again. */
function told({ method, url, sender, headers, payload }: FuzzRequest): string {
  return `${sender}: ${method} ${url.slice(0, 300)} ${JSON.stringify(headers).slice(0, 200)} ${payload?.slice(0, 500) ?? ''}`;
}

/** The results so far in one line. */
function summaryOf({ statuses, refusedWithoutTrace, endpoints }: Outcome, seed: number): string {
  const counted = [...statuses]
    .toSorted(([a], [b]) => a - b)
    .map(([status, count]) => `${count} x ${status}`);
  const requests = [...statuses.values()].reduce((sum, count) => sum + count, 0);
  return `seed ${seed}: ${requests} requests to ${endpoints.size} calls, ${counted.join(', ')}; ${refusedWithoutTrace} refused ones looked at for a trace`;
}
