import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import type { District } from '#features/schools/district-settings/contract.ts';
import { day } from '#shared/calendar-date.ts';
import { commonMessages } from '#shared/common-messages.ts';
import { say } from '#web/i18n/translate.ts';
import { ToastRegion } from '#web/ui/toast-region.tsx';
import { StatementScreen } from './statement.tsx';

const district = {
  districtName: 'Maple Grove',
  today: day('2026-03-04'),
  schoolYearStart: day('2025-07-01'),
} as unknown as District;

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

const statement = {
  person: { id: 9, firstName: 'Maria', lastName: 'Lopez' },
  totalHours: 0,
  verifiedHours: null,
  totalEntries: 0,
  schools: [],
};

function show() {
  render(
    <QueryClientProvider client={new QueryClient()}>
      <StatementScreen district={district} onBack={() => {}} />
      <ToastRegion />
    </QueryClientProvider>,
  );
}

test("the period menu has 'Other days' only if the dates match no preset", () => {
  vi.stubGlobal('fetch', async () => Response.json({ statement }));
  show();
  const period = screen.getByRole<HTMLSelectElement>('combobox', { name: 'Period' });
  const names = () => [...period.options].map(({ text }) => text);
  expect(names()).not.toContain('Other days');
  fireEvent.change(screen.getByLabelText('Start Date'), { target: { value: '2026-01-15' } });
  expect(names()).toContain('Other days');
  expect(period.selectedOptions[0]?.text).toBe('Other days');
});

test('Download PDF shows a message if too many reports are running, and can be pressed again', async () => {
  const busy = say(commonMessages.reportsBusy);
  const posted: string[] = [];
  vi.stubGlobal('fetch', async (url: string, { method }: RequestInit) => {
    if (method !== 'POST') return Response.json({ statement });
    posted.push(url);
    return Response.json({ error: busy }, { status: 429, headers: { 'retry-after': '5' } });
  });
  show();
  const button = screen.getByRole('button', { name: 'Download PDF' });
  fireEvent.click(button);
  expect(button.getAttribute('aria-disabled')).toBe('true');
  expect(await screen.findByText(busy)).toBeTruthy();
  await waitFor(() => expect(button.getAttribute('aria-disabled')).toBe(null));
  expect(posted).toEqual(['/api/reports/statement']);
});

test('the statement explains that no hours are verified if only verified ones are requested', async () => {
  vi.stubGlobal('fetch', async () => Response.json({ statement: { ...statement, verifiedHours: 0 } }));
  show();
  fireEvent.click(await screen.findByRole('button', { name: 'Verified hours only' }));
  expect(await screen.findByText('No hours in this period are verified.')).toBeTruthy();
});
