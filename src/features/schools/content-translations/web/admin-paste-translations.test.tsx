import { QueryClientProvider } from '@tanstack/react-query';
import { fireEvent, render, screen, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { signedIn } from '#test/dom/signed-in.ts';
import { queryClient } from '#web/api/query-client.ts';
import type { NameRow } from '../contract.ts';
import { PasteTranslations } from './admin-paste-translations.tsx';

signedIn({});

const outcomes: readonly Partial<NameRow>[] = [
  { name: 'Book Fair', outcome: 'new', records: 1 },
  { name: 'Carnival', outcome: 'changed', records: 3, before: 'Fiesta' },
  { name: 'Garden', outcome: 'same', records: 0 },
  { name: 'Libary', outcome: 'unknown', records: 0 },
  { name: 'Reading', outcome: 'problem', records: 0, note: 'Enter a translation' },
];

test('the preview shows the change of each name, with problems first', async () => {
  const rows = outcomes.map((row, at) => ({
    row: at + 1,
    translation: 'x',
    before: null,
    note: null,
    ...row,
  }));
  const list = {
    kind: 'activities',
    schoolId: undefined,
    nameHead: 'Activity',
    missing: async () => ({ names: [], total: 0 }),
    send: async () => ({ rows: rows as NameRow[] }),
  } as const;
  render(
    <QueryClientProvider client={queryClient}>
      <PasteTranslations list={list} language="es" onClose={() => undefined} />
    </QueryClientProvider>,
  );
  fireEvent.change(screen.getByLabelText('List of names'), { target: { value: 'Book Fair\tFeria' } });
  fireEvent.click(screen.getByRole('button', { name: 'Check the list' }));
  const table = await screen.findByRole('table');
  const cells = within(table)
    .getAllByRole('row')
    .slice(1)
    .map((row) => [...row.children].map((cell) => cell.textContent));
  expect(cells.map((row) => [row[0], row.at(-1)])).toEqual([
    ['Libary', 'No record has this name'],
    ['Reading', 'Enter a translation'],
    ['Book Fair', 'New'],
    ['Carnival', 'Replaces “Fiesta” · 3 records'],
    ['Garden', 'No change'],
  ]);
});
