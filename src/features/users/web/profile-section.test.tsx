import { QueryClientProvider } from '@tanstack/react-query';
import { fireEvent, render, screen, waitFor } from '@testing-library/react';
import { beforeEach, expect, test, vi } from 'vitest';
import { maria, signedIn } from '#test/dom/signed-in.ts';
import { queryClient } from '#web/api/query-client.ts';
import type { User } from '../contract.ts';
import { ProfileSection, useProfileForm } from './profile-section.tsx';

const lincoln = { id: 1, name: 'Lincoln', logoUrl: null };
const cedar = { id: 2, name: 'Cedar', logoUrl: null };
const user = maria({ schools: [lincoln] });

const onSaved = vi.fn();
const { answers, fetched } = signedIn({
  'GET /api/schools/public': () => Response.json({ schools: [cedar, lincoln] }),
  'PUT /api/profile': () => Response.json({ user, message: 'Profile updated successfully' }),
});

beforeEach(() => {
  onSaved.mockReset();
});

function Shown({ user }: { user: User }) {
  return <ProfileSection user={user} profile={useProfileForm(user, onSaved)} />;
}

async function show(first: User = user) {
  const wrapped = (shown: User) => (
    <QueryClientProvider client={queryClient}>
      <Shown user={shown} />
    </QueryClientProvider>
  );
  const { rerender } = render(wrapped(first));
  await screen.findByRole('checkbox', { name: /Cedar/ });
  return (next: User) => rerender(wrapped(next));
}

const fill = (label: string, value: string) =>
  fireEvent.change(screen.getByLabelText(label), { target: { value } });
const typedIn = (label: string) => screen.getByLabelText<HTMLInputElement>(label).value;
const box = (name: RegExp) => screen.getByRole<HTMLInputElement>('checkbox', { name });
const saveButton = () => screen.queryByRole('button', { name: 'Save changes' });
const save = () => fireEvent.click(saveButton() ?? document.body);
const sent = (): unknown => {
  const found = fetched.mock.calls.find(([url]) => url === '/api/profile');
  return found === undefined ? undefined : JSON.parse(String(found[1]?.body));
};

test('the save button appears only while there are changes', async () => {
  await show();
  expect(saveButton()).toBeNull();
  fill('First Name', 'Mary');
  expect(saveButton()).not.toBeNull();
  fill('First Name', 'Maria');
  expect(saveButton()).toBeNull();
  fireEvent.click(box(/Cedar/));
  expect(saveButton()).not.toBeNull();
  fireEvent.click(screen.getByRole('button', { name: 'Discard' }));
  expect(box(/Cedar/).checked).toBe(false);
  expect(saveButton()).toBeNull();
});

test('saving sends only changed fields and shows a confirmation', async () => {
  answers['PUT /api/profile'] = () =>
    Response.json({ user: { ...maria, email: 'm@example.org' }, message: 'Profile updated successfully' });
  await show();
  fill('Email', 'm@example.org');
  fireEvent.click(box(/Cedar/));
  save();
  await screen.findByText('Profile updated successfully');
  expect(sent()).toEqual({ email: 'm@example.org', schoolIds: [1, 2] });
  expect(onSaved).toHaveBeenCalledTimes(1);
});

test('an address that needs confirmation is reset to the current one, with an explanation', async () => {
  const message = 'To use m@example.org, open the link we sent to that address within 24 hours.';
  answers['PUT /api/profile'] = () => Response.json({ user, message });
  await show();
  fill('Email', 'm@example.org');
  save();
  await screen.findByText(message);
  expect([typedIn('Email'), saveButton()]).toEqual(['maria@example.org', null]);
  expect(onSaved).not.toHaveBeenCalled();
  fill('First Name', 'Mary');
  expect(saveButton()).not.toBeNull();
});

test.each([
  ['First Name', 'First name and last name are required'],
  ['Last Name', 'First name and last name are required'],
  ['Email', 'Email address is required'],
])('a profile without %s is rejected: %s', async (label, sentence) => {
  await show();
  fill(label, ' ');
  save();
  expect(screen.getByText(sentence)).toBeDefined();
  expect(sent()).toBeUndefined();
});

test('the last school cannot be unchecked', async () => {
  await show();
  fireEvent.click(box(/Lincoln/));
  expect(screen.getAllByText('You must be associated with at least one school')).not.toHaveLength(0);
  expect(box(/Lincoln/).checked).toBe(true);
  fireEvent.click(box(/Cedar/));
  expect(screen.queryByText('You must be associated with at least one school')).toBeNull();
  fireEvent.click(box(/Lincoln/));
  expect(box(/Lincoln/).checked).toBe(false);
});

test('a profile cannot be saved without a school', async () => {
  await show({ ...user, schools: [] });
  fill('First Name', 'Mary');
  save();
  expect(screen.getByText('Please select at least one school')).toBeDefined();
  expect(sent()).toBeUndefined();
});

test('an administrator may belong to no school', async () => {
  await show({ ...user, role: 'admin' });
  fireEvent.click(box(/Lincoln/));
  save();
  await screen.findByText('Profile updated successfully');
  expect(sent()).toEqual({ schoolIds: [] });
});

test('a school that awaits approval is marked, and counts as a school', async () => {
  await show({ ...user, schools: [], pendingSchools: [cedar] });
  expect(box(/Cedar\s+Waiting for approval/).checked).toBe(true);
  fill('First Name', 'Mary');
  save();
  await waitFor(() => expect(sent()).toEqual({ firstName: 'Mary' }));
});

test('a server error appears at its field, and the typed text stays', async () => {
  const error = 'An account with this email already exists';
  answers['PUT /api/profile'] = () => Response.json({ error, fields: { email: error } }, { status: 409 });
  await show();
  fill('Email', 'taken@example.org');
  save();
  await screen.findByText(error);
  expect(typedIn('Email')).toBe('taken@example.org');
  expect(document.activeElement).toBe(screen.getByLabelText('Email'));
  expect(onSaved).not.toHaveBeenCalled();
});

test('a change made elsewhere appears in the form if nothing was typed', async () => {
  const showAgain = await show();
  showAgain({ ...user, firstName: 'Mary' });
  expect(typedIn('First Name')).toBe('Mary');
  expect(saveButton()).toBeNull();
});

test('saving one field does not undo a change to another one made elsewhere', async () => {
  const showAgain = await show();
  fill('Last Name', 'Lima');
  showAgain({ ...user, firstName: 'Mary' });
  save();
  await waitFor(() => expect(sent()).toEqual({ lastName: 'Lima' }));
});
