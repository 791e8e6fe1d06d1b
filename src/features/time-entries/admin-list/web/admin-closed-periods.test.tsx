import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { day } from '#shared/calendar-date.ts';
import { aWaitingEntry } from '#test/dom/time-entries.ts';
import { PermissionsContext } from '#web/api/permissions.ts';
import { GroupEntry } from '../../group-entry/web/admin-group-entry.tsx';
import { EditEntryDialog } from '../../web/edit-entry-dialog.tsx';
import { useDeleteListedEntry } from './admin-api.ts';
import { DeleteEntry } from './admin-delete-entry-dialog.tsx';
import { LogForForm } from './admin-log-for-volunteer.tsx';

const school = { id: 7, name: 'Lincoln', logoUrl: null };
const entry = aWaitingEntry(1);
const today = day('2026-03-24');
const CLOSED = "Hours before Apr 1 are closed. Please say why you're changing them.";
const LABEL = /^Why are you changing closed hours\?/;

let sent: Record<string, unknown>[];
/** The school in the reply of the schools' list. */
let terms: { closedBefore: string | null; lateAfterDays: number | null };

beforeEach(() => {
  sent = [];
  terms = { closedBefore: null, lateAfterDays: null };
  vi.stubGlobal('CSS', { escape: (text: string) => text });
  vi.stubGlobal('fetch', async (url: string, request: RequestInit) => {
    const [status, body] = answerTo(url.split('?')[0] ?? '', request);
    return new Response(JSON.stringify(body), { status });
  });
});
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

// The server rejects every change without a reason.
function answerTo(path: string, { method, body }: RequestInit): [number, object] {
  if (method === 'GET') {
    const page = { nextCursor: null, total: 1 };
    if (path.endsWith('/schools')) return [200, { ...page, schools: [{ ...school, ...terms }] }];
    if (path.endsWith('/users'))
      return [
        200,
        {
          ...page,
          users: [
            { id: 9, firstName: 'Maria', lastName: 'Lopez', email: 'm@maple.example', schools: [school] },
          ],
        },
      ];
    if (path.endsWith('/activities')) return [200, { ...page, activities: [entry.activity] }];
    return [200, { ...page, timeEntries: [] }];
  }
  const said = JSON.parse(String(body)) as Record<string, unknown>;
  sent.push(said);
  if (said['reason'] == null) return [400, { error: CLOSED, fields: { reason: CLOSED } }];
  return [200, { message: 'Done', timeEntry: entry }];
}

const FORMS = {
  'an entry logged for somebody': (onClose: () => void) => (
    <LogForForm school={school} today={today} onClose={onClose} />
  ),
  'a roster': (onClose: () => void) => (
    <GroupEntry viewerId={1} school={school} today={today} onPrintSheet={() => undefined} onClose={onClose} />
  ),
  'an entry that is edited': (onClose: () => void) => (
    <EditEntryDialog entry={entry} today={today} onClose={onClose} onReload={() => undefined} />
  ),
  'an entry that is deleted': (onClose: () => void) => <Deletion onClose={onClose} />,
};

function Deletion({ onClose, isClosed = false }: { onClose: () => void; isClosed?: boolean }) {
  const deletion = useDeleteListedEntry();
  return (
    <DeleteEntry
      entry={entry}
      isClosed={isClosed}
      onDelete={async ({ id }, reason) => void (await deletion.mutateAsync({ id, reason }))}
      onClose={onClose}
    />
  );
}

function show(form: React.ReactNode): QueryClient {
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  render(
    <QueryClientProvider client={client}>
      <PermissionsContext value={() => true}>{form}</PermissionsContext>
    </QueryClientProvider>,
  );
  return client;
}

const press = async (name: RegExp) => fireEvent.click(await screen.findByRole('button', { name }));

/** Fills in the other fields of the form, and returns how to send it. */
async function fill(name: keyof typeof FORMS): Promise<() => Promise<unknown>> {
  if (name === 'an entry that is deleted') return () => press(/^Delete$/);
  if (name === 'an entry that is edited') return () => press(/^Save/);
  await screen.findByRole('option', { name: 'Book fair' });
  fireEvent.change(screen.getByLabelText(/^Activity/), { target: { value: '3' } });
  await press(/Maria Lopez/);
  if (name === 'a roster') return () => press(/^Log for 1 volunteer/);
  fireEvent.change(screen.getByLabelText(/^Hours/), { target: { value: '2' } });
  fireEvent.blur(screen.getByLabelText(/^Hours/));
  return () => press(/^Log hours/);
}

describe('the reason field for hours in a closed period', () => {
  it.each(Object.keys(FORMS) as (keyof typeof FORMS)[])(
    'appears when the server requires it, without losing typed values: %s',
    async (name) => {
      const onClose = vi.fn();
      show(FORMS[name](onClose));
      const send = await fill(name);
      expect(screen.queryByLabelText(LABEL)).toBeNull();
      await send();
      const reason = await screen.findByLabelText<HTMLTextAreaElement>(LABEL);
      expect(document.activeElement).toBe(reason);
      expect(screen.getAllByText(CLOSED).length).toBeGreaterThan(0);
      fireEvent.change(reason, { target: { value: 'Found on paper' } });
      expect(screen.getByLabelText<HTMLTextAreaElement>(LABEL).value).toBe('Found on paper');
      await waitFor(() => expect(sent).toHaveLength(1));
      await send();
      await waitFor(() => expect(onClose).toHaveBeenCalledOnce());
      const { reason: _, ...rest } = sent[0] ?? {};
      expect(sent[1]).toEqual({ ...rest, reason: 'Found on paper' });
    },
  );

  it.each([
    ['closed', { closedBefore: '2026-03-25', lateAfterDays: null }, true],
    ['open', { closedBefore: '2026-03-24', lateAfterDays: 1 }, false],
  ] as const)('appears immediately only if the day is known to be closed: %s', async (_, given, isShown) => {
    terms = given;
    show(
      <GroupEntry
        viewerId={1}
        school={school}
        today={today}
        onPrintSheet={() => undefined}
        onClose={() => undefined}
      />,
    );
    await screen.findByRole('option', { name: 'Book fair' });
    if (isShown) expect(await screen.findByLabelText(LABEL)).toBeTruthy();
    else expect(screen.queryByLabelText(LABEL)).toBeNull();
  });

  it('appears immediately when an entry on a closed day is edited or deleted', async () => {
    const never = () => undefined;
    const isClosed = (date: string | null) => date === entry.entryDate;
    show(<EditEntryDialog {...{ entry, today, isClosed }} onClose={never} onReload={never} />);
    await screen.findByLabelText(LABEL);
    cleanup();
    show(<Deletion onClose={never} isClosed />);
    await screen.findByLabelText(LABEL);
  });
});

it.each(Object.keys(FORMS) as (keyof typeof FORMS)[])(
  'a rejected change is a failed mutation, which makes the panel check for changed roles: %s',
  async (name) => {
    const mutations = show(FORMS[name](() => undefined)).getMutationCache();
    await (await fill(name))();
    await waitFor(() => expect(mutations.getAll().map(({ state }) => state.status)).toEqual(['error']));
  },
);
