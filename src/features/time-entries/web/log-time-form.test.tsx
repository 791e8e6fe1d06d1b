import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react';
import { createRef } from 'react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Activity } from '#features/activities/contract.ts';
import { day, type Instant } from '#shared/calendar-date.ts';
import type { TimeEntry } from '../contract.ts';
import { type Draft, LogTimeForm } from './log-time-form.tsx';
import * as verifiedLogging from './log-time-verification.tsx';

const TODAY = day('2026-03-10');

const bookFair: Activity = {
  id: 3,
  name: 'Book fair',
  category: { id: 1, name: 'Events', color: '#3498db', kind: 'event' },
  isActive: true,
  activeFrom: null,
  activeUntil: null,
  requiresDescription: false,
  descriptionPrompt: null,
  description: null,
  categoryId: 1,
  schoolId: 7,
  createdAt: '2026-01-01T00:00:00.000Z' as Instant,
  version: 1,
  counts: { timeEntries: 0 },
  photoCount: 0,
  verifiedBy: 'school',
  outsideVerifier: null,
};
const asking = {
  ...bookFair,
  name: 'Classroom help',
  requiresDescription: true,
  descriptionPrompt: 'the grade',
};

const fetched = vi.fn();
const onLogged = vi.fn();
const onUnsent = vi.fn();

beforeEach(() => {
  vi.stubGlobal('fetch', fetched);
  fetched.mockImplementation(async () => answer(201, { timeEntry: { schoolId: 7 }, message: 'logged' }));
});
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
  vi.clearAllMocks();
});

function answer(status: number, body: unknown): Response {
  return new Response(JSON.stringify(body), { status });
}

type Given = {
  verified?: typeof verifiedLogging;
  activity?: Activity;
  usual?: number;
  unsent?: Draft;
  own?: readonly TimeEntry[];
  closedOn?: (date: string) => string | undefined;
};

function show(given: Given = {}) {
  render(
    <QueryClientProvider client={new QueryClient()}>
      <LogTimeForm
        userId={9}
        activity={given.activity ?? bookFair}
        today={TODAY}
        usual={given.usual}
        own={given.own ?? []}
        verified={given.verified}
        closedOn={given.closedOn}
        unsent={given.unsent}
        onUnsent={onUnsent}
        onQueued={() => {}}
        onLogged={onLogged}
        formRef={createRef()}
      />
    </QueryClientProvider>,
  );
}

const choose = (hours: string) => fireEvent.click(screen.getByLabelText(hours));
const submit = () => fireEvent.click(screen.getByRole('button', { name: /^Log / }));
const addNote = () => fireEvent.click(screen.getByRole('button', { name: 'Add a note' }));
const otherDay = () => fireEvent.click(screen.getByLabelText('Other day'));
const sent = (call = 0) => JSON.parse(fetched.mock.calls[call]?.[1].body);
const key = (call: number) => fetched.mock.calls[call]?.[1].headers['idempotency-key'];

it('the form rejects a closed day before sending, with and without the day field', async () => {
  const CLOSED = 'Hours before Mar 11 are closed. Use Time Entries in the Admin Panel.';
  show({ closedOn: (date) => (date < '2026-03-11' ? CLOSED : undefined) });
  choose('1 h');
  submit();
  expect(await screen.findByText(CLOSED)).toBeTruthy();
  otherDay();
  fireEvent.change(screen.getByLabelText('Date'), { target: { value: '2026-03-10' } });
  submit();
  await waitFor(() => expect(screen.getByLabelText('Date').getAttribute('aria-invalid')).toBe('true'));
  expect(screen.getAllByText(CLOSED)).toHaveLength(1);
  expect(fetched).not.toHaveBeenCalled();
});

describe('more hours for the same activity and day', () => {
  const logged = (given: Partial<TimeEntry>) =>
    ({ activityId: 3, entryDate: TODAY, hours: 2, ...given }) as TimeEntry;
  const ASKED = 'You already logged 2 h for Book fair today. Log 1 h more?';

  it('require one confirmation before they are sent', async () => {
    show({ own: [logged({})] });
    choose('1 h');
    fireEvent.click(screen.getByRole('button', { name: 'Log 1 hour' }));
    expect(screen.getByText(ASKED)).toBeTruthy();
    expect(fetched).not.toHaveBeenCalled();
    fireEvent.click(screen.getByRole('button', { name: 'Log 1 h more' }));
    await waitFor(() => expect(onLogged).toHaveBeenCalled());
    expect(sent().hours).toBe(1);
  });

  it('require another confirmation when other hours are chosen', () => {
    show({ own: [logged({})] });
    choose('1 h');
    submit();
    choose('3 h');
    expect(screen.queryByText(ASKED)).toBeNull();
    submit();
    expect(screen.getByText('You already logged 2 h for Book fair today. Log 3 h more?')).toBeTruthy();
    expect(fetched).not.toHaveBeenCalled();
  });

  it.each([
    ['another day', { entryDate: day('2026-01-02') }],
    ['another activity', { activityId: 4 }],
  ])('require no confirmation when the existing hours are for %s', async (_, other) => {
    show({ own: [logged(other)] });
    choose('1 h');
    submit();
    await waitFor(() => expect(onLogged).toHaveBeenCalled());
  });
});

describe('the form at a school that verifies hours', () => {
  const logged = (given: Partial<TimeEntry>) =>
    ({ activityId: 4, entryDate: TODAY, hours: 8, ...given }) as TimeEntry;
  const other = (hours: string) => {
    choose('Other');
    fireEvent.change(screen.getByLabelText('Hours'), { target: { value: hours } });
  };
  const setDate = (date: string) => {
    otherDay();
    fireEvent.change(screen.getByLabelText('Date'), { target: { value: date } });
  };

  it.each([
    ['8.25', [], 'That is more than 8 hours in one entry. Log 8.25 h?'],
    ['8', [logged({}), logged({ hours: 0.5 })], 'That would be 16.5 hours in one day. Log 8 h?'],
    [
      '9',
      [logged({ activityId: 3 })],
      'That is more than 8 hours in one entry. That would be 17 hours in one day. You already logged 8 h for Book fair today. Log 9 h more?',
    ],
  ] as const)('asks once about unusual hours: %s h', async (hours, own, question) => {
    show({ verified: verifiedLogging, own });
    other(hours);
    submit();
    expect(screen.getByText(question)).toBeTruthy();
    expect(fetched).not.toHaveBeenCalled();
    submit();
    await waitFor(() => expect(onLogged).toHaveBeenCalled());
  });

  it.each([
    [{}, '2026-02-07', 'That day was 31 days ago. Log 1 h?'],
    [{ activeFrom: day('2026-03-01') }, '2026-02-28', 'Book fair did not take place on that day. Log 1 h?'],
  ])('asks about a day that is long ago or outside the dates of the activity', (dates, date, question) => {
    show({ verified: verifiedLogging, activity: { ...bookFair, ...dates } });
    choose('1 h');
    setDate(date);
    submit();
    expect(screen.getByText(question)).toBeTruthy();
    expect(fetched).not.toHaveBeenCalled();
  });

  it.each([
    ['8', [logged({})], TODAY],
    ['8', [logged({ entryDate: day('2026-03-09') })], TODAY],
    ['1', [], '2026-02-08'],
  ] as const)('does not ask about hours within the limits: %s h', async (hours, own, date) => {
    show({ verified: verifiedLogging, own });
    other(hours);
    setDate(date);
    submit();
    await waitFor(() => expect(onLogged).toHaveBeenCalled());
  });

  it('does not ask about unusual hours at other schools', async () => {
    show();
    other('9');
    submit();
    await waitFor(() => expect(onLogged).toHaveBeenCalled());
  });
});

describe('the hours field', () => {
  it('is required', () => {
    show();
    submit();
    expect(screen.getByText('Please select an activity and enter hours')).toBeTruthy();
    expect(fetched).not.toHaveBeenCalled();
  });

  it('shows the chosen hours on the button and sends them', async () => {
    show();
    choose('2 h');
    fireEvent.click(screen.getByRole('button', { name: 'Log 2 hours' }));
    await waitFor(() => expect(onLogged).toHaveBeenCalledWith({ schoolId: 7 }, 'logged'));
    expect(sent()).toEqual({ activityId: 3, schoolId: 7, hours: 2, entryDate: null, notes: null });
  });

  it('uses the singular for one hour', () => {
    show();
    choose('1 h');
    expect(screen.getByRole('button', { name: 'Log 1 hour' })).toBeTruthy();
  });

  it('suggests the usual hours without selecting them', () => {
    show({ usual: 2 });
    const suggested = screen.getByLabelText<HTMLInputElement>(/2 h\s*usual/);
    expect(suggested.checked).toBe(false);
    expect(document.activeElement).toBe(suggested);
    expect(screen.getByRole('button', { name: 'Log hours' })).toBeTruthy();
  });

  it('adds a button for usual hours that are not among the presets', () => {
    show({ usual: 2.75 });
    expect(screen.getByLabelText(/2.75 h\s*usual/)).toBeTruthy();
  });

  it('selects the focused hours with Enter, and the next Enter submits the form', () => {
    show({ usual: 2 });
    const suggested = screen.getByLabelText<HTMLInputElement>(/2 h\s*usual/);
    expect(fireEvent.keyDown(suggested, { key: 'Enter' })).toBe(false);
    expect(suggested.checked).toBe(true);
    expect(fireEvent.keyDown(suggested, { key: 'Enter' })).toBe(true);
  });

  it('accepts other values within the limits', () => {
    show();
    choose('Other');
    const field = screen.getByLabelText<HTMLInputElement>('Hours');
    expect([field.min, field.max, field.step]).toEqual(['0.25', '24', '0.25']);
    fireEvent.change(field, { target: { value: '24.25' } });
    submit();
    expect(screen.getByText('Hours must be between 0.25 and 24')).toBeTruthy();
    fireEvent.change(field, { target: { value: '4.75' } });
    expect(screen.getByRole('button', { name: 'Log 4.75 hours' })).toBeTruthy();
  });
});

describe('the description field', () => {
  it('is behind a button when the activity does not require it', () => {
    show();
    expect(screen.queryByLabelText('Notes')).toBeNull();
    addNote();
    expect(screen.getByLabelText('Notes')).toBeTruthy();
  });

  it('is labeled with the prompt of an activity that requires it, and cannot be blank', () => {
    show({ activity: asking });
    expect(screen.getByLabelText('The grade')).toBeTruthy();
    choose('1 h');
    submit();
    expect(screen.getByText('Please enter the grade for Classroom help activities')).toBeTruthy();
    expect(fetched).not.toHaveBeenCalled();
  });

  it("is labeled 'description' when the activity has no prompt", () => {
    show({ activity: { ...asking, descriptionPrompt: null } });
    choose('1 h');
    fireEvent.change(screen.getByLabelText('Description'), { target: { value: '  ' } });
    submit();
    expect(screen.getByText('Please enter description for Classroom help activities')).toBeTruthy();
  });

  it('counts the characters from 80 % of the limit on', () => {
    show();
    addNote();
    fireEvent.change(screen.getByLabelText('Notes'), { target: { value: 'x'.repeat(399) } });
    expect(screen.queryByText(/of 500 characters/)).toBeNull();
    fireEvent.change(screen.getByLabelText('Notes'), { target: { value: 'x'.repeat(400) } });
    expect(screen.getByText('400 of 500 characters')).toBeTruthy();
  });
});

describe('the date field', () => {
  it('offers today, yesterday and another day, which means today if it is blank', async () => {
    show();
    choose('1 h');
    expect(screen.getByLabelText<HTMLInputElement>('Today').checked).toBe(true);
    expect(screen.queryByText('Leave blank for today')).toBeNull();
    otherDay();
    expect(screen.getByText('Leave blank for today')).toBeTruthy();
    fireEvent.click(screen.getByLabelText('Yesterday'));
    submit();
    await waitFor(() => expect(fetched).toHaveBeenCalledOnce());
    expect(sent().entryDate).toBe('2026-03-09');
  });

  it('rejects future days', () => {
    show();
    choose('1 h');
    otherDay();
    fireEvent.change(screen.getByLabelText('Date'), { target: { value: '2026-03-11' } });
    submit();
    expect(screen.getByText('Date cannot be in the future')).toBeTruthy();
    expect(fetched).not.toHaveBeenCalled();
  });

  it('accepts today entered as another day', async () => {
    show();
    choose('1 h');
    otherDay();
    fireEvent.change(screen.getByLabelText('Date'), { target: { value: '2026-03-10' } });
    submit();
    await waitFor(() => expect(fetched).toHaveBeenCalledOnce());
    expect(sent().entryDate).toBe('2026-03-10');
  });
});

describe('a failed request', () => {
  it('can be retried as the same entry after a network error', async () => {
    fetched.mockRejectedValueOnce(new TypeError('offline'));
    show();
    choose('1.5 h');
    submit();
    expect(await screen.findByText('Not sent. Try again')).toBeTruthy();
    expect(onUnsent).toHaveBeenCalledWith({
      activityId: 3,
      schoolId: 7,
      hours: 1.5,
      entryDate: null,
      notes: '',
    });
    submit();
    await waitFor(() => expect(onLogged).toHaveBeenCalledOnce());
    expect(sent(1)).toEqual(sent(0));
    expect(key(0)).toMatch(/^[0-9a-f]{32}$/);
    expect(key(1)).toBe(key(0));
  });

  it("shows the server's message without losing typed values", async () => {
    fetched.mockResolvedValueOnce(answer(400, { error: 'Book fair is not active at the moment.' }));
    show();
    choose('3 h');
    submit();
    expect(await screen.findByText('Book fair is not active at the moment.')).toBeTruthy();
    expect(screen.getByRole('button', { name: 'Log 3 hours' })).toBeTruthy();
    expect(onLogged).not.toHaveBeenCalled();
  });

  it('saves the entry for the next visit if the form was closed', async () => {
    let arrive = (_: Response) => {};
    fetched.mockReturnValueOnce(new Promise<Response>((resolve) => (arrive = resolve)));
    show();
    choose('1.5 h');
    submit();
    await waitFor(() => expect(fetched).toHaveBeenCalled());
    cleanup();
    arrive(answer(503, { error: 'The service is unavailable' }));
    await waitFor(() => expect(onUnsent).toHaveBeenCalledWith(expect.objectContaining({ hours: 1.5 })));
    expect(onLogged).not.toHaveBeenCalled();
  });

  it("shows the server's error for a field", async () => {
    fetched.mockResolvedValueOnce(
      answer(400, { error: 'x', fields: { hours: 'Hours must be between 0.25 and 24' } }),
    );
    show();
    choose('3 h');
    submit();
    expect(await screen.findByText('Hours must be between 0.25 and 24')).toBeTruthy();
  });
});

it('the form restores an unsent entry as it was typed', () => {
  show({ unsent: { activityId: 3, schoolId: 7, hours: 2.25, entryDate: '2026-03-09', notes: 'chairs' } });
  expect(screen.getByLabelText<HTMLInputElement>('Hours').value).toBe('2.25');
  expect(screen.getByLabelText<HTMLTextAreaElement>('Notes').value).toBe('chairs');
  expect(screen.getByLabelText<HTMLInputElement>('Yesterday').checked).toBe(true);
  expect(screen.getByRole('button', { name: 'Log 2.25 hours' })).toBeTruthy();
});

describe('the multiple-days form', () => {
  const logged = (dates: readonly string[]) => ({
    timeEntries: dates.map((entryDate, at) => ({ id: at + 1, schoolId: 7, entryDate })),
    batch: 'sealed',
    message: 'logged',
  });
  const dayAt = (name: string) => screen.getByRole('button', { name });
  async function choosing(given: Given = {}) {
    show({ ...given });
    choose('2 h');
    fireEvent.click(screen.getByRole('button', { name: 'More than one day' }));
    return screen.findByRole('grid', { name: 'March 2026' });
  }

  it('logs every Tuesday of a month in one request, and undoes them together', async () => {
    await choosing();
    fetched.mockImplementation(async () => answer(201, logged(['2026-03-03', '2026-03-10'])));
    fireEvent.click(screen.getByRole('button', { name: 'Every Tuesday in March 2026' }));
    expect(screen.getByText(/^2 days picked/).textContent).toBe('2 days picked: Mar 3 · Mar 10');
    fireEvent.click(screen.getByRole('button', { name: 'Log 2 h on each of 2 days' }));
    await waitFor(() => expect(onLogged).toHaveBeenCalledOnce());
    expect(fetched.mock.calls[0]?.[0]).toBe('/api/time-entries/several');
    expect(sent()).toMatchObject({
      activityId: 3,
      hours: 2,
      dates: ['2026-03-03', '2026-03-10'],
      isSure: false,
    });
    const [entry, , several] = onLogged.mock.calls[0] ?? [];
    expect([entry.id, several.count]).toEqual([2, 2]);
    fetched.mockImplementation(async () => answer(200, { deleted: 2, message: 'Undone' }));
    await several.undo();
    expect([fetched.mock.calls.at(-1)?.[0], sent(1)]).toEqual([
      '/api/time-entries/several/undo',
      { batch: 'sealed' },
    ]);
  });

  it('moves by arrow keys and across months, and selects with a tap', async () => {
    await choosing();
    const today = dayAt('Tuesday, March 10');
    today.focus();
    fireEvent.keyDown(today, { key: 'ArrowUp' });
    expect(document.activeElement).toBe(dayAt('Tuesday, March 3'));
    fireEvent.keyDown(dayAt('Tuesday, March 3'), { key: 'ArrowRight' });
    expect(document.activeElement).toBe(dayAt('Wednesday, March 4'));
    fireEvent.click(dayAt('Wednesday, March 4'));
    expect(dayAt('Wednesday, March 4, picked').getAttribute('aria-pressed')).toBe('true');
    fireEvent.keyDown(dayAt('Wednesday, March 4, picked'), { key: 'PageUp' });
    expect(document.activeElement).toBe(dayAt('Wednesday, February 4'));
    expect(screen.getByRole('grid', { name: 'February 2026' })).toBeTruthy();
  });

  it('ignores closed and future days, and requires at least one day', async () => {
    await choosing({ closedOn: (date) => (date < '2026-03-03' ? 'Closed.' : undefined) });
    fireEvent.click(dayAt('Friday, March 13, in the future'));
    fireEvent.click(dayAt('Monday, March 2. Closed.'));
    fireEvent.click(screen.getByRole('button', { name: 'Log 2 hours' }));
    expect((await screen.findAllByText('Please pick the days')).length).toBeGreaterThan(0);
    expect(fetched).not.toHaveBeenCalled();
  });

  it('asks about days that need confirmation, then logs them', async () => {
    await choosing();
    fireEvent.click(dayAt('Thursday, March 5'));
    fireEvent.click(dayAt('Friday, March 6'));
    const sentence = 'You already logged 1 h for Book fair on Mar 6, 2026';
    fetched.mockImplementation(async () =>
      answer(409, { error: 'A second look', fields: { 'dates.1.date': sentence } }),
    );
    fireEvent.click(screen.getByRole('button', { name: 'Log 2 h on each of 2 days' }));
    expect((await screen.findAllByText(sentence)).length).toBeGreaterThan(0);
    fetched.mockImplementation(async () => answer(201, logged(['2026-03-05'])));
    fireEvent.click(screen.getByRole('button', { name: 'Log these too' }));
    await waitFor(() => expect(onLogged).toHaveBeenCalledOnce());
    expect(sent(1)).toMatchObject({ dates: ['2026-03-05', '2026-03-06'], isSure: true });
  });

  it('can leave out the days that need confirmation', async () => {
    await choosing();
    fireEvent.click(dayAt('Thursday, March 5'));
    fireEvent.click(dayAt('Friday, March 6'));
    fetched.mockImplementation(async () => answer(400, { error: 'No', fields: { 'dates.1.date': 'Full' } }));
    fireEvent.click(screen.getByRole('button', { name: 'Log 2 h on each of 2 days' }));
    fireEvent.click(await screen.findByRole('button', { name: 'Leave these days out' }));
    expect(screen.getByText(/^1 day picked/).textContent).toBe('1 day picked: Mar 5');
  });

  it('saves the days of an entry that could not be sent', async () => {
    await choosing();
    fireEvent.click(dayAt('Thursday, March 5'));
    fetched.mockImplementation(async () => {
      throw new TypeError('offline');
    });
    fireEvent.click(screen.getByRole('button', { name: 'Log 2 h on 1 day' }));
    await waitFor(() => expect(onUnsent).toHaveBeenCalledOnce());
    expect(onUnsent.mock.calls[0]?.[0]).toMatchObject({ dates: ['2026-03-05'], hours: 2 });
  });
});
