import { QueryClientProvider } from '@tanstack/react-query';
import { act, cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { replaceReload } from '#test/dom/location.ts';
import { queryClient } from '#web/api/query-client.ts';
import { endSession, getToken, selectSchool, startSession } from '#web/api/session.ts';
import { storeLanguage } from '#web/i18n/language.ts';
import { type Link, Shell } from './shell.tsx';

vi.mock('./dashboard/timetracker.tsx', () => ({
  prepareTimetracker: vi.fn(),
  prepareLists: vi.fn(),
  Photos: () => null,
  TimetrackerView: ({ user, onLogout }: { user: { firstName: string }; onLogout: () => void }) => (
    <button type="button" onClick={onLogout}>
      Log out {user.firstName}
    </button>
  ),
}));

vi.mock('./admin/admin.tsx', () => ({
  AdminView: ({ screen, desk }: { screen: string; desk: number }) => (
    <p>
      Admin Panel: {screen} with the verification queue of {desk}
    </p>
  ),
}));

const district = {
  districtName: 'Cedar Valley',
  supportEmail: 'help@example.org',
  passwordMinLength: 6,
  languages: ['en', 'es'],
};
const fetched = vi.fn<typeof fetch>();
let profile: () => Response | Promise<Response>;

beforeEach(() => {
  sessionStorage.clear();
  profile = () => Response.json({ user: { id: 9, firstName: 'Ana', role: 'user', grants: [], schools: [] } });
  fetched.mockReset();
  fetched.mockImplementation(async (url) => {
    if (url === '/api/config') return Response.json(district);
    if (url === '/api/profile') return profile();
    return new Response(null, { status: 204 });
  });
  vi.stubGlobal('fetch', fetched);
});
afterEach(() => {
  cleanup();
  queryClient.clear();
  vi.unstubAllGlobals();
  vi.useRealTimers();
  endSession();
});

function show(link?: Link) {
  render(
    <QueryClientProvider client={queryClient}>
      <Shell link={link} />
    </QueryClientProvider>,
  );
}

const signIn = () => screen.findByRole('button', { name: 'Sign in' });

test('without a token, the app shows sign-in and does not request the profile', async () => {
  show();
  await signIn();
  expect(fetched.mock.calls.map(([url]) => url)).not.toContain('/api/profile');
});

test('signed-in users see a full-disk warning until there is space again', async () => {
  startSession('abc');
  let headers: Record<string, string> = { 'x-storage': 'full' };
  const person = { id: 9, firstName: 'Ana', role: 'user', grants: [], schools: [] };
  fetched.mockImplementation(async (url) =>
    Response.json(url === '/api/config' ? district : { user: person }, { headers }),
  );
  show();
  await screen.findByRole('button', { name: 'Log out Ana' });
  expect(screen.getByRole('alert').textContent).toContain('disk is full');
  headers = {};
  await act(() => queryClient.refetchQueries());
  expect(screen.queryByRole('alert')).toBeNull();
});

test('with a stored token, the app shows the dashboard', async () => {
  startSession('abc');
  show();
  await screen.findByRole('button', { name: 'Log out Ana' });
});

test('an emailed link to the verification queue opens the queue of its school after sign-in', async () => {
  const grants = [{ role: 'coordinator', school: { id: 7, name: 'Lincoln' } }];
  profile = () => Response.json({ user: { id: 9, firstName: 'Ana', role: 'user', grants, schools: [] } });
  show({ kind: 'desk', token: '7' });
  await signIn();
  act(() => startSession('abc'));
  await screen.findByText('Admin Panel: time-entries with the verification queue of 7');
});

test('staff without a school start in the Admin Panel', async () => {
  const grants = [{ role: 'coordinator', school: { id: 7, name: 'Lincoln' } }];
  profile = () => Response.json({ user: { id: 9, firstName: 'Ana', role: 'user', grants, schools: [] } });
  startSession('abc');
  show();
  await screen.findByText(/^Admin Panel: users/);
});

test('staff with a school start in the time tracker', async () => {
  const grants = [{ role: 'coordinator', school: { id: 7, name: 'Lincoln' } }];
  const schools = [{ id: 7, name: 'Lincoln', logoUrl: null }];
  profile = () => Response.json({ user: { id: 9, firstName: 'Ana', role: 'user', grants, schools } });
  startSession('abc');
  show();
  await screen.findByRole('button', { name: 'Log out Ana' });
});

test.each(['7', 'x', ''])(
  'a verification queue link with the school id %j shows a volunteer the dashboard',
  async (token) => {
    startSession('abc');
    show({ kind: 'desk', token });
    await screen.findByRole('button', { name: 'Log out Ana' });
  },
);

test.each([401, 403, 404])(
  'a %i reply for the profile deletes the token, keeps the selected school, and shows sign-in',
  async (status) => {
    profile = () => Response.json({ error: 'no' }, { status });
    startSession('abc');
    selectSchool(7);
    show();
    await signIn();
    expect(localStorage.getItem('token')).toBeNull();
    expect(localStorage.getItem('selectedSchoolId')).toBe('7');
  },
);

test('the token is kept while offline, and "Try again" loads the profile', async () => {
  profile = () => Promise.reject(new TypeError('Failed to fetch'));
  startSession('abc');
  show();
  await screen.findByText("You're offline", undefined, { timeout: 5_000 });
  expect(getToken()).toBe('abc');
  profile = () => Response.json({ user: { id: 9, firstName: 'Ana', role: 'user', grants: [], schools: [] } });
  fireEvent.click(screen.getByRole('button', { name: 'Try again' }));
  await screen.findByRole('button', { name: 'Log out Ana' });
});

test('logout notifies the server and clears the token and the selected school', async () => {
  startSession('abc');
  selectSchool(7);
  show();
  fireEvent.click(await screen.findByRole('button', { name: 'Log out Ana' }));
  await signIn();
  expect(fetched.mock.calls.map(([url]) => url)).toContain('/api/auth/logout');
  expect(localStorage.length).toBe(0);
});

test('logout hides the screens until the server answers, so that none of them sends the token', async () => {
  startSession('abc');
  show();
  const logout = await screen.findByRole('button', { name: 'Log out Ana' });
  const reply = Promise.withResolvers<Response>();
  fetched.mockImplementation((url) =>
    url === '/api/auth/logout' ? reply.promise : Promise.resolve(Response.json(district)),
  );
  fireEvent.click(logout);
  await waitFor(() => expect(logout.isConnected).toBe(false));
  expect(screen.queryByRole('button', { name: 'Sign in' })).toBeNull();
  reply.resolve(new Response(null, { status: 204 }));
  await signIn();
  expect(fetched.mock.calls.find(([url]) => url === '/api/auth/logout')?.[1]?.keepalive).toBe(true);
});

test('logout ends the session on this device if the server does not answer in time', async () => {
  startSession('abc');
  show();
  const logout = await screen.findByRole('button', { name: 'Log out Ana' });
  fetched.mockImplementation((url) =>
    url === '/api/auth/logout' ? new Promise(() => {}) : Promise.resolve(Response.json(district)),
  );
  vi.useFakeTimers({ toFake: ['setTimeout'] });
  fireEvent.click(logout);
  await act(() => vi.advanceTimersByTimeAsync(9_000));
  expect(getToken()).toBe('abc');
  await act(() => vi.advanceTimersByTimeAsync(1_000));
  vi.useRealTimers();
  await signIn();
  expect(localStorage.length).toBe(0);
  const request = fetched.mock.calls.find(([url]) => url === '/api/auth/logout')?.[1];
  expect([request?.keepalive, request?.signal]).toEqual([true, undefined]);
});

test('logout works without a network', async () => {
  startSession('abc');
  show();
  const logout = await screen.findByRole('button', { name: 'Log out Ana' });
  fetched.mockImplementation(() => Promise.reject(new TypeError('Failed to fetch')));
  fireEvent.click(logout);
  await waitFor(() => expect(getToken()).toBeNull());
});

test('a reset link without a token shows an error, and a way back to sign-in', async () => {
  show({ kind: 'reset', token: '' });
  await screen.findByText('No reset token provided');
  fireEvent.click(screen.getByRole('button', { name: 'Back to Sign In' }));
  await signIn();
});

describe('the account language', () => {
  const reload = vi.fn();
  replaceReload(reload);
  beforeEach(() => {
    reload.mockReset();
    accountIn('es');
    startSession('abc');
  });
  afterEach(() => {
    storeLanguage(null);
  });

  function accountIn(language: string | null) {
    const user = { id: 9, firstName: 'Ana', role: 'user', grants: [], schools: [], language };
    profile = () => Response.json({ user });
  }

  test('is applied by reloading the page before anything is shown', async () => {
    show();
    await waitFor(() => expect(reload).toHaveBeenCalledTimes(1));
    expect(document.cookie).toBe('language=es');
    expect(screen.queryByRole('button')).toBeNull();
  });

  test('does not reload a page that already uses it', async () => {
    storeLanguage('es');
    show();
    await screen.findByRole('button', { name: 'Log out Ana' });
    expect(reload).not.toHaveBeenCalled();
  });

  test('does not reload the page if the browser stores no cookies', async () => {
    vi.spyOn(document, 'cookie', 'get').mockReturnValue('');
    show();
    await screen.findByRole('button', { name: 'Log out Ana' });
    expect(reload).not.toHaveBeenCalled();
    vi.restoreAllMocks();
  });

  test.each(['fr', null])('is ignored if it is not offered or not set: %s', async (language) => {
    accountIn(language);
    show();
    await screen.findByRole('button', { name: 'Log out Ana' });
    expect(reload).not.toHaveBeenCalled();
  });

  test('does not reload open screens when it changes', async () => {
    accountIn(null);
    show();
    await screen.findByRole('button', { name: 'Log out Ana' });
    accountIn('es');
    await act(() => queryClient.refetchQueries({ queryKey: ['profile'] }));
    expect(reload).not.toHaveBeenCalled();
  });
});
