import { expect, test } from 'vitest';
import {
  choose,
  hasRoom,
  isBusy,
  nextToSend,
  remove,
  retry,
  start,
  tell,
  type UploadRow,
} from './upload-queue.ts';

const fine = () => undefined;
const chosen = (...names: string[]) => choose([], names, fine);
const states = (rows: readonly UploadRow<string>[]) => rows.map(({ file, state }) => `${file} ${state}`);

/** Starts the next rows. */
function sendAll(rows: readonly UploadRow<string>[]): UploadRow<string>[] {
  return nextToSend(rows).reduce<UploadRow<string>[]>(
    (now, { key }) => tell(now, key, { state: 'sending', sent: 0 }),
    [...rows],
  );
}

test('nothing travels before the upload is pressed', () => {
  expect(nextToSend(chosen('a', 'b'))).toEqual([]);
  expect(isBusy(chosen('a'))).toBe(false);
});

test('three travel at the same time, in their order; the next goes when one has arrived', () => {
  let rows = sendAll(start(chosen('a', 'b', 'c', 'd', 'e')));
  expect(states(rows)).toEqual(['a sending', 'b sending', 'c sending', 'd waiting', 'e waiting']);
  expect(nextToSend(rows)).toEqual([]);
  rows = sendAll(tell(rows, 2, { state: 'done', said: '1 photo uploaded successfully' }));
  expect(states(rows)).toEqual(['a sending', 'b done', 'c sending', 'd sending', 'e waiting']);
});

test('one that fails stops no other, and goes again alone', () => {
  let rows = sendAll(start(chosen('a', 'b')));
  rows = tell(rows, 1, { state: 'failed', said: 'Network error' });
  rows = tell(rows, 2, { state: 'done', said: 'ok' });
  expect(isBusy(rows)).toBe(false);
  rows = retry(rows, 1);
  expect(rows[0]).toMatchObject({ state: 'waiting', sent: 0, said: undefined });
  expect(nextToSend(rows).map(({ file }) => file)).toEqual(['a']);
});

test('a cancelled file is gone, whatever messages still arrive about it', () => {
  let rows = sendAll(start(chosen('a', 'b', 'c', 'd')));
  rows = remove(rows, 1);
  rows = tell(rows, 1, { state: 'done', said: 'ok' });
  expect(states(sendAll(rows))).toEqual(['b sending', 'c sending', 'd sending']);
});

test('progress goes from 0 to 1', () => {
  let rows = sendAll(start(chosen('a')));
  rows = tell(rows, 1, { state: 'sending', sent: 0.4 });
  expect(rows[0]?.sent).toBe(0.4);
  rows = tell(rows, 1, { state: 'done', said: 'ok' });
  expect(rows[0]?.sent).toBe(1);
});

test('a file with a fault stands there with it and is never sent', () => {
  const rows = choose([], ['bad', 'good'], (file) => (file === 'bad' ? 'File too large' : undefined));
  expect(states(start(rows))).toEqual(['bad refused', 'good waiting']);
  expect(rows[0]?.said).toBe('File too large');
  expect(retry(rows, 1)[0]?.state).toBe('refused');
});

test('the list has room for five files; uploaded ones make room for others', () => {
  let rows = sendAll(start(chosen('a', 'b', 'c')));
  expect(hasRoom(rows, 2)).toBe(true);
  expect(hasRoom(rows, 3)).toBe(false);
  rows = tell(rows, 1, { state: 'done', said: 'ok' });
  expect(hasRoom(rows, 3)).toBe(true);
  rows = choose(rows, ['d', 'e', 'f'], fine);
  expect(states(rows)).toEqual(['b sending', 'c sending', 'd chosen', 'e chosen', 'f chosen']);
  expect(new Set(rows.map(({ key }) => key)).size).toBe(5);
});
