import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { cleanup, fireEvent, render, screen, waitFor, within } from '@testing-library/react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { addDays, day } from '#shared/calendar-date.ts';
import { commonMessages } from '#shared/common-messages.ts';
import { anEntry as anyEntry } from '#test/dom/time-entries.ts';
import { say } from '#web/i18n/translate.ts';
import type { TimeEntry } from '../contract.ts';
import * as ownVerification from './own-verification-status.tsx';
import { RecentEntries, type RecentEntriesProps } from './recent-activity.tsx';

const CLOSED = 'Hours before Mar 9 are closed. Ask Lincoln Elementary.';
const school = { id: 7, name: 'Lincoln Elementary', logoUrl: null };
const maria = { id: 9, firstName: 'Maria', lastName: 'Lopez', role: 'user' } as const;

const anEntry = (id: number, given: Partial<TimeEntry> = {}) =>
  anyEntry(id, { entryDate: day('2026-03-10'), ...given });

let answers: Record<string, () => unknown>;
const onLogFirst = vi.fn();
const onLogAgain = vi.fn();

beforeEach(() => {
  answers = {};
  // The dialogs use CSS.escape, which jsdom lacks.
  vi.stubGlobal('CSS', { escape: (text: string) => text });
  vi.stubGlobal('fetch', async (url: string, request: RequestInit) => {
    const found = answers[`${request.method} ${url}`]?.() as { status?: number } | undefined;
    return new Response(JSON.stringify(found ?? { error: 'Request failed' }), {
      status: found?.status ?? (found ? 200 : 500),
    });
  });
});
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

const LIST = 'GET /api/time-entries?limit=20&schoolId=7';

function show(
  entries: readonly TimeEntry[] | undefined,
  user: RecentEntriesProps['user'] = maria,
  nextCursor: string | null = null,
  verification?: typeof ownVerification,
) {
  answers = { ...answers, [LIST]: () => entries && { timeEntries: entries, nextCursor } };
  render(
    <QueryClientProvider client={new QueryClient({ defaultOptions: { queries: { retry: false } } })}>
      <RecentEntries
        user={user}
        school={school}
        today={day('2026-03-10')}
        timeZone="UTC"
        onLogFirst={onLogFirst}
        onLogAgain={onLogAgain}
        verification={verification}
      />
    </QueryClientProvider>,
  );
}

it("entries are grouped by day with the day's hours", async () => {
  show([
    anEntry(4),
    anEntry(3, { hours: 2 }),
    anEntry(2, { entryDate: day('2026-03-09') }),
    anEntry(1, { entryDate: day('2026-03-01') }),
  ]);
  expect(await screen.findByRole('heading', { name: 'Today · 3.5 h' })).toBeTruthy();
  expect(screen.getByRole('heading', { name: 'Yesterday · 1.5 h' })).toBeTruthy();
  expect(screen.getByRole('heading', { name: 'Sunday, March 1 · 1.5 h' })).toBeTruthy();
});

it('the first twenty entries are rendered without scrolling', async () => {
  show(
    Array.from({ length: 20 }, (_, at) => anEntry(20 - at, { entryDate: addDays(day('2026-03-10'), -at) })),
  );
  expect(await screen.findAllByRole('button', { name: /^Edit Book fair/ })).toHaveLength(20);
});

it('an entry has only permitted actions, which are labeled with the entry', async () => {
  show([anEntry(2), anEntry(1, { canEdit: false, canDelete: false, entryDate: day('2026-03-09') })]);
  expect(await screen.findByRole('button', { name: 'Edit Book fair, 1.5 h, Mar 10' })).toBeTruthy();
  expect(screen.getByRole('button', { name: 'Delete Book fair, 1.5 h, Mar 10' })).toBeTruthy();
  expect(screen.queryByRole('button', { name: /Mar 9/ })).toBeNull();
});

it("volunteers' names are visible only to administrators", async () => {
  const rows = async () => within((await screen.findAllByRole('list'))[0] ?? document.body);
  show([anEntry(1)]);
  expect((await rows()).queryByText('Maria Lopez')).toBeNull();
  cleanup();
  show([anEntry(1)], { ...maria, role: 'admin' });
  expect((await rows()).getByText('Maria Lopez')).toBeTruthy();
});

const stateOf = (status: 'waiting' | 'verified') => ({
  verification: {
    status,
    hours: 0,
    by: null,
    at: null,
    note: null,
    reopenRequested: false,
    reopenNote: null,
  },
});

it('the status filter is visible only if statuses differ, and explains them on request', async () => {
  show([anEntry(2, stateOf('waiting')), anEntry(1, stateOf('waiting'))], maria, null, ownVerification);
  expect(await screen.findAllByRole('button', { name: /^Edit / })).toHaveLength(2);
  expect(screen.queryByRole('group', { name: 'Status of the hours' })).toBeNull();
  cleanup();
  show([anEntry(2, stateOf('waiting')), anEntry(1, stateOf('verified'))], maria, null, ownVerification);
  expect(await screen.findByRole('group', { name: 'Status of the hours' })).toBeTruthy();
  expect(screen.queryByText(/^Waiting: the school hasn't checked/)).toBeNull();
  fireEvent.click(screen.getByRole('button', { name: 'What these mean' }));
  expect(screen.getByText(/^Waiting: the school hasn't checked/)).toBeTruthy();
});

it('an empty list links to Log Time', async () => {
  show([]);
  expect(await screen.findByText('No hours yet.')).toBeTruthy();
  fireEvent.click(screen.getByRole('button', { name: 'Log your first hours' }));
  expect(onLogFirst).toHaveBeenCalledOnce();
});

it('a list that fails to load shows an error and can be loaded again', async () => {
  show(undefined);
  expect(await screen.findByText('Failed to load recent entries')).toBeTruthy();
  answers[LIST] = () => ({ timeEntries: [anEntry(1)], nextCursor: null });
  fireEvent.click(screen.getByRole('button', { name: 'Try again' }));
  expect(await screen.findByRole('heading', { name: 'Today · 1.5 h' })).toBeTruthy();
});

it('deleting an entry asks first, and Undo in its row restores it', async () => {
  show([anEntry(2, { hours: 2 }), anEntry(1)]);
  fireEvent.click(await screen.findByRole('button', { name: 'Delete Book fair, 2 h, Mar 10' }));
  const question = await screen.findByRole('alertdialog');
  expect(within(question).getByText('Are you sure you want to delete this time entry?')).toBeTruthy();

  answers['DELETE /api/time-entries/2'] = () => ({ message: 'Time entry deleted successfully' });
  answers[LIST] = () => ({ timeEntries: [anEntry(1)], nextCursor: null });
  fireEvent.click(within(question).getByRole('button', { name: 'Delete' }));
  const undo = await screen.findByRole('button', { name: /^Undo: restore Book fair, 2 h/ });
  expect(screen.getByText('Deleted.')).toBeTruthy();
  await waitFor(() => expect(screen.getByRole('heading', { name: 'Today · 1.5 h' })).toBeTruthy());

  answers['POST /api/time-entries/2/restore'] = () => ({
    timeEntry: anEntry(2, { hours: 2 }),
    message: 'Time entry restored',
  });
  answers[LIST] = () => ({ timeEntries: [anEntry(2, { hours: 2 }), anEntry(1)], nextCursor: null });
  fireEvent.click(undo);
  await waitFor(() => expect(screen.getByRole('heading', { name: 'Today · 3.5 h' })).toBeTruthy());
  expect(screen.queryByText('Deleted.')).toBeNull();
});

it("the dialog shows the server's error when deleting fails", async () => {
  show([anEntry(1)]);
  fireEvent.click(await screen.findByRole('button', { name: /^Delete Book fair/ }));
  const question = await screen.findByRole('alertdialog');
  fireEvent.click(within(question).getByRole('button', { name: 'Delete' }));
  expect(await within(question).findByText('Request failed')).toBeTruthy();
});

it.each([
  ['saving', /^Edit Book fair/, 'dialog', 'Save changes'],
  ['deleting', /^Delete Book fair/, 'alertdialog', 'Delete'],
])('an entry that another user deleted disappears when %s it fails', async (_, name, role, button) => {
  let entries = [anEntry(1), anEntry(2, { hours: 4 })];
  show(entries);
  answers[LIST] = () => ({ timeEntries: entries, nextCursor: null });
  vi.stubGlobal('fetch', async (url: string, request: RequestInit) => {
    if (request.method === 'GET') return Response.json(answers[`GET ${url}`]?.() ?? { activities: [] });
    return Response.json({ error: 'Time entry not found' }, { status: 404 });
  });
  fireEvent.click((await screen.findAllByRole('button', { name }))[0] ?? document.body);
  const dialog = await screen.findByRole(role);
  entries = [anEntry(1)];
  fireEvent.click(within(dialog).getByRole('button', { name: button }));
  expect(await within(dialog).findByText('Time entry not found')).toBeTruthy();
  await waitFor(() => expect(screen.queryByText('4 h')).toBeNull());
});

it('the printed list is a table with school, person, period and total', async () => {
  show([anEntry(2, { hours: 2 }), anEntry(1, { entryDate: day('2026-03-01') })]);
  expect(screen.queryByRole('table', { hidden: true })).toBeNull();
  fireEvent(window, new Event('beforeprint'));
  const table = await screen.findByRole('table', { hidden: true });
  expect(within(table).getAllByRole('row', { hidden: true })).toHaveLength(1 + 2 + 1);
  expect(screen.getByText('Lincoln Elementary')).toBeTruthy();
  expect(screen.getByText('Maria Lopez')).toBeTruthy();
  expect(screen.getByText('Mar 1, 2026 to Mar 10, 2026')).toBeTruthy();
  expect(screen.getByText('3.5 h')).toBeTruthy();
});

it('printing ignores the filters of the screen', async () => {
  const club = { ...anEntry(1).activity, id: 99, name: 'Garden club' };
  show([anEntry(2, { hours: 2 }), anEntry(1, { activityId: 99, activity: club })]);
  fireEvent.change(await screen.findByLabelText('Activity'), { target: { value: '99' } });
  fireEvent(window, new Event('beforeprint'));
  const paper = within(await screen.findByRole('table', { hidden: true }));
  expect(paper.getByText('Book fair')).toBeTruthy();
  expect(screen.getByText('3.5 h')).toBeTruthy();
});

it('printing loads all pages of the list first', async () => {
  const print = vi.fn(() => fireEvent(window, new Event('beforeprint')));
  vi.stubGlobal('print', print);
  const older = Array.from({ length: 3 }, (_, at) =>
    anEntry(at + 1, { entryDate: day('2026-01-05'), hours: 2 }),
  );
  show([]);
  cleanup();
  answers = {
    [LIST]: () => ({ timeEntries: [anEntry(9)], nextCursor: 'more' }),
    [`${LIST}&cursor=more`]: () => ({ timeEntries: older, nextCursor: null }),
  };
  render(
    <QueryClientProvider client={new QueryClient()}>
      <RecentEntries
        user={maria}
        school={school}
        today={day('2026-03-10')}
        timeZone="UTC"
        onLogFirst={onLogFirst}
      />
    </QueryClientProvider>,
  );
  await screen.findByRole('button', { name: 'Print' });
  fireEvent.click(screen.getByRole('button', { name: 'Print' }));
  await waitFor(() => expect(print).toHaveBeenCalledOnce());
  const paper = within(screen.getByRole('table', { hidden: true }));
  expect(paper.getAllByRole('row', { hidden: true })).toHaveLength(1 + 4 + 1);
  expect(screen.getByText('7.5 h')).toBeTruthy();
  expect(screen.getByText('Jan 5, 2026 to Mar 10, 2026')).toBeTruthy();
  expect(screen.queryByText(/of more/)).toBeNull();
});

it('the edit dialog offers to load the current entry if another user has changed it', async () => {
  show([anEntry(1)]);
  fireEvent.click(await screen.findByRole('button', { name: /^Edit/ }));
  const dialog = within(await screen.findByRole('dialog'));
  answers = {
    [LIST]: () => ({ timeEntries: [anEntry(1, { hours: 4, version: 2 })], nextCursor: null }),
    'GET /api/activities?schoolId=7': () => ({ activities: [] }),
    'PUT /api/time-entries/1': () => ({ status: 409, error: say(commonMessages.changedElsewhere) }),
  };
  fireEvent.click(dialog.getByRole('button', { name: 'Save changes' }));
  fireEvent.click(await dialog.findByRole('button', { name: 'Reload' }));
  await waitFor(() => expect(dialog.getByLabelText<HTMLInputElement>('Hours').value).toBe('4'));
  expect(dialog.queryByRole('button', { name: 'Reload' })).toBeNull();
});

it('closed days show whom to ask, and their entries have no actions', async () => {
  const closed = [{ schoolId: 7, before: '2026-03-09', message: CLOSED }];
  answers['GET /api/activities?schoolId=7'] = () => ({ activities: [], closed });
  show([
    anEntry(3, { entryDate: day('2026-03-09') }),
    anEntry(2, { entryDate: day('2026-03-08') }),
    anEntry(1, { entryDate: day('2026-03-07'), canEdit: false, canDelete: false }),
  ]);
  expect(await screen.findAllByText(CLOSED)).toHaveLength(1);
  const dates = screen.getAllByRole('button', { name: /^(Edit|Delete) / }).map((one) => one.ariaLabel ?? '');
  expect(dates).toHaveLength(2);
  expect(dates.every((name) => name.includes('Mar 9'))).toBe(true);
});

it('an entry cannot be moved to a closed day', async () => {
  const closed = [{ schoolId: 7, before: '2026-03-09', message: CLOSED }];
  answers['GET /api/activities?schoolId=7'] = () => ({ activities: [], closed });
  show([anEntry(3)]);
  fireEvent.click(await screen.findByRole('button', { name: /^Edit / }));
  const dialog = await screen.findByRole('dialog');
  fireEvent.change(within(dialog).getByLabelText('Date'), { target: { value: '2026-03-08' } });
  fireEvent.click(within(dialog).getByRole('button', { name: 'Save changes' }));
  expect(await within(dialog).findByText(CLOSED)).toBeTruthy();
});

it('the list can be filtered by activity, and an entry can be logged again', async () => {
  const club = { ...anEntry(1).activity, id: 99, name: 'Garden club' };
  show([
    anEntry(3),
    anEntry(2, { activityId: 99, activity: club, hours: 2, entryDate: day('2026-03-02') }),
    anEntry(1, { hours: 4, entryDate: day('2026-02-28') }),
  ]);
  await screen.findByRole('button', { name: /^Edit Garden club/ });
  fireEvent.change(screen.getByLabelText('Activity'), { target: { value: '99' } });
  expect(screen.queryByRole('button', { name: /^Edit Book fair/ })).toBeNull();
  fireEvent.click(screen.getByRole('button', { name: 'Log again: Garden club' }));
  expect(onLogAgain.mock.lastCall?.[0]).toMatchObject({ id: 2, activityId: 99 });
});

it('the calendar shows the hours of each day of a month, and the entries of a tapped day', async () => {
  show([anEntry(3, { hours: 2 }), anEntry(2), anEntry(1, { entryDate: day('2026-02-17'), hours: 4 })]);
  fireEvent.click(await screen.findByRole('button', { name: 'Calendar' }));
  await screen.findByRole('grid', { name: 'March 2026' });
  expect(screen.getByText('3.5 h this month')).toBeTruthy();
  expect(screen.getByRole('button', { name: 'Monday, March 9, no hours' }).textContent).toContain('9');
  fireEvent.click(screen.getByRole('button', { name: 'Tuesday, March 10, 3.5 h' }));
  expect(screen.getAllByRole('heading', { level: 3, name: / h$/ }).map((one) => one.textContent)).toEqual([
    'Today · 3.5 h',
  ]);
  fireEvent.click(screen.getByRole('button', { name: 'Monday, March 9, no hours' }));
  expect(screen.getByText('No hours on this day.')).toBeTruthy();
  fireEvent.click(screen.getByRole('button', { name: 'Previous month' }));
  expect(screen.getByRole('button', { name: 'Tuesday, February 17, 4 h' })).toBeTruthy();
  expect(screen.getByText('4 h this month')).toBeTruthy();
  expect(screen.getAllByRole('heading', { level: 3, name: / h$/ })).toHaveLength(2);
});

it('the calendar loads more entries when it moves to an earlier month', async () => {
  answers[`${LIST}&cursor=next`] = () => ({
    timeEntries: [anEntry(1, { entryDate: day('2026-02-17'), hours: 4 })],
    nextCursor: null,
  });
  show([anEntry(2)], maria, 'next');
  fireEvent.click(await screen.findByRole('button', { name: 'Calendar' }));
  await screen.findByRole('grid', { name: 'March 2026' });
  fireEvent.click(screen.getByRole('button', { name: 'Previous month' }));
  expect(await screen.findByRole('button', { name: 'Tuesday, February 17, 4 h' })).toBeTruthy();
  expect(screen.getByText('4 h this month')).toBeTruthy();
});
