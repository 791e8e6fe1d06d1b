import { expect, test } from 'vitest';
import { uploadSlot } from './multipart.ts';

test('starts uploads one at a time, in order of arrival, and serves other requests in between', async () => {
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

test('continues an upload before later ones start', async () => {
  let hasCome = false;
  const mine = uploadSlot();
  setImmediate(() => {
    hasCome = true;
  });
  await mine;
  expect(hasCome).toBe(false);
});
