import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { cleanup, render, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { ConfirmDelete } from './confirm-delete.tsx';

// React Aria uses it, and jsdom lacks it.
beforeEach(() => vi.stubGlobal('CSS', { escape: String }));
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

const show = (inUse?: string) =>
  render(
    <QueryClientProvider client={new QueryClient()}>
      <ConfirmDelete
        title="Delete category"
        question="Are you sure?"
        things="4 activities"
        inUse={inUse}
        onConfirm={async () => undefined}
        onClose={() => undefined}
      />
    </QueryClientProvider>,
  );

test('the deletion dialog explains why something cannot be deleted, instead of asking', async () => {
  show('Cannot delete Events: it still has 4 activities.');
  expect(await screen.findByText('Cannot delete Events: it still has 4 activities.')).toBeTruthy();
  expect(screen.queryByText('Are you sure?')).toBeNull();
  expect(screen.queryByRole('button', { name: 'Delete' })).toBeNull();
});

test('the deletion dialog asks the given question', async () => {
  show();
  expect(await screen.findByText('Are you sure?')).toBeTruthy();
  expect(screen.getByRole('button', { name: 'Delete' })).toBeTruthy();
});
