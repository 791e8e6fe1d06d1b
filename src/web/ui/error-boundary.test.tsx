import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { DialogSurface } from './dialog-surface.tsx';
import { Tabs } from './tabs.tsx';

beforeEach(() => {
  vi.spyOn(console, 'error').mockReturnValue();
  vi.stubGlobal('CSS', { escape: String });
});
afterEach(() => {
  cleanup();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

function Broken(): never {
  throw new Error('cannot be drawn');
}

test('a tab that fails to render offers Reload, and the other tabs still open', () => {
  const shown = (selected: 'one' | 'two') => (
    <Tabs
      label="Sections"
      selected={selected}
      onSelect={() => undefined}
      tabs={[
        { key: 'one', title: 'One', content: <Broken /> },
        { key: 'two', title: 'Two', content: 'all is well' },
      ]}
    />
  );
  const { rerender } = render(shown('one'));
  expect(screen.getByRole('alert').textContent).toContain('Something went wrong');
  expect(screen.getByRole('button', { name: 'Reload' })).toBeTruthy();
  rerender(shown('two'));
  expect(screen.getByText('all is well')).toBeTruthy();
});

test('a dialog that fails to render can be closed', () => {
  const close = vi.fn();
  render(
    <DialogSurface title="Settings" isOpen onClose={close}>
      <Broken />
    </DialogSurface>,
  );
  expect(screen.getByRole('button', { name: 'Reload' })).toBeTruthy();
  fireEvent.click(screen.getByRole('button', { name: 'Close' }));
  expect(close).toHaveBeenCalled();
});
