import { act, cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { ToastRegion } from './toast-region.tsx';
import { notify } from './toasts.ts';

beforeEach(() => {
  vi.useFakeTimers();
  render(<ToastRegion />);
});
afterEach(() => {
  act(() => notify.closeAll());
  cleanup();
  vi.useRealTimers();
});

function say(tell: () => void) {
  act(tell);
}

function wait(milliseconds: number) {
  act(() => vi.advanceTimersByTime(milliseconds));
}

function moveOnto(region: HTMLElement) {
  fireEvent.pointerEnter(region, { screenX: 5, screenY: 5 });
  fireEvent.pointerMove(region, { screenX: 6, screenY: 5 });
}

test('both live regions are there before anything is said', () => {
  expect(screen.getByRole('status')).toBeDefined();
  expect(screen.getByRole('alert')).toBeDefined();
});

test('a success goes after 3 seconds', () => {
  say(() => notify.success('Saved'));
  expect(screen.getByRole('status').textContent).toContain('Saved');
  wait(2_999);
  expect(screen.queryByText('Saved')).not.toBeNull();
  wait(1);
  expect(screen.queryByText('Saved')).toBeNull();
});

test('a failure is an alert and stays', () => {
  say(() => notify.failure('Failed'));
  expect(screen.getByRole('alert').textContent).toContain('Failed');
  wait(60_000);
  expect(screen.queryByText('Failed')).not.toBeNull();
});

test('the pointer stops the clock, and leaving lets the rest of the time run', () => {
  say(() => notify.success('Saved'));
  wait(2_000);
  const region = screen.getByRole('region');
  moveOnto(region);
  wait(60_000);
  expect(screen.queryByText('Saved')).not.toBeNull();
  fireEvent.pointerLeave(region);
  wait(999);
  expect(screen.queryByText('Saved')).not.toBeNull();
  wait(1);
  expect(screen.queryByText('Saved')).toBeNull();
});

test('a pointer that rests where the notice appears does not stop the clock', () => {
  say(() => notify.success('Saved'));
  const region = screen.getByRole('region');
  fireEvent.pointerEnter(region, { screenX: 5, screenY: 5 });
  fireEvent.pointerMove(region, { screenX: 5, screenY: 5 });
  wait(3_000);
  expect(screen.queryByText('Saved')).toBeNull();
});

test('the focus stops the clock too', () => {
  say(() => notify.success('Saved'));
  fireEvent.focus(screen.getByRole('button', { name: 'Close' }));
  wait(60_000);
  expect(screen.queryByText('Saved')).not.toBeNull();
});

test('a notice that is closed under the pointer does not stop the next one', () => {
  say(() => notify.success('Saved'));
  moveOnto(screen.getByRole('region'));
  fireEvent.click(screen.getByRole('button', { name: 'Close' }));
  say(() => notify.success('Saved again'));
  wait(3_000);
  expect(screen.queryByText('Saved again')).toBeNull();
});

test('Undo does it once and takes the notice away', () => {
  const undo = vi.fn();
  say(() => notify.success('Deleted', { undo }));
  fireEvent.click(screen.getByRole('button', { name: 'Undo' }));
  expect(undo).toHaveBeenCalledTimes(1);
  expect(screen.queryByText('Deleted')).toBeNull();
});

test('of four successes the oldest gives way', () => {
  say(() => {
    for (const text of ['one', 'two', 'three', 'four']) notify.success(text);
  });
  expect(screen.queryByText('one')).toBeNull();
  expect(screen.queryByText('four')).not.toBeNull();
});

test('what a notice offered to undo can be undone by a key when the notice has gone, once', () => {
  const undo = vi.fn();
  say(() => notify.success('Logged', { undo }));
  wait(60_000);
  expect(screen.queryByText('Logged')).toBeNull();
  act(() => notify.undoLast());
  act(() => notify.undoLast());
  expect(undo).toHaveBeenCalledTimes(1);
});

test('what was undone in its notice is not undone again by the key', () => {
  const undo = vi.fn();
  say(() => notify.success('Logged', { undo }));
  fireEvent.click(screen.getByRole('button', { name: 'Undo' }));
  act(() => notify.undoLast());
  expect(undo).toHaveBeenCalledTimes(1);
});

test('ten minutes later the key undoes nothing', () => {
  const undo = vi.fn();
  say(() => notify.success('Logged', { undo }));
  wait(600_001);
  act(() => notify.undoLast());
  expect(undo).not.toHaveBeenCalled();
});
