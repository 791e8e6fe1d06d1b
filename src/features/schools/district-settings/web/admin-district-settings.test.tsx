import { QueryClientProvider } from '@tanstack/react-query';
import { fireEvent, render, screen, waitFor } from '@testing-library/react';
import { beforeEach, expect, test } from 'vitest';
import { signedIn } from '#test/dom/signed-in.ts';
import { queryClient } from '#web/api/query-client.ts';
import { DistrictSettingsScreen } from './admin-district-settings.tsx';

const settings = {
  districtName: 'Cedar Valley',
  supportEmail: 'help@example.org',
  schoolYearStart: '07-01',
  timeZone: 'America/Chicago',
  isTimeZoneFixed: false,
  isAccessDecided: false,
  registration: 'open',
  photosSeenBy: 'members',
  languages: ['en', 'es'],
  logoUrl: null,
  mail: { url: null, server: null, isReadable: true, from: null },
};

const { fetched } = signedIn({
  'GET /api/admin/settings': () => Response.json({ settings, setByServer: [], retentionPending: null }),
  'PUT /api/admin/settings': () =>
    Response.json({ settings, setByServer: [], retentionPending: null, message: 'Settings saved' }),
});

beforeEach(async () => {
  render(
    <QueryClientProvider client={queryClient}>
      <DistrictSettingsScreen email="ada@example.org" onSystem={() => undefined} />
    </QueryClientProvider>,
  );
  await screen.findByRole('group', { name: 'Languages' });
});

const box = (name: string) => screen.getByRole<HTMLInputElement>('checkbox', { name });
const save = () => fireEvent.click(screen.getByRole('button', { name: 'Save district' }));
const sent = () =>
  fetched.mock.calls.flatMap(([, request]) =>
    request?.method === 'PUT' ? [JSON.parse(String(request.body))] : [],
  );

test('the offered languages are checked, and only those still checked are saved', async () => {
  expect([box('English').checked, box('Español').checked]).toEqual([true, true]);
  fireEvent.click(box('English'));
  fireEvent.click(box('English'));
  fireEvent.click(box('Español'));
  save();
  await waitFor(() => expect(sent()).toMatchObject([{ languages: ['en'] }]));
});

test('a district without a language is rejected', () => {
  fireEvent.click(box('English'));
  fireEvent.click(box('Español'));
  save();
  expect(screen.getAllByText('Please choose at least one language')).not.toHaveLength(0);
  expect(document.activeElement).toBe(box('English'));
  expect(sent()).toEqual([]);
});

test('the menu for the start of the school year lists months without a year', () => {
  const options = [...screen.getByLabelText<HTMLSelectElement>('School year starts in').options];
  expect(options.map(({ text }) => text).slice(0, 3)).toEqual(['January', 'February', 'March']);
});

test('approval and approved members are preselected until an administrator decides', async () => {
  const radio = (name: RegExp) => screen.getAllByRole<HTMLInputElement>('radio', { name })[0];
  expect(radio(/approv/i)?.checked).toBe(true);
  fireEvent.click(screen.getByRole('button', { name: 'Save people and photos' }));
  await waitFor(() => expect(sent()).toEqual([{ registration: 'approval', photosSeenBy: 'approved' }]));
});

test('the current time in the selected time zone is visible', () => {
  const field = screen.getByLabelText<HTMLSelectElement>('Time zone');
  expect([field.value, field.options.length > 100]).toEqual(['America/Chicago', true]);
  expect(screen.getByText(/^It is \d+:\d\d [AP]M there now/)).toBeDefined();
});
