import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { cleanup, render, screen } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { districtQuery } from '../../district-settings/web/api.ts';
import { ownName, TranslatedNames } from './admin-translation-fields.tsx';

vi.mock('#web/i18n/translate.ts', async (original) => ({
  ...(await original<object>()),
  PAGE_LANGUAGE: 'es',
}));

afterEach(cleanup);

function show(row: Parameters<typeof ownName>[0]) {
  const client = new QueryClient({ defaultOptions: { queries: { staleTime: Number.POSITIVE_INFINITY } } });
  client.setQueryData(districtQuery.queryKey, { languages: ['en', 'es'] } as never);
  render(
    <QueryClientProvider client={client}>
      <p>{ownName(row)}</p>
      <TranslatedNames row={row} />
    </QueryClientProvider>,
  );
  return [...document.querySelectorAll('p, span')].map((one) => [one.textContent, one.getAttribute('lang')]);
}

test('a Spanish list shows the Spanish name above the English one', () => {
  const row = { name: 'Harvest Carnival', translations: { es: { name: 'Carnaval de la cosecha' } } };
  expect(show(row)).toEqual([
    ['Carnaval de la cosecha', null],
    ['Harvest Carnival', 'en'],
  ]);
});

test('a row without a Spanish name shows its only name once', () => {
  expect(show({ name: 'Harvest Carnival', translations: null })).toEqual([['Harvest Carnival', null]]);
  expect(screen.getAllByText('Harvest Carnival')).toHaveLength(1);
});
