import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { cleanup, fireEvent, render, screen, waitFor, within } from '@testing-library/react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { Instant } from '#shared/calendar-date.ts';
import { aWaitingEntry, WAITING } from '#test/dom/time-entries.ts';
import { PermissionsContext } from '#web/api/permissions.ts';
import { ToastRegion } from '#web/ui/toast-region.tsx';
import type { QueueEntry } from './admin-verification-groups.ts';
import { VerificationQueue } from './admin-verification-queue.tsx';

const school = { id: 7, name: 'Lincoln Elementary', logoUrl: null };
const ben = { id: 10, firstName: 'Ben', lastName: 'Cho' };
const LIST = 'GET /api/admin/verifications';
const DECIDE = 'POST /api/admin/verifications';

let waiting: QueueEntry[];
let sent: unknown[];
let answers: Record<string, (body: unknown) => { status?: number } & Record<string, unknown>>;

beforeEach(() => {
  waiting = [
    aWaitingEntry(1),
    aWaitingEntry(2, { user: ben }),
    aWaitingEntry(3, { flags: ['longEntry'], hours: 9 }),
  ];
  sent = [];
  answers = {
    [LIST]: () => ({
      entries: waiting,
      nextCursor: null,
      total: waiting.length,
      totalHours: waiting.reduce((sum, { hours }) => sum + hours, 0),
    }),
  };
  vi.stubGlobal('CSS', { escape: (text: string) => text });
  vi.stubGlobal('fetch', async (url: string, request: RequestInit) => {
    const name = `${request.method} ${url.split('?')[0]}`;
    const body = typeof request.body === 'string' ? JSON.parse(request.body) : undefined;
    if (request.method !== 'GET') sent.push(body);
    const found = answers[name]?.(body);
    return new Response(JSON.stringify(found ?? { error: 'Request failed' }), {
      status: found?.status ?? (found ? 200 : 500),
    });
  });
});
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

function show(mayDecide = true) {
  render(
    <QueryClientProvider client={new QueryClient({ defaultOptions: { queries: { retry: false } } })}>
      <PermissionsContext value={() => mayDecide}>
        <VerificationQueue
          school={school}
          timeZone="America/Chicago"
          aside={undefined}
          onBack={() => undefined}
        />
      </PermissionsContext>
      <ToastRegion />
    </QueryClientProvider>,
  );
}

/** Decides as the server does: decided entries leave the list. */
function decides(skipped: { id: number; why: string }[] = []) {
  answers[DECIDE] = (body) => {
    const ids = (body as { entryIds: number[] }).entryIds;
    const left = new Set(skipped.map(({ id }) => id));
    waiting = waiting.filter(({ id }) => !ids.includes(id));
    return { changed: ids.filter((id) => !left.has(id)).length, skipped, batch: 5 };
  };
}

it('the queue verifies a group with one press, without its flagged entries', async () => {
  decides();
  show();
  fireEvent.click(await screen.findByRole('button', { name: 'Verify 2 entries for Book fair, Mar 20' }));
  expect(await screen.findByText('Verified 2 entries.')).toBeTruthy();
  expect(sent).toEqual([{ decision: 'verify', entryIds: [1, 2], versions: [1, 1] }]);
  const rest = await screen.findByRole('button', { name: /^Verify 9 h for Maria Lopez/ });
  await waitFor(() => expect(document.activeElement).toBe(rest));
  expect(screen.getByText('More than 8 h in one entry', { selector: 'p' })).toBeTruthy();
});

it('the queue verifies flagged entries with the others if they are included', async () => {
  decides();
  show();
  fireEvent.click(await screen.findByRole('checkbox', { name: 'Also verify the flagged entry' }));
  fireEvent.click(screen.getByRole('button', { name: /^Verify 3 entries/ }));
  expect(await screen.findByText("No hours are waiting. You're all done.")).toBeTruthy();
  expect(sent).toEqual([{ decision: 'verify', entryIds: [3, 1, 2], versions: [1, 1, 1] }]);
  await waitFor(() =>
    expect(document.activeElement).toBe(screen.getByRole('heading', { name: 'Verify hours' })),
  );
});

it('the queue shows the external verifier and the status of the email', async () => {
  const at = '2026-03-21T03:00:00.000Z' as Instant;
  const asked = { to: 'coach@outside.example', at };
  waiting = [
    aWaitingEntry(1, { asked: { ...asked, state: 'sent' } }),
    aWaitingEntry(2, { user: ben, asked: { ...asked, state: 'sent' } }),
    aWaitingEntry(3, { flags: ['longEntry'], asked: { ...asked, state: 'failed' } }),
    aWaitingEntry(4, { flags: ['longEntry'], asked: { ...asked, at: null, state: 'stopped' } }),
  ];
  show();
  expect(await screen.findAllByText('Asked coach@outside.example on Mar 20')).toHaveLength(1);
  screen.getByText(
    "The email to coach@outside.example on Mar 20 couldn't be delivered. Please verify these hours here",
  );
  screen.getByText('coach@outside.example asked us not to send more emails. Please verify these hours here');
  fireEvent.click(screen.getByRole('button', { name: /^Show each entry/ }));
  expect(screen.getAllByText('Asked coach@outside.example on Mar 20')).toHaveLength(2);
});

it('the queue can verify fewer hours than were logged', async () => {
  decides();
  show();
  fireEvent.click(await screen.findByRole('button', { name: /^Adjust the hours for Maria Lopez/ }));
  const dialog = await screen.findByRole('dialog');
  fireEvent.change(within(dialog).getByLabelText('Hours that count'), { target: { value: '6' } });
  fireEvent.click(within(dialog).getByRole('button', { name: 'Verify 6 h' }));
  await waitFor(() => expect(sent).toEqual([{ decision: 'verify', entryIds: [3], versions: [1], hours: 6 }]));
});

it('the queue requires a reason to decline', async () => {
  decides();
  show();
  fireEvent.click(await screen.findByRole('button', { name: /^Decline 9 h for Maria Lopez/ }));
  const dialog = await screen.findByRole('dialog');
  fireEvent.click(within(dialog).getByRole('button', { name: 'Decline' }));
  await waitFor(() => expect(within(dialog).getByRole('textbox').getAttribute('aria-invalid')).toBe('true'));
  expect(sent).toEqual([]);
  fireEvent.change(within(dialog).getByRole('textbox'), { target: { value: 'The fair ended at noon' } });
  fireEvent.click(within(dialog).getByRole('button', { name: 'Decline' }));
  await waitFor(() =>
    expect(sent).toEqual([
      { decision: 'decline', entryIds: [3], versions: [1], reason: 'The fair ended at noon' },
    ]),
  );
});

it('the queue shows progress if a decision needs more than one request', async () => {
  waiting = Array.from({ length: 620 }, (_, index) => aWaitingEntry(index + 1));
  const all = waiting.length;
  decides();
  const answered = globalThis.fetch;
  const held: (() => void)[] = [];
  vi.stubGlobal('fetch', async (url: string, request: RequestInit) => {
    if (request.method === 'POST') await new Promise<void>((resolve) => held.push(resolve));
    return answered(url, request);
  });
  show();
  fireEvent.click(await screen.findByRole('button', { name: /^Verify 620 entries/ }));
  const bar = await screen.findByRole('progressbar', { name: '0 of 620 decided' });
  expect(bar.getAttribute('aria-valuenow') ?? bar.getAttribute('value')).toBe('0');
  await waitFor(() => expect(held).toHaveLength(1));
  held.shift()?.();
  await screen.findByRole('progressbar', { name: '500 of 620 decided' });
  expect(sent.map((body) => (body as { entryIds: unknown[] }).entryIds.length)).toEqual([500]);
  await waitFor(() => expect(held).toHaveLength(1));
  held.shift()?.();
  expect(await screen.findByText(`Verified ${all} entries.`)).toBeTruthy();
  expect(screen.queryByRole('progressbar')).toBeNull();
});

it('the queue can undo the last decision', async () => {
  decides();
  answers['POST /api/admin/verifications/5/undo'] = () => ({ changed: 2, message: '2 entries wait again' });
  show();
  fireEvent.click(await screen.findByRole('button', { name: /^Verify 2 entries/ }));
  fireEvent.click(await screen.findByRole('button', { name: 'Undo: Verified 2 entries' }));
  expect(await screen.findByText('2 entries wait again')).toBeTruthy();
  expect(screen.queryByRole('button', { name: /^Undo: Verified/ })).toBeNull();
});

it('the queue shows what another verifier has decided meanwhile', async () => {
  decides([{ id: 2, why: 'Ana Diaz verified this entry' }]);
  show();
  fireEvent.click(await screen.findByRole('button', { name: /^Verify 2 entries/ }));
  expect(await screen.findByText('Ana Diaz verified this entry')).toBeTruthy();
  expect(screen.getByText('Verified 1 entry.')).toBeTruthy();
});

it('the queue asks again with the new number if the list changes before all of it is verified', async () => {
  show();
  fireEvent.click(await screen.findByRole('button', { name: 'Verify all 3 shown' }));
  const dialog = await screen.findByRole('alertdialog');
  expect(within(dialog).getByText('1 of them is flagged.')).toBeTruthy();
  answers[DECIDE] = () => {
    waiting = [...waiting, aWaitingEntry(4)];
    return { status: 409, error: 'It is 4 entries now', total: 4 };
  };
  fireEvent.click(within(dialog).getByRole('button', { name: 'Verify all 3' }));
  expect(
    await within(dialog).findByText('The list has changed: 4 entries are waiting now, 13.5 h.'),
  ).toBeTruthy();
  answers[DECIDE] = () => {
    waiting = [];
    return { changed: 4, skipped: [], batch: 6 };
  };
  fireEvent.click(within(dialog).getByRole('button', { name: 'Verify all 4' }));
  expect(await screen.findByText('Verified 4 entries.')).toBeTruthy();
  const filter = { schoolId: 7, status: 'waiting' };
  expect(sent).toEqual([
    { decision: 'verify', filter, expectedTotal: 3, expectedHours: 12 },
    { decision: 'verify', filter, expectedTotal: 4, expectedHours: 13.5 },
  ]);
});

it('the queue shows everything but no actions to users who can only view it', async () => {
  show(false);
  expect(await screen.findByText(/^You can only view this list/)).toBeTruthy();
  expect(await screen.findByText(/Ben Cho 1.5 h/)).toBeTruthy();
  for (const name of [/^Verify/, /^Decline/, /^Adjust/]) {
    expect(screen.queryByRole('button', { name })).toBeNull();
  }
});

it('the queue shows requests to reopen first, with their notes, and reopens the entry', async () => {
  const verified = { ...WAITING, status: 'verified', hours: 1.5, by: 'Ana Diaz' } as const;
  waiting = [
    aWaitingEntry(1, { verification: verified }),
    aWaitingEntry(2, {
      user: ben,
      verification: { ...verified, reopenRequested: true, reopenNote: 'It was 2 h' },
    }),
  ];
  decides();
  show();
  fireEvent.click(await screen.findByRole('button', { name: 'Verified' }));
  const note = await screen.findByText('Asks for a change: It was 2 h');
  const other = screen.getByText(/Maria Lopez/);
  expect(note.compareDocumentPosition(other) & Node.DOCUMENT_POSITION_FOLLOWING).not.toBe(0);
  fireEvent.click(screen.getByRole('button', { name: /^Reopen 1.5 h for Ben Cho/ }));
  await waitFor(() => expect(sent).toEqual([{ decision: 'reopen', entryIds: [2], versions: [1] }]));
});
