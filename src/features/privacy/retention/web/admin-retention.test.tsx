import { QueryClientProvider } from '@tanstack/react-query';
import { fireEvent, render, screen, waitFor } from '@testing-library/react';
import { expect, test } from 'vitest';
import { KIND_NAMES, KINDS } from '#features/schools/district-settings/retention-periods.ts';
import { signedIn } from '#test/dom/signed-in.ts';
import { queryClient } from '#web/api/query-client.ts';
import { Retention } from './admin-retention.tsx';

const retention = Object.fromEntries(KIND_NAMES.map((kind) => [kind, KINDS[kind].standard]));
let retentionPending: object | null = {
  values: { entries: 12, sessions: 20 },
  effectiveAt: '2026-03-05T18:00:00.000Z',
};
const answer = () => ({ settings: { retention }, setByServer: [], retentionPending });

const { fetched } = signedIn({
  'GET /api/admin/settings': () => Response.json(answer()),
  'GET /api/admin/retention': () =>
    Response.json({ kinds: KIND_NAMES.map((kind) => ({ kind, lastRunAt: null, lastDeleted: null })) }),
  'DELETE /api/admin/settings/retention-pending': () => {
    retentionPending = null;
    return Response.json({ ...answer(), message: 'Canceled. Data is kept as long as before.' });
  },
});

test('pending shorter periods show when they take effect, and can be canceled', async () => {
  render(
    <QueryClientProvider client={queryClient}>
      <Retention moment={(at) => `the moment ${at}`} />
    </QueryClientProvider>,
  );
  await screen.findByText('Shorter retention starts on the moment 2026-03-05T18:00:00.000Z');
  expect(screen.getByText('Time entries: 12 months')).toBeTruthy();
  expect(screen.getByText('Sign-ins: 20 days')).toBeTruthy();
  fireEvent.click(screen.getByRole('button', { name: 'Cancel the shorter retention' }));
  await waitFor(() => expect(screen.queryByText(/Shorter retention starts/)).toBeNull());
  expect(fetched.mock.calls.some(([, request]) => request?.method === 'DELETE')).toBe(true);
});
