import { QueryClientProvider } from '@tanstack/react-query';
import { cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { LoginView } from '#app/web/login.tsx';
import { ForgotPassword } from '#features/auth/passwords/web/forgot-password.tsx';
import { SecondFactorView } from '#features/auth/two-factor/web/two-factor-sign-in-screen.tsx';
import { replaceReload, setUrl } from '#test/dom/location.ts';
import { cedarValley } from '#test/dom/signed-in.ts';
import { queryClient } from '#web/api/query-client.ts';
import { storeLink } from '#web/api/sign-in-progress.ts';
import { storeLanguage } from '#web/i18n/language.ts';
import { ConfirmDiscard } from '#web/ui/confirm-discard.tsx';

const reload = vi.fn();
replaceReload(reload);
let languages: string[];

beforeEach(() => {
  languages = ['en', 'es'];
  reload.mockReset();
  vi.stubGlobal(
    'fetch',
    vi.fn(async (url: string) =>
      url === '/api/schools/public'
        ? Response.json({ schools: [] })
        : Response.json({ ...cedarValley, languages }),
    ),
  );
  // The test environment lacks it.
  vi.stubGlobal('CSS', { escape: String });
});
afterEach(() => {
  cleanup();
  queryClient.clear();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
  sessionStorage.clear();
  storeLink('');
  storeLanguage(null);
});

function show(page = <LoginView />) {
  render(
    <QueryClientProvider client={queryClient}>
      {page}
      <ConfirmDiscard />
    </QueryClientProvider>,
  );
}

const spanish = () => screen.findByRole('button', { name: 'Español' });
const fill = (label: string, value: string) =>
  fireEvent.change(screen.getByLabelText(label), { target: { value } });
const typedIn = (label: string) => screen.getByLabelText<HTMLInputElement>(label).value;

test('the language switch offers the other language by its own name, and reloads the page in it', async () => {
  show();
  expect((await spanish()).lang).toBe('es');
  expect(screen.queryByRole('button', { name: 'English' })).toBeNull();
  fireEvent.click(await spanish());
  expect(document.cookie).toBe('language=es');
  expect(reload).toHaveBeenCalledTimes(1);
});

test('the language switch stores the choice for a year in a cookie that is secure on HTTPS', async () => {
  setUrl('https://localhost:3000/');
  const set = vi.spyOn(document, 'cookie', 'set');
  show();
  fireEvent.click(await spanish());
  expect(set).toHaveBeenCalledWith('language=es; Path=/; Max-Age=31536000; SameSite=Lax; Secure');
  setUrl('http://localhost:3000/');
});

test('the language switch is hidden in a district with one language', async () => {
  languages = ['en'];
  show();
  await screen.findByText('Cedar Valley');
  expect(screen.queryByRole('button', { name: 'Español' })).toBeNull();
});

test('switching the language keeps the typed email address for one page load', async () => {
  show();
  fill('Email', 'ana@example.org');
  fireEvent.click(await spanish());
  cleanup();
  show();
  expect(typedIn('Email')).toBe('ana@example.org');
  cleanup();
  show();
  expect(typedIn('Email')).toBe('');
});

test('switching the language during registration asks before discarding input, and returns there', async () => {
  show();
  await spanish();
  fireEvent.click(screen.getByRole('button', { name: "Don't have an account? Create one" }));
  fill('First Name', 'Ana');
  fill('Email', 'ana@example.org');
  fireEvent.click(await spanish());
  expect(reload).not.toHaveBeenCalled();
  fireEvent.click(await screen.findByRole('button', { name: 'Discard' }, { timeout: 5_000 }));
  await waitFor(() => expect(reload).toHaveBeenCalledTimes(1));
  cleanup();
  show();
  await screen.findByRole('heading', { name: 'Create your account' });
  expect(typedIn('Email')).toBe('ana@example.org');
  expect(typedIn('First Name')).toBe('');
});

test('switching the language keeps the token of an emailed link in the URL', async () => {
  const replaced = vi.spyOn(history, 'replaceState').mockReturnValue();
  storeLink('?token=abc');
  show(<ForgotPassword email="" onBack={() => undefined} />);
  fireEvent.click(await spanish());
  expect(replaced).toHaveBeenCalledWith(history.state, '', '/?token=abc');
});

test('the language switch is hidden in the second sign-in step, because a reload would lose it', async () => {
  show(<SecondFactorView challenge="abc" onBack={() => undefined} />);
  await screen.findByText('Cedar Valley');
  expect(screen.queryByRole('button', { name: 'Español' })).toBeNull();
});
