import { expect, test } from 'vitest';
import {
  addFiles,
  applyUploadEvent,
  hasRoom,
  isBusy,
  nextToSend,
  queueAll,
  queueRow,
  removeRow,
  type UploadRow,
} from './upload-queue.ts';

const fine = () => undefined;
const chosen = (...names: string[]) => addFiles([], names, fine);
const states = (rows: readonly UploadRow<string>[]) => rows.map(({ file, state }) => `${file} ${state}`);

/** Starts the next rows. */
function sendAll(rows: readonly UploadRow<string>[]): UploadRow<string>[] {
  return nextToSend(rows).reduce<UploadRow<string>[]>(
    (now, { key }) => applyUploadEvent(now, key, { state: 'sending', sent: 0 }),
    [...rows],
  );
}

test('the upload queue sends nothing before Upload is pressed', () => {
  expect(nextToSend(chosen('a', 'b'))).toEqual([]);
  expect(isBusy(chosen('a'))).toBe(false);
});

test('the upload queue sends three files at a time, in order', () => {
  let rows = sendAll(queueAll(chosen('a', 'b', 'c', 'd', 'e')));
  expect(states(rows)).toEqual(['a sending', 'b sending', 'c sending', 'd waiting', 'e waiting']);
  expect(nextToSend(rows)).toEqual([]);
  rows = sendAll(applyUploadEvent(rows, 2, { state: 'done', message: '1 photo uploaded successfully' }));
  expect(states(rows)).toEqual(['a sending', 'b done', 'c sending', 'd sending', 'e waiting']);
});

test('the upload queue continues after a failed file, and retries only that file', () => {
  let rows = sendAll(queueAll(chosen('a', 'b')));
  rows = applyUploadEvent(rows, 1, { state: 'failed', message: 'Network error' });
  rows = applyUploadEvent(rows, 2, { state: 'done', message: 'ok' });
  expect(isBusy(rows)).toBe(false);
  rows = queueRow(rows, 1);
  expect(rows[0]).toMatchObject({ state: 'waiting', sent: 0, message: undefined });
  expect(nextToSend(rows).map(({ file }) => file)).toEqual(['a']);
});

test('the upload queue ignores later events of a canceled file', () => {
  let rows = sendAll(queueAll(chosen('a', 'b', 'c', 'd')));
  rows = removeRow(rows, 1);
  rows = applyUploadEvent(rows, 1, { state: 'done', message: 'ok' });
  expect(states(sendAll(rows))).toEqual(['b sending', 'c sending', 'd sending']);
});

test('the upload queue reports the progress of a file from 0 to 1', () => {
  let rows = sendAll(queueAll(chosen('a')));
  rows = applyUploadEvent(rows, 1, { state: 'sending', sent: 0.4 });
  expect(rows[0]?.sent).toBe(0.4);
  rows = applyUploadEvent(rows, 1, { state: 'done', message: 'ok' });
  expect(rows[0]?.sent).toBe(1);
});

test('the upload queue lists an invalid file with its problem, and never sends it', () => {
  const rows = addFiles([], ['bad', 'good'], (file) => (file === 'bad' ? 'File too large' : undefined));
  expect(states(queueAll(rows))).toEqual(['bad rejected', 'good waiting']);
  expect(rows[0]?.message).toBe('File too large');
  expect(queueRow(rows, 1)[0]?.state).toBe('rejected');
});

test('the upload queue has room for five files, not counting uploaded ones', () => {
  let rows = sendAll(queueAll(chosen('a', 'b', 'c')));
  expect(hasRoom(rows, 2)).toBe(true);
  expect(hasRoom(rows, 3)).toBe(false);
  rows = applyUploadEvent(rows, 1, { state: 'done', message: 'ok' });
  expect(hasRoom(rows, 3)).toBe(true);
  rows = addFiles(rows, ['d', 'e', 'f'], fine);
  expect(states(rows)).toEqual(['b sending', 'c sending', 'd chosen', 'e chosen', 'f chosen']);
  expect(new Set(rows.map(({ key }) => key)).size).toBe(5);
});
