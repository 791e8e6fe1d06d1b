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

test('offers Reload in a tab that fails to render, and the others still open', () => {
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

test('lets users close a dialog that fails to render', () => {
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
