import { QueryClientProvider } from '@tanstack/react-query';
import { fireEvent, render, screen, within } from '@testing-library/react';
import { beforeEach, expect, test, vi } from 'vitest';
import { cedarValley, signedIn } from '#test/dom/signed-in.ts';
import { queryClient } from '#web/api/query-client.ts';
import type { School } from '../admin-contract.ts';
import { districtQuery } from '../district-settings/web/api.ts';
import { LetterTemplateDialog } from './admin-service-letter-template.tsx';

signedIn({});
// React Aria uses it, and jsdom lacks it.
beforeEach(() => vi.stubGlobal('CSS', { escape: String }));

test('the preview shows the custom text, or the standard text while it is incomplete', async () => {
  queryClient.setQueryData(districtQuery.queryKey, cedarValley as never);
  const school = { id: 1, name: 'Lincoln', letter: null } as unknown as School;
  render(
    <QueryClientProvider client={queryClient}>
      <LetterTemplateDialog school={school} onSaved={() => undefined} onClose={() => undefined} />
    </QueryClientProvider>,
  );
  const preview = await screen.findByRole('region', { name: 'Preview' });
  const write = (wording: string) =>
    fireEvent.change(screen.getByLabelText('Wording'), { target: { value: wording } });
  expect(within(preview).getByText('The standard wording.')).toBeDefined();
  write('Thanks to {name} for {hours}.');
  expect(within(preview).getByText('Thanks to Maria Lopez for 41.5 hours.')).toBeDefined();
  write('Thanks to {name} for {huors}.');
  expect(within(preview).getByText('The standard wording.')).toBeDefined();
});
