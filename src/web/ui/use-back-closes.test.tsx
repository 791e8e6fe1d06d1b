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
/** The next step that the browser has made through the history. */
const aStepMade = () =>
  new Promise((resolve) => {
    addEventListener('popstate', resolve, { once: true });
  });

afterEach(async () => {
  cleanup();
  await stepsAre(0);
  closed.length = 0;
});

test('Back closes the topmost window, and one that stays open is closed by the next', async () => {
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

test('a window goes before a part of a screen, and that before a place, whichever came first', async () => {
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

test('a window that follows another is not closed with it, and the history does not grow', async () => {
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

test('a window that closes while the page is being left takes no step, however long the load lasts, until another opens', async () => {
  const { rerender } = render(<Window name="open" />);
  await stepsAre(1);
  vi.useFakeTimers();
  const go = vi.spyOn(history, 'go');
  rerender(<Window name="open" isOpen={false} />);
  await leaveWhenSettled(() => {});
  await vi.advanceTimersByTimeAsync(60_000);
  expect(go).not.toHaveBeenCalled();
  // The page has stayed: the entry that was left over is the one of the next window.
  rerender(<Window name="open" />);
  await vi.advanceTimersByTimeAsync(1);
  expect([go.mock.calls, steps()]).toEqual([[], 1]);
  rerender(<Window name="open" isOpen={false} />);
  await vi.advanceTimersByTimeAsync(100);
  expect(go).toHaveBeenCalledWith(-1);
  go.mockRestore();
  vi.useRealTimers();
});

test('a load that a late step drops is begun again, and no other', async () => {
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
  // A step of the person's own is their wish.
  dispatchEvent(new PopStateEvent('popstate'));
  expect(load).toHaveBeenCalledTimes(2);
  await vi.advanceTimersByTimeAsync(10_000);
  go.mockRestore();
  vi.useRealTimers();
});

test('the page is left once a step through its history is made, which would drop its load', async () => {
  const { rerender } = render(<Window name="open" />);
  await stepsAre(1);
  const stepped = aStepMade().then(() => 'stepped');
  rerender(<Window name="open" isOpen={false} />);
  await new Promise((resolve) => setTimeout(resolve));
  const left = new Promise<string>((resolve) => void leaveWhenSettled(() => resolve(`left at ${steps()}`)));
  expect(await Promise.race([stepped, left])).toBe('stepped');
  expect(await left).toBe('left at 0');
});
