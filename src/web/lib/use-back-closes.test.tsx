import { cleanup, render, waitFor } from '@testing-library/react';
import { afterEach, expect, test } from 'vitest';
import { useBackCloses } from './use-back-closes.ts';

const closed: string[] = [];

function Window({ name, isOpen = true }: { name: string; isOpen?: boolean }) {
  useBackCloses(isOpen, () => closed.push(name));
  return null;
}

const isStepTaken = () => history.state?.isWindowOpen === true;
const rested = () => new Promise((resolve) => setTimeout(resolve, 50));

afterEach(async () => {
  cleanup();
  await waitFor(() => expect(isStepTaken()).toBe(false));
  closed.length = 0;
});

test('Back closes the topmost window, and one that stays open is closed by the next', async () => {
  render(<Window name="below" />);
  render(<Window name="above" />);
  await waitFor(() => expect(isStepTaken()).toBe(true));
  history.back();
  await waitFor(() => expect(closed).toEqual(['above']));
  await waitFor(() => expect(isStepTaken()).toBe(true));
  history.back();
  await waitFor(() => expect(closed).toEqual(['above', 'above']));
});

test('a window that follows another is not closed with it, and the history does not grow', async () => {
  const { rerender } = render(<Window name="first" />);
  await waitFor(() => expect(isStepTaken()).toBe(true));
  const { length } = history;
  rerender(<Window name="first" isOpen={false} />);
  await rested();
  expect(isStepTaken()).toBe(false);
  rerender(<Window name="first" isOpen={false} />);
  rerender(<Window name="first" />);
  await waitFor(() => expect(isStepTaken()).toBe(true));
  rerender(<Window name="first" isOpen={false} />);
  await new Promise((resolve) => setTimeout(resolve));
  render(<Window name="second" />);
  await rested();
  expect(closed).toEqual([]);
  expect(isStepTaken()).toBe(true);
  expect(history.length).toBe(length);
});
