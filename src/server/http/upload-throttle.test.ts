import { expect, test } from 'vitest';
import { uploadSlot } from './multipart.ts';

test('uploads start one at a time, in order of arrival, with other requests served in between', async () => {
  const heard: string[] = [];
  let isOver = false;
  const hear = () => {
    if (heard.at(-1) !== 'requests') heard.push('requests');
    if (!isOver) setImmediate(hear);
  };
  const pieces = ['first', 'second', 'third'].map(async (piece) => {
    await uploadSlot();
    heard.push(piece);
  });
  setImmediate(hear);
  await Promise.all(pieces);
  isOver = true;
  expect(heard).toEqual(['first', 'requests', 'second', 'requests', 'third']);
});

test('an upload starts immediately if no other is waiting', async () => {
  let hasCome = false;
  const mine = uploadSlot();
  setImmediate(() => {
    hasCome = true;
  });
  await mine;
  expect(hasCome).toBe(false);
});

test('uploads of several chunks take turns, so none waits for all of another', async () => {
  const heard: string[] = [];
  const upload = async (name: string) => {
    for (let chunk = 1; chunk <= 3; chunk++) {
      await uploadSlot();
      heard.push(`${name} ${chunk}`);
    }
  };
  await Promise.all([upload('one'), upload('two')]);
  expect(heard).toEqual(['one 1', 'two 1', 'one 2', 'two 2', 'one 3', 'two 3']);
});
