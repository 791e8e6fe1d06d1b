import { expect, test } from 'vitest';
import { turn } from './upload-turns.ts';

test('of all who wait for a turn one goes on at a time, in the order they came, and requests are heard between', async () => {
  const heard: string[] = [];
  let isOver = false;
  const hear = () => {
    if (heard.at(-1) !== 'requests') heard.push('requests');
    if (!isOver) setImmediate(hear);
  };
  const pieces = ['first', 'second', 'third'].map(async (piece) => {
    await turn();
    heard.push(piece);
  });
  setImmediate(hear);
  await Promise.all(pieces);
  isOver = true;
  expect(heard).toEqual(['first', 'requests', 'second', 'requests', 'third']);
});

test('who waits alone goes on before what comes later', async () => {
  let hasCome = false;
  const mine = turn();
  setImmediate(() => {
    hasCome = true;
  });
  await mine;
  expect(hasCome).toBe(false);
});
