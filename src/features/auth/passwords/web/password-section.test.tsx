import { QueryClientProvider } from '@tanstack/react-query';
import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { queryClient } from '#web/api/query-client.ts';
import { endSession, getToken, startSession } from '#web/api/session.ts';
import { PasswordSection } from './password-section.tsx';

const fetched = vi.fn<typeof fetch>();
let put: () => Response | Promise<Response>;

beforeEach(() => {
  put = () => Response.json({ message: 'Password changed successfully' });
  fetched.mockReset();
  fetched.mockImplementation(async (url) =>
    url === '/api/auth/change-password' ? put() : Response.json({ passwordMinLength: 6 }),
  );
  vi.stubGlobal('fetch', fetched);
  startSession('abc');
  render(
    <QueryClientProvider client={queryClient}>
      <PasswordSection email="maria@example.org" />
    </QueryClientProvider>,
  );
});
afterEach(() => {
  cleanup();
  queryClient.clear();
  vi.unstubAllGlobals();
  endSession();
});

const LABELS = ['Current Password', 'New Password', 'Confirm New Password'];
const button = () => screen.queryByRole('button', { name: 'Change password' });

function change(...passwords: string[]) {
  for (const [at, label] of LABELS.entries()) {
    fireEvent.change(screen.getByLabelText(label), { target: { value: passwords[at] } });
  }
  fireEvent.click(button() ?? document.body);
}

const isSent = () => fetched.mock.calls.some(([url]) => url === '/api/auth/change-password');

test('the "Change password" button appears once a character is typed', () => {
  expect(button()).toBeNull();
  fireEvent.change(screen.getByLabelText('New Password'), { target: { value: 's' } });
  expect(button()).not.toBeNull();
});

test.each([
  ['', 'secret 99', 'secret 99', 'Current password is required'],
  ['old one', '', '', 'New password must be at least 6 characters'],
  ['old one', 'five5', 'five5', 'New password must be at least 6 characters'],
  ['old one', 'secret 99', 'secret 98', 'New passwords do not match'],
])('the password form rejects the input %j, %j, %j with "%s"', (current, next, again, sentence) => {
  change(current, next, again);
  if (button() === null) fireEvent.submit(screen.getByLabelText('New Password').closest('form') as Element);
  expect(screen.getByText(sentence)).toBeDefined();
  expect(isSent()).toBe(false);
});

test('a successful password change is confirmed, and the form is emptied', async () => {
  change('old one', 'secret 99', 'secret 99');
  await screen.findByText('Password changed successfully');
  const [, request] = fetched.mock.calls.find(([url]) => url === '/api/auth/change-password') ?? [];
  expect(JSON.parse(String(request?.body))).toEqual({ currentPassword: 'old one', newPassword: 'secret 99' });
  expect(document.activeElement?.textContent).toBe('Your other devices were signed out.');
  expect(LABELS.map((label) => screen.getByLabelText<HTMLInputElement>(label).value)).toEqual(['', '', '']);
  expect(button()).toBeNull();
  expect(getToken()).toBe('abc');
});

test.each([
  ['Your current password is not correct', 'currentPassword', 'Current Password'],
  ['This password is one of the most common ones. Please choose another.', 'newPassword', 'New Password'],
])('a password error from the server appears at its field: %s', async (error, field, label) => {
  put = () => Response.json({ error, fields: { [field]: error } }, { status: 400 });
  change('old one', 'secret 99', 'secret 99');
  await screen.findByText(error);
  expect(document.activeElement).toBe(screen.getByLabelText(label));
});

test.each([
  ['Network error. Please try again.', () => Promise.reject(new TypeError('Failed to fetch'))],
  ['Request failed', () => new Response('oops', { status: 502 })],
])('a failed password change shows "%s"', async (sentence, answer) => {
  put = answer;
  change('old one', 'secret 99', 'secret 99');
  await screen.findByText(sentence);
});
