import { cleanup, render, waitFor } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { leaveWhenSettled, useBackCloses } from './use-back-closes.ts';

const closed: string[] = [];

function Window({ name, isOpen = true }: { name: string; isOpen?: boolean }) {
  useBackCloses(isOpen, () => closed.push(name));
  return null;
}

const steps = () => history.state?.depth ?? 0;
const stepsAre = (count: number) => waitFor(() => expect(steps()).toBe(count));
/** Resolves after the browser's next history step. */
const aStepMade = () =>
  new Promise((resolve) => {
    addEventListener('popstate', resolve, { once: true });
  });

afterEach(async () => {
  cleanup();
  await stepsAre(0);
  closed.length = 0;
});

test('Back closes the topmost dialog, and tries again if the dialog stays open', async () => {
  render(<Window name="below" />);
  render(<Window name="above" />);
  await stepsAre(2);
  history.back();
  await waitFor(() => expect(closed).toEqual(['above']));
  await stepsAre(2);
  history.back();
  await waitFor(() => expect(closed).toEqual(['above', 'above']));
});

function Part({ rank }: { rank: 'place' | 'part' | 'window' }) {
  useBackCloses(true, () => closed.push(rank), rank);
  return null;
}

test('Back closes dialogs first, then parts of a screen, then screens', async () => {
  const window = render(<Part rank="window" />);
  const part = render(<Part rank="part" />);
  render(<Part rank="place" />);
  await stepsAre(3);
  history.back();
  await waitFor(() => expect(closed).toEqual(['window']));
  window.unmount();
  await stepsAre(2);
  history.back();
  await waitFor(() => expect(closed).toEqual(['window', 'part']));
  part.unmount();
  await stepsAre(1);
  history.back();
  await waitFor(() => expect(closed).toEqual(['window', 'part', 'place']));
});

test('a dialog that replaces another stays open and adds no history entry', async () => {
  const { rerender } = render(<Window name="first" />);
  await stepsAre(1);
  const { length } = history;
  rerender(<Window name="first" isOpen={false} />);
  await stepsAre(0);
  rerender(<Window name="first" isOpen={false} />);
  rerender(<Window name="first" />);
  await stepsAre(1);
  rerender(<Window name="first" isOpen={false} />);
  const stepped = aStepMade();
  await new Promise((resolve) => setTimeout(resolve));
  render(<Window name="second" />);
  await stepped;
  await stepsAre(1);
  expect(closed).toEqual([]);
  expect(history.length).toBe(length);
});

test('a dialog that closes while the page is being left does not go back in the history', async () => {
  const { rerender } = render(<Window name="open" />);
  await stepsAre(1);
  vi.useFakeTimers();
  const go = vi.spyOn(history, 'go');
  rerender(<Window name="open" isOpen={false} />);
  await leaveWhenSettled(() => {});
  await vi.advanceTimersByTimeAsync(60_000);
  expect(go).not.toHaveBeenCalled();
  // The page has stayed, so the next dialog uses the leftover entry.
  rerender(<Window name="open" />);
  await vi.advanceTimersByTimeAsync(1);
  expect([go.mock.calls, steps()]).toEqual([[], 1]);
  rerender(<Window name="open" isOpen={false} />);
  await vi.advanceTimersByTimeAsync(100);
  expect(go).toHaveBeenCalledWith(-1);
  go.mockRestore();
  vi.useRealTimers();
});

test('a navigation that a late history step canceled is repeated once', async () => {
  const { rerender } = render(<Window name="open" />);
  await stepsAre(1);
  vi.useFakeTimers();
  const go = vi.spyOn(history, 'go').mockImplementation(() => {});
  rerender(<Window name="open" isOpen={false} />);
  await vi.advanceTimersByTimeAsync(1);
  const load = vi.fn();
  const left = leaveWhenSettled(load);
  await vi.advanceTimersByTimeAsync(1_000);
  await left;
  expect(load).toHaveBeenCalledTimes(1);
  history.replaceState(null, '');
  dispatchEvent(new PopStateEvent('popstate'));
  expect(load).toHaveBeenCalledTimes(2);
  // The user's own history step is intended.
  dispatchEvent(new PopStateEvent('popstate'));
  expect(load).toHaveBeenCalledTimes(2);
  await vi.advanceTimersByTimeAsync(10_000);
  go.mockRestore();
  vi.useRealTimers();
});

test('a navigation waits for a pending history step, which would cancel it', async () => {
  const { rerender } = render(<Window name="open" />);
  await stepsAre(1);
  const stepped = aStepMade().then(() => 'stepped');
  rerender(<Window name="open" isOpen={false} />);
  await new Promise((resolve) => setTimeout(resolve));
  const left = new Promise<string>((resolve) => void leaveWhenSettled(() => resolve(`left at ${steps()}`)));
  expect(await Promise.race([stepped, left])).toBe('stepped');
  expect(await left).toBe('left at 0');
});
