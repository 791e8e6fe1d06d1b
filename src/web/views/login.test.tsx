import { QueryClientProvider } from '@tanstack/react-query';
import { cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { queryClient } from '../lib/query-client.ts';
import { endSession, getToken } from '../lib/session.ts';
import { LoginView } from './login.tsx';

const district = {
  districtName: 'Cedar Valley',
  supportEmail: 'help@example.org',
  timeZone: 'UTC',
  today: '2026-03-01',
  schoolYearStart: '2025-07-01',
  registration: 'open',
  passwordMinLength: 8,
};
const schools = [
  { id: 1, name: 'Lincoln', logoUrl: null },
  { id: 2, name: 'Cedar', logoUrl: null },
];
const ana = { id: 9, firstName: 'Ana', schools: [] };

const fetched = vi.fn<typeof fetch>();
let answers: Record<string, () => Response | Promise<Response>>;

beforeEach(() => {
  answers = {
    '/api/config': () => Response.json(district),
    '/api/schools/public': () => Response.json({ schools }),
    '/api/auth/login': () => Response.json({ user: ana, token: 'abc', message: 'Signed in' }),
    '/api/auth/register': () =>
      Response.json({ user: ana, token: 'abc', message: 'Welcome, Ana!' }, { status: 201 }),
  };
  fetched.mockReset();
  fetched.mockImplementation(async (url) => answers[String(url)]?.() ?? new Response(null, { status: 404 }));
  vi.stubGlobal('fetch', fetched);
  render(
    <QueryClientProvider client={queryClient}>
      <LoginView />
    </QueryClientProvider>,
  );
});
afterEach(() => {
  cleanup();
  queryClient.clear();
  vi.unstubAllGlobals();
  endSession();
});

const press = (name: string | RegExp) => fireEvent.click(screen.getByRole('button', { name }));
const fill = (label: string, value: string) =>
  fireEvent.change(screen.getByLabelText(label), { target: { value } });
const typedIn = (label: string) => screen.getByLabelText<HTMLInputElement>(label).value;
const bodyOf = (path: string): unknown => {
  const found = fetched.mock.calls.find(([url]) => url === path);
  return found === undefined ? undefined : JSON.parse(String(found[1]?.body));
};

describe('sign in', () => {
  test('shows the title, the district and whom to ask', async () => {
    expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('Volunteer Time Tracker');
    await screen.findByText('Cedar Valley');
    expect(screen.getByRole('link', { name: 'help@example.org' }).getAttribute('href')).toBe(
      'mailto:help@example.org',
    );
  });

  test('starts the session', async () => {
    fill('Email', 'ana@example.org');
    fill('Password', 'secret 99');
    press('Sign in');
    await waitFor(() => expect(getToken()).toBe('abc'));
    expect(bodyOf('/api/auth/login')).toEqual({ email: 'ana@example.org', password: 'secret 99' });
  });

  test('asks for both before it asks the server', () => {
    press('Sign in');
    expect(screen.getAllByText('Email and password are required')).not.toHaveLength(0);
    expect(bodyOf('/api/auth/login')).toBeUndefined();
  });

  test.each([
    [
      'Invalid email or password',
      () => Response.json({ error: 'Invalid email or password' }, { status: 401 }),
    ],
    ['Login failed', () => new Response('oops', { status: 500 })],
    ['Network error. Please try again.', () => Promise.reject(new TypeError('Failed to fetch'))],
  ])('says: %s', async (sentence, answer) => {
    answers['/api/auth/login'] = answer;
    fill('Email', 'ana@example.org');
    fill('Password', 'secret 99');
    press('Sign in');
    await screen.findByText(sentence);
    expect(typedIn('Password')).toBe('secret 99');
  });

  test('shows the password when asked to', () => {
    press('Show password');
    expect(screen.getByLabelText('Password').getAttribute('type')).toBe('text');
  });
});

describe('register', () => {
  const fillIn = async () => {
    press("Don't have an account? Create one");
    fireEvent.click(await screen.findByRole('checkbox', { name: 'Cedar' }));
    fill('First Name', 'Ana');
    fill('Last Name', 'Lopez');
    fill('Email', 'ana@example.org');
    fill('Password', 'secret 99');
    fill('Confirm Password', 'secret 99');
  };

  test('makes the account at the chosen schools and signs in', async () => {
    await fillIn();
    press('Create account');
    await waitFor(() => expect(getToken()).toBe('abc'));
    expect(bodyOf('/api/auth/register')).toEqual({
      firstName: 'Ana',
      lastName: 'Lopez',
      email: 'ana@example.org',
      password: 'secret 99',
      schoolIds: [2],
    });
  });

  test.each([
    ['First Name', '', 'First name and last name are required'],
    ['Email', '', 'Email and password are required'],
    ['Confirm Password', 'secret 98', 'Passwords do not match'],
  ])('with %s %j it says: %s', async (label, value, sentence) => {
    await fillIn();
    fill(label, value);
    press('Create account');
    expect(screen.getByText(sentence)).toBeDefined();
    expect(bodyOf('/api/auth/register')).toBeUndefined();
  });

  test('asks for a school', async () => {
    await fillIn();
    fireEvent.click(screen.getByRole('checkbox', { name: 'Cedar' }));
    press('Create account');
    expect(screen.getByText('Please select at least one school')).toBeDefined();
  });

  test("asks for as many characters as the district's setting says", async () => {
    await screen.findByText('Cedar Valley');
    await fillIn();
    expect(screen.getByText('Must be at least 8 characters')).toBeDefined();
    fill('Password', 'seven 7');
    fill('Confirm Password', 'seven 7');
    press('Create account');
    expect(screen.getByText('Password must be at least 8 characters long')).toBeDefined();
  });

  test('says so when the schools can not be loaded, and tries again', async () => {
    answers['/api/schools/public'] = () => Response.json({ error: 'no' }, { status: 404 });
    press("Don't have an account? Create one");
    await screen.findByText('Failed to load schools. Please try again.');
    answers['/api/schools/public'] = () => Response.json({ schools });
    press('Try again');
    await screen.findByRole('checkbox', { name: 'Lincoln' });
  });

  test('says whom to ask when there is no school', async () => {
    answers['/api/schools/public'] = () => Response.json({ schools: [] });
    await screen.findByText('Cedar Valley');
    press("Don't have an account? Create one");
    await screen.findByText('No school has been set up yet. Please write to help@example.org.');
  });

  test('says Registration failed when the server gives no words', async () => {
    answers['/api/auth/register'] = () => new Response('oops', { status: 500 });
    await fillIn();
    press('Create account');
    await screen.findByText('Registration failed');
  });
});

test('switching takes messages away, keeps e-mail and password, and leaving register empties the rest', async () => {
  fill('Email', 'ana@example.org');
  press('Sign in');
  expect(screen.getByLabelText('Password').getAttribute('aria-invalid')).toBe('true');
  press("Don't have an account? Create one");
  await screen.findByRole('checkbox', { name: 'Cedar' });
  expect(screen.queryByText('Email and password are required')).toBeNull();
  expect(typedIn('Email')).toBe('ana@example.org');
  fill('First Name', 'Ana');
  press('Already have an account? Sign in');
  press("Don't have an account? Create one");
  expect(typedIn('First Name')).toBe('');
  expect(typedIn('Email')).toBe('ana@example.org');
});
