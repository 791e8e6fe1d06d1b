import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { CallError } from '../api/call.ts';
import type { Store } from './offline-storage.ts';
import { MustAsk, type Waiting } from './pending-changes.ts';
import { type Send, sendAll } from './pending-sender.ts';

beforeEach(() => {
  const request = (_name: string, _how: object, run: (lock: object | null) => unknown) => run({});
  vi.stubGlobal('navigator', { ...navigator, locks: { request } });
});
afterEach(() => vi.unstubAllGlobals());

function waiting(id: string): Waiting {
  const state = { isTried: false, isEdited: false, refusal: undefined };
  return { id, kind: 'entry', order: Number(id), key: `key ${id}`, ...state, what: {}, bytes: 0 };
}

/** A store in memory with two things that wait. */
function aStore(): Store {
  let rows = [waiting('1'), waiting('2')];
  const of: Partial<Store> = {
    account: 1,
    all: async () => rows,
    change: async (id, change) => {
      rows = rows.map((row) => (row.id === id ? { ...row, ...change } : row));
    },
    remove: async (id) => {
      rows = rows.filter((row) => row.id !== id);
    },
  };
  return of as Store;
}

const refused = (status: number, isReadable = true) =>
  new CallError(status, `answer ${status}`, isReadable, {}, isReadable);

/** Sends both, the first of which fails so. */
async function sendAfter(failure: Error) {
  const store = aStore();
  const sent: string[] = [];
  const send: Send = async ({ id }) => {
    sent.push(id);
    if (id === '1') throw failure;
  };
  const result = await sendAll(store, send, async () => undefined);
  return {
    outcome: result.outcome,
    sent,
    left: (await store.all()).map(({ id, refusal }) => [id, refusal?.said]),
  };
}

test.each([
  ['no answer', refused(0)],
  ['a page of a gateway', refused(502, false)],
  ['part of an answer', refused(201, false)],
  ['a server that is busy', refused(503)],
  ['too many requests', refused(429)],
  ['a wait that is too long', new DOMException('late', 'TimeoutError')],
])('after %s all of it waits', async (_, failure) => {
  expect(await sendAfter(failure)).toEqual({
    outcome: 'later',
    sent: ['1'],
    left: [
      ['1', undefined],
      ['2', undefined],
    ],
  });
});

test('after the session has ended all of it waits for the next sign-in, and nothing counts as refused', async () => {
  expect(await sendAfter(refused(401))).toEqual({
    outcome: 'ended',
    sent: ['1'],
    left: [
      ['1', undefined],
      ['2', undefined],
    ],
  });
});

test('what the server fails at waits, and holds up nothing', async () => {
  expect(await sendAfter(refused(500))).toEqual({
    outcome: 'later',
    sent: ['1', '2'],
    left: [['1', undefined]],
  });
});

test.each([
  ['the server refuses', refused(400), 'answer 400'],
  ['is to be asked about', new MustAsk('These too?'), 'These too?'],
])('what %s stays with its sentence, and holds up nothing', async (_, failure, said) => {
  expect(await sendAfter(failure)).toEqual({ outcome: 'all', sent: ['1', '2'], left: [['1', said]] });
});

test('another tab that sends is left alone', async () => {
  const request = (_name: string, _how: object, run: (lock: null) => unknown) => run(null);
  vi.stubGlobal('navigator', { ...navigator, locks: { request } });
  const sent = await sendAll(
    aStore(),
    () => Promise.reject(new Error('sent all the same')),
    async () => {},
  );
  expect(sent.outcome).toBe('elsewhere');
});
