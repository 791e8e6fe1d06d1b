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

test('the toast region renders both live regions before the first notice', () => {
  expect(screen.getByRole('status')).toBeDefined();
  expect(screen.getByRole('alert')).toBeDefined();
});

test('a success notice closes after 3 seconds', () => {
  say(() => notify.success('Saved'));
  expect(screen.getByRole('status').textContent).toContain('Saved');
  wait(2_999);
  expect(screen.queryByText('Saved')).not.toBeNull();
  wait(1);
  expect(screen.queryByText('Saved')).toBeNull();
});

test('an error notice is an alert and stays open', () => {
  say(() => notify.failure('Failed'));
  expect(screen.getByRole('alert').textContent).toContain('Failed');
  wait(60_000);
  expect(screen.queryByText('Failed')).not.toBeNull();
});

test('the timer of a notice pauses while the pointer is over the notice', () => {
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

test('the timer of a notice does not pause for a pointer that has not moved', () => {
  say(() => notify.success('Saved'));
  const region = screen.getByRole('region');
  fireEvent.pointerEnter(region, { screenX: 5, screenY: 5 });
  fireEvent.pointerMove(region, { screenX: 5, screenY: 5 });
  wait(3_000);
  expect(screen.queryByText('Saved')).toBeNull();
});

test('the timer of a notice pauses while the notice has the focus', () => {
  say(() => notify.success('Saved'));
  fireEvent.focus(screen.getByRole('button', { name: 'Close' }));
  wait(60_000);
  expect(screen.queryByText('Saved')).not.toBeNull();
});

test('a notice closed under the pointer does not pause the next one', () => {
  say(() => notify.success('Saved'));
  moveOnto(screen.getByRole('region'));
  fireEvent.click(screen.getByRole('button', { name: 'Close' }));
  say(() => notify.success('Saved again'));
  wait(3_000);
  expect(screen.queryByText('Saved again')).toBeNull();
});

test('Undo runs once and closes the notice', () => {
  const undo = vi.fn();
  say(() => notify.success('Deleted', { undo }));
  fireEvent.click(screen.getByRole('button', { name: 'Undo' }));
  expect(undo).toHaveBeenCalledTimes(1);
  expect(screen.queryByText('Deleted')).toBeNull();
});

test('the oldest of four success notices closes', () => {
  say(() => {
    for (const text of ['one', 'two', 'three', 'four']) notify.success(text);
  });
  expect(screen.queryByText('one')).toBeNull();
  expect(screen.queryByText('four')).not.toBeNull();
});

test('the undo key undoes the action once, even after its notice has closed', () => {
  const undo = vi.fn();
  say(() => notify.success('Logged', { undo }));
  wait(60_000);
  expect(screen.queryByText('Logged')).toBeNull();
  act(() => notify.undoLast());
  act(() => notify.undoLast());
  expect(undo).toHaveBeenCalledTimes(1);
});

test('the undo key does not repeat an undo from the notice', () => {
  const undo = vi.fn();
  say(() => notify.success('Logged', { undo }));
  fireEvent.click(screen.getByRole('button', { name: 'Undo' }));
  act(() => notify.undoLast());
  expect(undo).toHaveBeenCalledTimes(1);
});

test('the undo key does nothing after ten minutes', () => {
  const undo = vi.fn();
  say(() => notify.success('Logged', { undo }));
  wait(600_001);
  act(() => notify.undoLast());
  expect(undo).not.toHaveBeenCalled();
});
