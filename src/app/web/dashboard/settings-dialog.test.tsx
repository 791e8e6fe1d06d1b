import { QueryClientProvider } from '@tanstack/react-query';
import { act, cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react';
import { useState } from 'react';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { replaceReload } from '#test/dom/location.ts';
import { cedarValley, maria } from '#test/dom/signed-in.ts';
import { queryClient } from '#web/api/query-client.ts';
import { endSession, startSession } from '#web/api/session.ts';
import { storeLanguage } from '#web/i18n/language.ts';
import { ConfirmDiscard } from '#web/ui/confirm-discard.tsx';
import { notify } from '#web/ui/toasts.ts';
import { SettingsDialog } from './settings-dialog.tsx';

const lincoln = { id: 1, name: 'Lincoln', logoUrl: null };
const user = maria({ schools: [lincoln] });

// The first test also waits for the dialog's chunk to load.
const SOON = { timeout: 5_000 };

const turn = vi.fn();
const reload = vi.fn();
replaceReload(reload);

beforeEach(async () => {
  turn.mockReset();
  reload.mockReset();
  vi.stubGlobal(
    'fetch',
    vi.fn(async (url: string) => {
      if (url === '/api/profile') {
        return Response.json({
          user: { ...user, firstName: 'Mary' },
          message: 'Profile updated successfully',
        });
      }
      if (url === '/api/my-activity-suggestions/mail') {
        return Response.json({ mail: { decisions: true, digest: false } });
      }
      if (url === '/api/profile/sessions') return Response.json({ sessions: [] });
      if (url === '/api/profile/second-factor/passkeys') {
        return Response.json({ passkeys: [], offeredAt: null });
      }
      if (url === '/api/profile/second-factor') {
        return Response.json({
          totp: null,
          recoveryCodesLeft: 0,
          isSetUp: false,
          isOverdue: false,
          neededFrom: null,
        });
      }
      if (url === '/api/schools/public') return Response.json({ schools: [lincoln] });
      return Response.json(cedarValley);
    }),
  );
  // The test environment lacks it.
  vi.stubGlobal('CSS', { escape: String });
  startSession('abc');
  render(
    <QueryClientProvider client={queryClient}>
      <Page />
    </QueryClientProvider>,
  );
  await open();
});
afterEach(() => {
  cleanup();
  queryClient.clear();
  notify.closeAll();
  vi.useRealTimers();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
  endSession();
  delete document.documentElement.dataset['theme'];
  localStorage.clear();
});

function Page() {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <>
      <button type="button" onClick={() => setIsOpen(true)}>
        Open
      </button>
      <SettingsDialog
        user={user}
        district={cedarValley}
        isOpen={isOpen}
        onClose={() => setIsOpen(false)}
        shortcuts={{ isOn: true, toggle: turn }}
      />
      <ConfirmDiscard />
    </>
  );
}

async function open() {
  fireEvent.click(screen.getByRole('button', { name: 'Open', hidden: true }));
  await screen.findByRole('dialog', { name: 'Account Settings' }, SOON);
}

async function close() {
  fireEvent.click(screen.getByRole('button', { name: 'Close' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
}

const fill = (label: string, value: string) =>
  fireEvent.change(screen.getByLabelText(label), { target: { value } });
const typedIn = (label: string) => screen.getByLabelText<HTMLInputElement>(label).value;

test('the settings dialog shows three sections', () => {
  const titles = screen.getAllByRole('heading', { level: 3 }).map((heading) => heading.textContent);
  expect(titles).toEqual(['Profile Information', 'Change Password', 'Account Information']);
});

test('closing the settings dialog stores profile input, but asks before it discards a password', async () => {
  const notified = vi.spyOn(notify, 'success');
  fill('First Name', 'Mary');
  fill('Current Password', 'secret 99');
  fireEvent.click(screen.getByRole('button', { name: 'Close' }));
  fireEvent.click(await screen.findByRole('button', { name: 'Discard' }, SOON));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(notified).toHaveBeenCalledWith('Not saved yet: your changes are still in Settings');
  await open();
  expect(typedIn('First Name')).toBe('Mary');
  expect(typedIn('Current Password')).toBe('');
});

test('closing the settings dialog shows no notice if nothing changed', async () => {
  const notified = vi.spyOn(notify, 'success');
  await close();
  expect(notified).not.toHaveBeenCalled();
});

test('saving the profile reloads the page a second later', async () => {
  fill('First Name', 'Mary');
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  fireEvent.click(screen.getByRole('button', { name: 'Save changes' }));
  // waitFor also advances the fake clock by its interval.
  await vi.waitFor(() => screen.getByText('Profile updated successfully'), { interval: 1 });
  act(() => vi.advanceTimersByTime(900));
  expect(reload).not.toHaveBeenCalled();
  act(() => vi.advanceTimersByTime(100));
  expect(reload).toHaveBeenCalledTimes(1);
});

test('the selected color theme is applied immediately', () => {
  fireEvent.click(screen.getByRole('radio', { name: 'Dark' }));
  expect(document.documentElement.dataset['theme']).toBe('dark');
  fireEvent.click(screen.getByRole('radio', { name: 'Device' }));
  expect(document.documentElement.dataset['theme']).toBeUndefined();
});

test('keyboard shortcuts can be turned off', () => {
  fireEvent.click(screen.getByRole('checkbox', { name: 'Use keyboard shortcuts' }));
  expect(turn).toHaveBeenCalledWith(false);
});

describe('the language setting', () => {
  beforeEach(() => {
    vi.stubGlobal('navigator', { ...navigator, languages: ['en-US'] });
  });
  afterEach(() => {
    storeLanguage(null);
  });

  const choose = (value: string) =>
    fireEvent.change(screen.getByLabelText('Language'), { target: { value } });
  const save = () => fireEvent.click(screen.getByRole('button', { name: 'Save language' }));
  const sent = () =>
    vi
      .mocked(fetch)
      .mock.calls.flatMap(([url, request]) =>
        url === '/api/profile' ? [JSON.parse(String(request?.body))] : [],
      );

  test("offers the browser's language and the district's languages", () => {
    const options = [...screen.getByLabelText<HTMLSelectElement>('Language').options];
    expect(options.map(({ text, lang }) => [text, lang])).toEqual([
      ['Same as my browser (English)', ''],
      ['English', 'en'],
      ['Español', 'es'],
    ]);
    expect(screen.queryByRole('button', { name: 'Save language' })).toBeNull();
  });

  test('is stored in the account and on the device, and reloads the page', async () => {
    choose('es');
    expect(sent()).toEqual([]);
    save();
    await waitFor(() => expect(reload).toHaveBeenCalledTimes(1));
    expect(sent()).toEqual([{ language: 'es' }]);
    expect(document.cookie).toBe('language=es');
  });

  test('does not reload a page that already uses the language', async () => {
    choose('en');
    save();
    await screen.findByText('Profile updated successfully');
    expect(sent()).toEqual([{ language: 'en' }]);
    expect(reload).not.toHaveBeenCalled();
  });

  test('asks before it discards unsaved input', async () => {
    fill('First Name', 'Mary');
    choose('es');
    save();
    fireEvent.click(await screen.findByRole('button', { name: 'Keep editing' }, SOON));
    expect(sent()).toEqual([]);
    expect(typedIn('First Name')).toBe('Mary');
    save();
    fireEvent.click(await screen.findByRole('button', { name: 'Discard' }, SOON));
    await waitFor(() => expect(reload).toHaveBeenCalledTimes(1));
  });
});

test('the language setting is missing in a district with one language', async () => {
  cleanup();
  render(
    <QueryClientProvider client={queryClient}>
      <SettingsDialog
        user={user}
        district={{ ...cedarValley, languages: ['en'] }}
        isOpen
        onClose={() => undefined}
        shortcuts={{ isOn: true, toggle: turn }}
      />
    </QueryClientProvider>,
  );
  await screen.findByRole('dialog', { name: 'Account Settings' }, SOON);
  expect(screen.queryByLabelText('Language')).toBeNull();
});
