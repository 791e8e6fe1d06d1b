import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import * as z from 'zod/mini';
import { messages } from '#features/auth/contract.ts';
import { endpoint } from '#shared/endpoint.ts';
import { CallError, call, failureText, loadingFailure } from './call.ts';
import { endSession, getToken, startSession } from './session.ts';

const getThing = endpoint('GET', '/things/:id', {
  params: z.object({ id: z.number() }),
  query: z.object({ schoolId: z.optional(z.number()), search: z.optional(z.string()) }),
  reply: z.object({ name: z.string() }),
});
const createThing = endpoint('POST', '/things', { body: z.object({ name: z.string() }), status: 201 });
const logout = endpoint('POST', '/logout', { status: 204 });

const fetched = vi.fn<typeof fetch>();

beforeEach(() => {
  vi.stubGlobal('fetch', fetched);
  fetched.mockReset();
});
afterEach(() => {
  vi.unstubAllGlobals();
  endSession();
});

function answer(status: number, body: unknown) {
  fetched.mockResolvedValueOnce(Response.json(body, { status }));
}

function sent(nth = 0) {
  const [url, request] = fetched.mock.calls[nth] ?? [];
  return { url, request, headers: new Headers(request?.headers) };
}

async function failure(promise: Promise<unknown>): Promise<CallError> {
  const error = await promise.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (!(error instanceof CallError)) throw new Error('the call should have failed');
  return error;
}

test('an error of the server includes the beginning of the request ID', async () => {
  answer(500, { error: 'Request failed', requestId: '1a2b3c4d-0000-4000-8000-000000000000' });
  const error = await failure(call(getThing, { params: { id: 7 }, query: {} }));
  expect([error.message, failureText(error)]).toEqual([
    'Request failed (1a2b3c4d)',
    'Request failed (1a2b3c4d)',
  ]);
});

describe('a call', () => {
  test('fills in the path and omits blank query fields', async () => {
    answer(200, { name: 'x' });
    await call(getThing, { params: { id: 7 }, query: { schoolId: 3, search: '' } });
    expect(sent().url).toBe('/api/things/7?schoolId=3');
    expect(sent().headers.has('authorization')).toBe(false);
  });

  test('sends the token', async () => {
    startSession('abc');
    answer(200, { name: 'x' });
    await call(getThing, { params: { id: 7 }, query: {} });
    expect(sent().headers.get('authorization')).toBe('Bearer abc');
  });

  test('accepts a response without a body', async () => {
    fetched.mockResolvedValueOnce(new Response(null, { status: 204 }));
    expect(await call(logout)).toBeUndefined();
  });
});

describe('a call that gets 503 with Retry-After', () => {
  const signIn = endpoint('POST', '/sign-in', { reply: z.object({ name: z.string() }), isRepeatable: true });
  const later = (seconds: string) =>
    fetched.mockResolvedValueOnce(
      Response.json({ error: 'Very many people' }, { status: 503, headers: { 'retry-after': seconds } }),
    );
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  test.each([
    ['a read', () => call(getThing, { params: { id: 7 }, query: {} })],
    ['a sign-in', () => call(signIn)],
  ])('is retried if it is %s, after the delay plus a random share', async (_what, ask) => {
    later('3');
    // Longer than the random share, so the third call never arrives while the second is counted.
    later('3');
    answer(200, { name: 'x' });
    const outcome = ask();
    await vi.advanceTimersByTimeAsync(2_999);
    expect(fetched).toHaveBeenCalledTimes(1);
    await vi.advanceTimersByTimeAsync(1_501);
    expect(fetched).toHaveBeenCalledTimes(2);
    await vi.advanceTimersByTimeAsync(4_500);
    expect(await outcome).toEqual({ name: 'x' });
    expect(fetched).toHaveBeenCalledTimes(3);
  });

  test('fails after the last retry, and is not retried once canceled', async () => {
    for (let time = 0; time < 5; time += 1) later('1');
    const outcome = failure(call(signIn));
    await vi.advanceTimersByTimeAsync(60_000);
    expect(await outcome).toMatchObject({ status: 503, message: 'Very many people' });
    expect(fetched).toHaveBeenCalledTimes(5);
    later('1');
    const cancel = new AbortController();
    const reply = call(getThing, { params: { id: 7 }, query: {}, signal: cancel.signal }).catch(
      (error: Error) => error.name,
    );
    await vi.advanceTimersByTimeAsync(500);
    cancel.abort();
    expect(await reply).toBe('AbortError');
    await vi.advanceTimersByTimeAsync(60_000);
    expect(fetched).toHaveBeenCalledTimes(6);
  });

  test('is not retried if it creates something', async () => {
    later('1');
    const outcome = failure(call(createThing, { body: { name: 'x' } }));
    await vi.advanceTimersByTimeAsync(60_000);
    expect(await outcome).toMatchObject({ status: 503 });
    expect(fetched).toHaveBeenCalledTimes(1);
  });
});

describe('a failed call', () => {
  test("throws the server's message and fields", async () => {
    answer(400, { error: 'Please', fields: { name: 'A name' } });
    const error = await failure(call(createThing, { body: { name: '' } }));
    expect(error).toMatchObject({ status: 400, message: 'Please', fields: { name: 'A name' } });
    expect(failureText(error, messages.loginFailed)).toBe('Please');
  });

  test("falls back to 'Request failed', or the screen's message, if the response is not JSON", async () => {
    fetched.mockResolvedValueOnce(new Response('<html>', { status: 502 }));
    const error = await failure(call(createThing, { body: { name: '' } }));
    expect(error).toMatchObject({ status: 502, message: 'Request failed' });
    expect(failureText(error, messages.loginFailed)).toBe('Login failed');
  });

  test('shows a network error on every screen if there is no response', async () => {
    fetched.mockRejectedValueOnce(new TypeError('Failed to fetch'));
    const error = await failure(call(createThing, { body: { name: '' } }));
    expect(error).toMatchObject({ status: 0, message: 'Network error. Please try again.' });
    expect(failureText(error, messages.loginFailed)).toBe('Network error. Please try again.');
    // If a list failed to load, the text is what failed and the detail is why.
    expect(loadingFailure(error, messages.loginFailed)).toEqual({
      text: 'Login failed',
      detail: 'Network error. Please try again.',
    });
    expect(loadingFailure(new Error('?'), messages.loginFailed).detail).toBeUndefined();
  });

  test('ends its session after a 401', async () => {
    startSession('abc');
    answer(401, { error: 'Authentication required' });
    await failure(call(getThing, { params: { id: 1 }, query: {} }));
    expect(getToken()).toBeNull();
  });

  test('does not end a newer session after a 401', async () => {
    startSession('old');
    fetched.mockImplementationOnce(async () => {
      startSession('new');
      return Response.json({ error: 'Authentication required' }, { status: 401 });
    });
    await failure(call(getThing, { params: { id: 1 }, query: {} }));
    expect(getToken()).toBe('new');
  });
});

describe('the idempotency key of a creating call', () => {
  const key = (nth: number) => sent(nth).headers.get('idempotency-key');

  test('is reused if the same data is sent again before a final response', async () => {
    fetched.mockRejectedValueOnce(new TypeError('Failed to fetch'));
    await failure(call(createThing, { body: { name: 'again' } }));
    answer(503, { error: 'later' });
    await failure(call(createThing, { body: { name: 'again' } }));
    answer(201, {});
    await call(createThing, { body: { name: 'again' } });
    expect(key(0)).toMatch(/^[0-9a-f]{32}$/);
    expect([key(1), key(2)]).toEqual([key(0), key(0)]);
  });

  test('changes after a response, and for other data', async () => {
    for (const name of ['a', 'a', 'b']) {
      answer(201, {});
      await call(createThing, { body: { name } });
    }
    expect(new Set([key(0), key(1), key(2)]).size).toBe(3);
  });

  test('is not sent with calls that create nothing', async () => {
    answer(200, { name: 'x' });
    await call(getThing, { params: { id: 1 }, query: {} });
    expect(key(0)).toBeNull();
  });
});
