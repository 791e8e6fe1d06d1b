import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { cleanup, fireEvent, render, screen, waitFor, within } from '@testing-library/react';
import { type ComponentProps, createRef } from 'react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Activity } from '#features/activities/contract.ts';
import { addDays, type CalendarDate, day, type Instant } from '#shared/calendar-date.ts';
import { dropToken, endSession, startSession } from '#web/api/session.ts';
import { draftOf, setDraftOwner } from '#web/forms/drafts.ts';
import { ToastRegion } from '#web/ui/toast-region.tsx';
import { notify } from '#web/ui/toasts.ts';
import { LOG_DRAFT } from './log-hours-handler.ts';
import { LogTime } from './log-time.tsx';

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
let closedPeriods: readonly object[];
let entries: readonly unknown[];
let posts: RequestInit[];
let failing: (() => Promise<Response>) | undefined;
const onSuggest = vi.fn();
const onUnsent = vi.fn();
let logged: object;

beforeEach(() => {
  localStorage.clear();
  activities = [fair, concert, closed, cafe];
  closedPeriods = [];
  entries = [];
  posts = [];
  failing = undefined;
  vi.clearAllMocks();
  logged = {};
  Element.prototype.scrollIntoView = () => undefined;
  vi.stubGlobal('matchMedia', () => ({
    matches: false,
    addEventListener: vi.fn(),
    removeEventListener: vi.fn(),
  }));
  vi.stubGlobal('fetch', async (url: string, request: RequestInit) => {
    const { method } = request;
    if (url.startsWith('/api/activities')) {
      return activities === undefined ? answer(500, {}) : answer(200, { activities, closed: closedPeriods });
    }
    if (method === 'POST') {
      posts.push(request);
      if (failing !== undefined) return failing();
      return answer(201, {
        timeEntry: { ...entry(fair, 1), ...logged },
        message: '1h logged for Book fair today!',
      });
    }
    return answer(200, { timeEntries: entries, nextCursor: null });
  });
});
afterEach(() => {
  vi.restoreAllMocks();
  notify.closeAll();
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

function show(user: ComponentProps<typeof LogTime>['user'] = maria) {
  render(
    <QueryClientProvider client={new QueryClient({ defaultOptions: { queries: { retry: false } } })}>
      <LogTime
        user={user}
        school={school}
        days={{ today: TODAY, utcDay: TODAY }}
        supportEmail="help@example.org"
        focus="none"
        unsent={undefined}
        onUnsent={onUnsent}
        onSuggest={onSuggest}
        formRef={createRef()}
      />
      <ToastRegion />
    </QueryClientProvider>,
  );
}

function logOneHour() {
  fireEvent.click(screen.getByLabelText('1 h'));
  fireEvent.click(screen.getByRole('button', { name: 'Log 1 hour' }));
}
const group = (name: RegExp) => screen.findByRole('button', { name });
const search = (text: string) => fireEvent.change(screen.getByRole('searchbox'), { target: { value: text } });

it('the list of activities expands Events with their dates, and collapses the other groups', async () => {
  show();
  const events = await group(/^Events/);
  expect(events.getAttribute('aria-expanded')).toBe('true');
  expect(events.textContent).toContain('Includes planning time');
  expect((await group(/^Year-Round Activities/)).getAttribute('aria-expanded')).toBe('false');
  expect((await group(/^Other Activities/)).getAttribute('aria-expanded')).toBe('false');
  // No group is collapsed, whatever its state.
  expect(screen.getByRole('button', { name: /^Spring concert/ }).textContent).toMatch(
    /Unavailable.*Starts Apr 2.*Upcoming/,
  );
  expect(screen.getByRole('button', { name: /^Old raffle/ }).textContent).toMatch(
    /Unavailable.*Closed.*Past/,
  );
});

it('a long group shows eight activities, and all on request', async () => {
  activities = Array.from({ length: 11 }, (_, at) =>
    anActivity(at + 1, `Fair ${at + 1}`, { activeFrom: addDays(TODAY, -at), isActive: at !== 2 }),
  );
  show();
  await group(/^Events/);
  const list = () => screen.getByRole('button', { name: /^Fair 2(?!\d)/ }).closest('ul') ?? document.body;
  const rows = () =>
    within(list())
      .getAllByRole('button')
      .map((row) => row.textContent);
  await waitFor(() => expect(rows()).toHaveLength(8));
  expect(rows()[2]).toContain('Unavailable');
  fireEvent.click(screen.getByRole('button', { name: 'Show all 11' }));
  expect(rows()).toHaveLength(11);
  await waitFor(() => expect(document.activeElement?.textContent).toMatch(/^Fair 9/));
});

it('hours at a past event are logged for its last day unless another day is chosen', async () => {
  activities = [
    anActivity(1, 'Book fair', { activeFrom: day('2026-03-07'), activeUntil: day('2026-03-08') }),
  ];
  show();
  fireEvent.click(await screen.findByRole('button', { name: /^Book fair/ }));
  const day8 = await screen.findByRole<HTMLInputElement>('radio', { name: 'Mar 8 (event day)' });
  expect(day8.checked).toBe(true);
  logOneHour();
  await waitFor(() => expect(posts).toHaveLength(1));
  expect(JSON.parse(String(posts[0]?.body))).toMatchObject({ entryDate: '2026-03-08' });
  fireEvent.click((await screen.findAllByRole('button', { name: /^Book fair/ }))[0] ?? document.body);
  fireEvent.click(await screen.findByRole('radio', { name: 'Today' }));
  logOneHour();
  await waitFor(() => expect(posts).toHaveLength(2));
  expect(JSON.parse(String(posts[1]?.body))).toMatchObject({ entryDate: null });
});

it('a blank day is sent as null, which means today', async () => {
  show();
  fireEvent.click((await screen.findAllByRole('button', { name: /^Book fair/ }))[0] ?? document.body);
  fireEvent.click(await screen.findByRole('radio', { name: 'Other day' }));
  logOneHour();
  await waitFor(() => expect(posts).toHaveLength(1));
  expect(JSON.parse(String(posts[0]?.body))).toMatchObject({ entryDate: null });
});

it('an activity that has not started can be selected, but not an inactive one', async () => {
  show();
  const inactive = await screen.findByRole('button', { name: /^Old raffle/ });
  expect(inactive.getAttribute('aria-disabled')).toBe('true');
  fireEvent.click(inactive);
  expect(screen.queryByText('How long?')).toBeNull();
  fireEvent.click(screen.getByRole('button', { name: /^Spring concert/ }));
  expect(await screen.findByText('How long?')).toBeTruthy();
  fireEvent.click(screen.getByRole('button', { name: 'Cancel' }));
  expect(document.activeElement?.textContent).toContain('Spring concert');
});

it('the search ignores accents, and shows when nothing matches', async () => {
  show();
  await group(/^Events/);
  expect(screen.queryByText('Start typing to search activities')).toBeNull();
  search('CAFE');
  expect(await screen.findByText('1 activity found')).toBeTruthy();
  expect(screen.getByRole('button', { name: /^Café des parents/ }).textContent).toContain('Ongoing');
  search('nothing like it');
  expect(await screen.findByText('No activities found')).toBeTruthy();
});

it('the arrow key moves from the search to the first row', async () => {
  show();
  await group(/^Events/);
  search('conc');
  await screen.findByText('1 activity found');
  const box = screen.getByRole('searchbox');
  box.focus();
  fireEvent.keyDown(box, { key: 'ArrowDown' });
  expect(document.activeElement?.textContent).toContain('Spring concert');
});

it("Log again suggests today's event and the user's own usual activities, not those of others", async () => {
  entries = [entry(concert, 2, 44), entry(cafe, 1.5)];
  show();
  const first = await screen.findByRole('list', { name: 'Log again' });
  await waitFor(() => expect(within(first).getAllByRole('button')).toHaveLength(3));
  expect(within(first).getByRole('button', { name: /^Book fair\s*Today$/ })).toBeTruthy();
  expect(within(first).getByRole('button', { name: /^Café des parents\s*Last: 1.5 h, Mar 1$/ })).toBeTruthy();
});

it('selected activities are remembered for each user across visits', async () => {
  show();
  fireEvent.click(await screen.findByRole('button', { name: /^Spring concert/ }));
  cleanup();
  show();
  expect(await screen.findByText('Recently selected')).toBeTruthy();
  expect(localStorage.getItem('recentActivities:9')).toBe('[2]');
  cleanup();
  show({ ...maria, id: 10 });
  expect(await screen.findByRole('button', { name: /^Spring concert/ })).toBeTruthy();
  expect(screen.queryByText('Recently selected')).toBeNull();
});

it('logging hours returns to the list and focuses its heading', async () => {
  show();
  fireEvent.click((await screen.findAllByRole('button', { name: /^Book fair/ }))[0] ?? document.body);
  fireEvent.click(await screen.findByLabelText('1 h'));
  fireEvent.click(screen.getByRole('button', { name: 'Log 1 hour' }));
  const heading = await screen.findByRole('heading', { name: 'What did you help with?' });
  expect(document.activeElement).toBe(heading);
});

it('activities that fail to load show an error and can be loaded again', async () => {
  activities = undefined;
  show();
  expect(await screen.findByText('Failed to load activities')).toBeTruthy();
  activities = [fair];
  fireEvent.click(screen.getByRole('button', { name: 'Try again' }));
  expect(await group(/^Events/)).toBeTruthy();
});

it('a school without activities shows the support address', async () => {
  activities = [];
  show();
  expect(await screen.findByText(/help@example.org/)).toBeTruthy();
});

it('Undo is offered only if the logged hours can be deleted', async () => {
  const log = async () => {
    show();
    fireEvent.click((await screen.findAllByRole('button', { name: /^Book fair/ }))[0] ?? document.body);
    fireEvent.click(await screen.findByLabelText('1 h'));
    fireEvent.click(screen.getByRole('button', { name: 'Log 1 hour' }));
    await screen.findByRole('searchbox');
  };
  await log();
  expect(await screen.findByRole('button', { name: /^Undo/ })).toBeTruthy();
  cleanup();
  logged = { canDelete: false };
  await log();
  await screen.findByText('1 hour for Book fair');
  expect(screen.queryByRole('button', { name: /^Undo/ })).toBeNull();
});

it('typed values and their activity are saved when the session ends', async () => {
  startSession('abc');
  setDraftOwner(maria.id);
  show();
  fireEvent.click((await screen.findAllByRole('button', { name: /^Book fair/ }))[0] ?? document.body);
  fireEvent.click(await screen.findByRole('button', { name: 'Add a note' }));
  fireEvent.change(screen.getByLabelText(/Notes/), { target: { value: 'At the cash register' } });
  dropToken('abc');
  setDraftOwner(maria.id);
  expect(draftOf(LOG_DRAFT)).toMatchObject({ activityId: 1, notes: 'At the cash register' });
  endSession();
});

describe('the button for the usual hours', () => {
  const tap = async () => fireEvent.click(await screen.findByRole('button', { name: /^Log 1.5 h for Café/ }));
  const body = (at: number) => JSON.parse(String(posts[at]?.body));

  it('logs once for today, however often the user taps it', async () => {
    entries = [entry(cafe, 1.5)];
    show();
    const button = await screen.findByRole('button', { name: /^Log 1.5 h for Café/ });
    for (let taps = 0; taps < 400; taps += 1) fireEvent.click(button);
    expect(await screen.findByText('1 hour for Book fair')).toBeTruthy();
    // The specified message is a notice; the confirmation has its own text.
    expect(screen.getByText('1h logged for Book fair today!')).toBeTruthy();
    expect(posts).toHaveLength(1);
    expect(body(0)).toEqual({ activityId: 4, hours: 1.5, entryDate: null, notes: null, schoolId: 7 });
  });

  it.each([
    ['the activity asks for a description', [{ ...cafe, requiresDescription: true }], []],
    ['an external verifier confirms the hours', [{ ...cafe, verifiedBy: 'outside' as const }], []],
    ['hours are already logged for today', [cafe], [entry(cafe, 1.5, 9, TODAY)]],
    ['nothing was ever logged', [fair], []],
    ['the event is over', [{ ...cafe, activeFrom: day('2026-03-01') }], []],
    ['the event has not begun', [{ ...cafe, activeFrom: day('2026-03-12') }], []],
  ])('is hidden if %s', async (_, offered, more) => {
    activities = offered;
    entries = [...more, ...(offered[0] === fair ? [] : [entry(cafe, 1.5)])];
    show();
    await screen.findByRole('list', { name: 'Log again' });
    expect(screen.queryByRole('button', { name: /^Log 1.5 h/ })).toBeNull();
  });

  it('is hidden if today is in a closed period', async () => {
    closedPeriods = [{ before: '2999-01-01', message: 'Closed' }];
    entries = [entry(cafe, 1.5)];
    show();
    await screen.findByRole('list', { name: 'Log again' });
    expect(screen.queryByRole('button', { name: /^Log 1.5 h/ })).toBeNull();
  });

  it('ignores the second tap of a double tap that closed a form', async () => {
    entries = [entry(cafe, 1.5)];
    show();
    fireEvent.click((await screen.findAllByRole('button', { name: /^Café/ }))[0] ?? document.body);
    fireEvent.click(await screen.findByRole('radio', { name: '2 h' }));
    fireEvent.click(screen.getByRole('button', { name: 'Log 2 hours' }));
    await screen.findByText('1 hour for Book fair');
    const closed = performance.now();
    const now = vi.spyOn(performance, 'now').mockReturnValue(closed);
    await tap();
    expect(posts).toHaveLength(1);
    now.mockReturnValue(closed + 400);
    await tap();
    await waitFor(() => expect(posts).toHaveLength(2));
  });

  it('confirms only after 350 ms, so that a double tap logs once', async () => {
    entries = [entry(cafe, 1.5)];
    show();
    await screen.findByRole('button', { name: /^Log 1.5 h for Café/ });
    const began = performance.now();
    await tap();
    await screen.findByText('1 hour for Book fair');
    expect(performance.now() - began).toBeGreaterThan(350);
  });

  it('opens the form with the hours selected if they would be flagged', async () => {
    entries = [{ ...entry(cafe, 9), verification: { status: 'waiting' } }];
    show();
    fireEvent.click(await screen.findByRole('button', { name: /^Log 9 h for Café/ }));
    expect(await screen.findByRole('button', { name: 'Log 9 hours' })).toBeTruthy();
    expect(posts).toHaveLength(0);
  });

  it('opens the form with the hours selected if the request fails, and retries the same entry', async () => {
    entries = [entry(cafe, 1.5)];
    failing = () => Promise.reject(new TypeError('offline'));
    show();
    await tap();
    expect(await screen.findByRole('button', { name: 'Log 1.5 hours' })).toBeTruthy();
    expect(onUnsent).toHaveBeenCalledWith(expect.objectContaining({ activityId: 4, hours: 1.5 }));
    failing = undefined;
    fireEvent.click(screen.getByRole('button', { name: 'Log 1.5 hours' }));
    await screen.findByText('1 hour for Book fair');
    const keys = posts.map(({ headers }) => new Headers(headers).get('idempotency-key'));
    expect(keys[1]).toBe(keys[0]);
    expect(body(1)).toEqual(body(0));
  });

  it('shows a confirmation until the user presses Log another', async () => {
    entries = [entry(cafe, 1.5)];
    show();
    await tap();
    fireEvent.click(await screen.findByRole('button', { name: 'Log another' }));
    expect(screen.queryByText('1 hour for Book fair')).toBeNull();
    expect(document.activeElement?.textContent).toBe('What did you help with?');
  });
});

it('the search offers to suggest a missing activity, with a name of up to 100 characters', async () => {
  show();
  await group(/^Events/);
  search(`  Bake sale ${'x'.repeat(10_000)}`);
  fireEvent.click(await screen.findByRole('button', { name: /^Don't see it\? Suggest "Bake sale/ }));
  expect(onSuggest.mock.lastCall?.[0]).toHaveLength(100);
});

it('the first group with an available activity is expanded', async () => {
  activities = [closed, anActivity(8, 'Garden club')];
  show();
  expect((await group(/^Year-Round/)).getAttribute('aria-expanded')).toBe('true');
  expect((await group(/^Events/)).getAttribute('aria-expanded')).toBe('false');
});
