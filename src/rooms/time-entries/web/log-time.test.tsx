import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { cleanup, fireEvent, render, screen, waitFor, within } from '@testing-library/react';
import { createRef } from 'react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { type CalendarDate, day, type Instant } from '#base/calendar-date.ts';
import type { Activity } from '#rooms/activities/contract.ts';
import { notify } from '#web/lib/notify.ts';
import * as logPanel from './log-panel.tsx';
import { LogTime } from './log-time.tsx';
import * as verifiedLogging from './verified-logging.ts';

const TODAY = day('2026-03-10');
const school = { id: 7, name: 'Lincoln Elementary', logoUrl: null };
const maria = { id: 9, firstName: 'Maria', lastName: 'Lopez', role: 'user' } as const;

function anActivity(id: number, name: string, given: Partial<Activity> = {}): Activity {
  return {
    id,
    name,
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
    ...given,
  };
}

const fair = anActivity(1, 'Book fair', { activeFrom: day('2026-03-10') });
const concert = anActivity(2, 'Spring concert', { activeFrom: day('2026-04-02') });
const closed = anActivity(3, 'Old raffle', { activeFrom: day('2026-02-02'), isActive: false });
const cafe = anActivity(4, 'Café des parents');

let activities: readonly Activity[] | undefined;
let entries: readonly unknown[];
let logged: object;
const loadVerified = vi.fn(async () => verifiedLogging);
let loadPanel: () => Promise<typeof logPanel>;

beforeEach(() => {
  localStorage.clear();
  activities = [fair, concert, closed, cafe];
  entries = [];
  logged = {};
  loadVerified.mockClear();
  loadPanel = async () => logPanel;
  Element.prototype.scrollIntoView = () => undefined;
  vi.stubGlobal('matchMedia', () => ({
    matches: false,
    addEventListener: vi.fn(),
    removeEventListener: vi.fn(),
  }));
  vi.stubGlobal('fetch', async (url: string, { method }: RequestInit) => {
    if (url.startsWith('/api/activities')) {
      return activities === undefined ? answer(500, {}) : answer(200, { activities });
    }
    if (method === 'POST') {
      return answer(201, {
        timeEntry: { ...entry(fair, 1), ...logged },
        message: '1h logged for Book fair today!',
      });
    }
    return answer(200, { timeEntries: entries, nextCursor: null });
  });
});
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

function answer(status: number, body: unknown): Response {
  return new Response(JSON.stringify(body), { status });
}

function entry(activity: Activity, hours: number, userId = 9, entryDate: CalendarDate = day('2026-03-01')) {
  return {
    id: 50 + activity.id,
    activityId: activity.id,
    activity,
    hours,
    entryDate,
    schoolId: 7,
    user: { id: userId },
    canDelete: true,
    verification: null as object | null,
  };
}

function show() {
  render(
    <QueryClientProvider client={new QueryClient({ defaultOptions: { queries: { retry: false } } })}>
      <LogTime
        user={maria}
        school={school}
        days={{ today: TODAY, utcDay: TODAY }}
        supportEmail="help@example.org"
        focus="none"
        unsent={undefined}
        onUnsent={vi.fn()}
        loadPanel={() => loadPanel()}
        loadVerified={loadVerified}
        formRef={createRef()}
      />
    </QueryClientProvider>,
  );
}

const group = (name: RegExp) => screen.findByRole('button', { name });
const search = (text: string) => fireEvent.change(screen.getByRole('searchbox'), { target: { value: text } });

it('shows Events open with the words on their rows, the other groups folded', async () => {
  show();
  const events = await group(/^Events/);
  expect(events.getAttribute('aria-expanded')).toBe('true');
  expect(events.textContent).toContain('Includes planning time');
  expect((await group(/^Year-Round Activities/)).getAttribute('aria-expanded')).toBe('false');
  expect((await group(/^Other Activities/)).getAttribute('aria-expanded')).toBe('false');
  expect(screen.getByRole('button', { name: /^Spring concert/ }).textContent).toMatch(
    /Unavailable.*Starts Apr 2.*Upcoming/,
  );
  expect(screen.getByRole('button', { name: /^Old raffle/ }).textContent).toMatch(
    /Unavailable.*Not active.*Past/,
  );
});

it('picks one that has not started, and not one that is inactive', async () => {
  show();
  const inactive = await screen.findByRole('button', { name: /^Old raffle/ });
  expect(inactive.getAttribute('aria-disabled')).toBe('true');
  fireEvent.click(inactive);
  expect(screen.queryByText('How long?')).toBeNull();
  fireEvent.click(screen.getByRole('button', { name: /^Spring concert/ }));
  expect(screen.getByText('How long?')).toBeTruthy();
  fireEvent.click(screen.getByRole('button', { name: 'Cancel' }));
  expect(document.activeElement?.textContent).toContain('Spring concert');
});

it('searches without regard to accents, and says when there is nothing', async () => {
  show();
  await group(/^Events/);
  expect(screen.getByText('Start typing to search activities')).toBeTruthy();
  search('CAFE');
  expect(await screen.findByText('1 activity found')).toBeTruthy();
  expect(screen.getByRole('button', { name: /^Café des parents/ }).textContent).toContain('Ongoing');
  search('nothing like it');
  expect(await screen.findByText('No activities found')).toBeTruthy();
});

it('goes from the search to the first row by arrow key', async () => {
  show();
  await group(/^Events/);
  search('conc');
  await screen.findByText('1 activity found');
  const box = screen.getByRole('searchbox');
  box.focus();
  fireEvent.keyDown(box, { key: 'ArrowDown' });
  expect(document.activeElement?.textContent).toContain('Spring concert');
});

it("offers today's event and the person's own habits first, not those of others", async () => {
  entries = [entry(concert, 2, 44), entry(cafe, 1.5)];
  show();
  const first = await screen.findByRole('list', { name: 'Log again' });
  await waitFor(() => expect(within(first).getAllByRole('button')).toHaveLength(2));
  expect(within(first).getByRole('button', { name: /^Book fair\s*Today$/ })).toBeTruthy();
  expect(within(first).getByRole('button', { name: /^Café des parents\s*Last: 1.5 h, Mar 1$/ })).toBeTruthy();
});

it('remembers what was selected, for this person, across visits', async () => {
  show();
  fireEvent.click(await screen.findByRole('button', { name: /^Spring concert/ }));
  cleanup();
  show();
  expect(await screen.findByText('Recently selected')).toBeTruthy();
  expect(localStorage.getItem('recentActivities:9')).toBe('[2]');
});

it('returns to the list with the focus on its heading when hours are logged', async () => {
  show();
  fireEvent.click((await screen.findAllByRole('button', { name: /^Book fair/ }))[0] ?? document.body);
  fireEvent.click(screen.getByLabelText('1 h'));
  fireEvent.click(screen.getByRole('button', { name: 'Log 1 hour' }));
  const heading = await screen.findByRole('heading', { name: 'What did you help with?' });
  expect(document.activeElement).toBe(heading);
});

it('says when activities could not be loaded, and tries again', async () => {
  activities = undefined;
  show();
  expect(await screen.findByText('Failed to load activities')).toBeTruthy();
  activities = [fair];
  fireEvent.click(screen.getByRole('button', { name: 'Try again' }));
  expect(await group(/^Events/)).toBeTruthy();
});

it('tells whom to write to when the school has no activities', async () => {
  activities = [];
  show();
  expect(await screen.findByText(/help@example.org/)).toBeTruthy();
});

it('loads what is asked about odd hours where the school verifies hours, and nowhere else', async () => {
  entries = [entry(cafe, 2)];
  show();
  await group(/^Events/);
  expect(loadVerified).not.toHaveBeenCalled();
  cleanup();
  entries = [{ ...entry(cafe, 2), verification: { status: 'waiting' } }];
  show();
  await waitFor(() => expect(loadVerified).toHaveBeenCalled());
});

it('offers to take hours back, but not those that count at once', async () => {
  const log = async () => {
    show();
    fireEvent.click((await screen.findAllByRole('button', { name: /^Book fair/ }))[0] ?? document.body);
    fireEvent.click(await screen.findByLabelText('1 h'));
    fireEvent.click(screen.getByRole('button', { name: 'Log 1 hour' }));
    await screen.findByRole('searchbox');
  };
  const notified = vi.spyOn(notify, 'success');
  await log();
  expect(notified.mock.lastCall?.[1]?.undo).toBeTypeOf('function');
  cleanup();
  logged = { canDelete: false };
  await log();
  expect(notified.mock.lastCall?.[1]?.undo).toBeUndefined();
});

it('says when the form could not be fetched, tries again, and can be cancelled', async () => {
  loadPanel = async () => {
    throw new Error('no line');
  };
  show();
  fireEvent.click(await screen.findByRole('button', { name: /^Spring concert/ }));
  expect(await screen.findByText(/Network error/)).toBeTruthy();
  fireEvent.click(screen.getByRole('button', { name: 'Cancel' }));
  fireEvent.click((await screen.findAllByRole('button', { name: /^Spring concert/ }))[0] ?? document.body);
  loadPanel = async () => logPanel;
  fireEvent.click(await screen.findByRole('button', { name: 'Try again' }));
  expect(await screen.findByText('How long?')).toBeTruthy();
});
