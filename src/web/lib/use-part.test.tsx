import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { cleanup, render, screen } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import { usePartAhead } from './use-part.ts';

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

const load = vi.fn(async () => 'loaded');

function Screen({ isNeeded }: { isNeeded: boolean }) {
  return <p>{usePartAhead('a part', load, isNeeded).data ?? 'nothing yet'}</p>;
}

function show(isNeeded: boolean) {
  const client = new QueryClient();
  const at = (isNow: boolean) => (
    <QueryClientProvider client={client}>
      <Screen isNeeded={isNow} />
    </QueryClientProvider>
  );
  const { rerender } = render(at(isNeeded));
  return { need: () => rerender(at(true)) };
}

it('fetches a part before it is needed', async () => {
  show(false);
  expect(await screen.findByText('loaded')).toBeTruthy();
});

it('fetches nothing ahead where data is to be saved', async () => {
  vi.stubGlobal('navigator', { connection: { saveData: true } });
  load.mockClear();
  const shown = show(false);
  await new Promise((resolve) => setTimeout(resolve));
  expect(load).not.toHaveBeenCalled();
  shown.need();
  expect(await screen.findByText('loaded')).toBeTruthy();
});
