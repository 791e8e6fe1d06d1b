import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { CallError } from '../api/call.ts';
import type { Store } from './offline-storage.ts';
import { ConfirmationNeeded, type PendingChange } from './pending-changes.ts';
import { type Send, sendPendingChanges } from './pending-sender.ts';

beforeEach(() => {
  const request = (_name: string, _how: object, run: (lock: object | null) => unknown) => run({});
  vi.stubGlobal('navigator', { ...navigator, locks: { request } });
});
afterEach(() => vi.unstubAllGlobals());

function waiting(id: string): PendingChange {
  const state = { isTried: false, isEdited: false, refusal: undefined };
  return { id, kind: 'entry', order: Number(id), key: `key ${id}`, ...state, what: {}, bytes: 0 };
}

/** An in-memory store with two pending changes. */
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

const callError = (status: number, isReadable = true) =>
  new CallError(status, `answer ${status}`, isReadable, {}, isReadable);

/** Sends both changes; the first one fails with this error. */
async function sendAfter(failure: Error) {
  const store = aStore();
  const sent: string[] = [];
  const send: Send = async ({ id }) => {
    sent.push(id);
    if (id === '1') throw failure;
  };
  const result = await sendPendingChanges(store, send, async () => undefined);
  return {
    outcome: result.outcome,
    sent,
    left: (await store.all()).map(({ id, refusal }) => [id, refusal?.said]),
  };
}

test.each([
  ['no response', callError(0)],
  ['a gateway error page', callError(502, false)],
  ['a partial response', callError(201, false)],
  ['a busy server', callError(503)],
  ['too many requests', callError(429)],
  ['a timeout', new DOMException('late', 'TimeoutError')],
])('all changes stay pending after %s', async (_, failure) => {
  expect(await sendAfter(failure)).toEqual({
    outcome: 'later',
    sent: ['1'],
    left: [
      ['1', undefined],
      ['2', undefined],
    ],
  });
});

test('all changes stay pending, and none is marked as rejected, after the session has ended', async () => {
  expect(await sendAfter(callError(401))).toEqual({
    outcome: 'ended',
    sent: ['1'],
    left: [
      ['1', undefined],
      ['2', undefined],
    ],
  });
});

test('a change stays pending after a server error, and the others are sent', async () => {
  expect(await sendAfter(callError(500))).toEqual({
    outcome: 'later',
    sent: ['1', '2'],
    left: [['1', undefined]],
  });
});

test.each([
  ['a rejected change', callError(400), 'answer 400'],
  ['a change that needs confirmation', new ConfirmationNeeded('These too?'), 'These too?'],
])('the message of %s is stored, and the other changes are sent', async (_, failure, said) => {
  expect(await sendAfter(failure)).toEqual({ outcome: 'all', sent: ['1', '2'], left: [['1', said]] });
});

test('nothing is sent while another tab is sending', async () => {
  const request = (_name: string, _how: object, run: (lock: null) => unknown) => run(null);
  vi.stubGlobal('navigator', { ...navigator, locks: { request } });
  const sent = await sendPendingChanges(
    aStore(),
    () => Promise.reject(new Error('sent all the same')),
    async () => {},
  );
  expect(sent.outcome).toBe('elsewhere');
});
