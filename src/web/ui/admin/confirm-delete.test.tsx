import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { cleanup, render, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { ConfirmDelete } from './confirm-delete.tsx';

// React Aria looks for elements by it, and jsdom has none.
beforeEach(() => vi.stubGlobal('CSS', { escape: String }));
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

const show = (isKept: boolean) =>
  render(
    <QueryClientProvider client={new QueryClient()}>
      <ConfirmDelete
        title="Delete category"
        question="Are you sure?"
        things="4 activities"
        isKept={isKept}
        onConfirm={async () => undefined}
        onClose={() => undefined}
      />
    </QueryClientProvider>,
  );

test('what cannot be deleted says so before anybody presses Delete', async () => {
  show(true);
  expect(await screen.findByText(/cannot be deleted: it still has 4 activities/)).toBeTruthy();
  expect(screen.queryByRole('button', { name: 'Delete' })).toBeNull();
});

test('what can be deleted is asked about in the words of the specification', async () => {
  show(false);
  expect(await screen.findByText('Are you sure?')).toBeTruthy();
  expect(screen.getByRole('button', { name: 'Delete' })).toBeTruthy();
});
