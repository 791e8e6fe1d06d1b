import './start.ts';
import '#web/forms/no-eval.ts';
import '#web/ui/tolerant-dom.ts';
import { QueryClientProvider } from '@tanstack/react-query';
import { StrictMode, startTransition } from 'react';
import { createRoot } from 'react-dom/client';
import '#features/time-entries/web/remembered-verifier.ts';
import '#web/offline/install-prompt.ts';
import { storeLogCode } from '#features/activities/log-codes/web/stored-log-code.ts';
import { queryClient } from '#web/api/query-client.ts';
import { endForgottenSession, getToken, onSessionEnd } from '#web/api/session.ts';
import { isSharedComputer } from '#web/api/shared-computer.ts';
import { storeLink } from '#web/api/sign-in-progress.ts';
import { storeStartAction } from '#web/api/stored-start-action.ts';
import { clearTab } from '#web/api/tab-storage.ts';
import { ConfirmDiscard } from '#web/ui/confirm-discard.tsx';
import { ErrorBoundary } from '#web/ui/error-boundary.tsx';
import { showTheme } from '#web/ui/theme.ts';
import { ToastRegion } from '#web/ui/toast-region.tsx';
import { notify } from '#web/ui/toasts.ts';
import { isTab } from './navigation.ts';
import { ReAuthentication } from './re-authentication.tsx';
import { LINKS, type Link, loadFirst, Shell } from './shell.tsx';

/** Delays the offline code, so the code of the first screen loads before it. */
const OFFLINE_DELAY_MS = 2_000;

showTheme();

// Clears the user's data from the cache when their session ends, before another user signs in on a shared computer.
onSessionEnd(() => {
  queryClient.removeQueries({ predicate: (query) => query.queryKey[0] !== 'public' });
  notify.closeAll();
  clearTab();
});

const link = takeLink();
const root = document.getElementById('root');
if (root === null) throw new Error('index.html has no element with the id root');

const app = createRoot(root);
// Renders in slices, so a slow phone can respond in between.
const show = () =>
  startTransition(() =>
    app.render(
      <StrictMode>
        <QueryClientProvider client={queryClient}>
          <ErrorBoundary>
            <Shell link={link} />
          </ErrorBoundary>
          <ReAuthentication />
          <ConfirmDiscard />
          <ToastRegion />
        </QueryClientProvider>
      </StrictMode>,
    ),
  );
if (getToken() !== null && isSharedComputer()) void showUnlessForgotten();
// A signed-in user also waits for data and sees gray rows meanwhile.
else if (getToken() !== null && (link === undefined || link.kind === 'desk')) show();
else void loadFirst(link, getToken() !== null).then(show);

async function showUnlessForgotten(): Promise<void> {
  const isOver = await endForgottenSession().finally(show);
  if (isOver)
    await (await import('#web/offline/offline-storage.ts')).removeUnreadable().catch(() => undefined);
}

// The worker is registered after the first screen has loaded, and not for a user who only follows a link.
if (link === undefined) {
  const register = async () => (await import('./service-worker.ts')).registerServiceWorker();
  addEventListener('load', () => setTimeout(() => void register().catch(() => undefined), OFFLINE_DELAY_MS));
}

// The token of an emailed link stays only in memory and is removed from the URL immediately, because others may see or
// copy the URL.
function takeLink(): Link | undefined {
  const query = new URLSearchParams(location.search);
  for (const [name, kind] of Object.entries(LINKS)) {
    const token = query.get(name);
    if (token === null) continue;
    storeLink(`?${name}=${encodeURIComponent(token)}`);
    history.replaceState(null, '', location.pathname);
    return { kind, token };
  }
  takeLogCode(query);
  takeStart(query);
  return undefined;
}

// Stored until a user is signed in, because a reload or an emailed link must not lose it.
function takeLogCode(query: URLSearchParams): void {
  const code = query.get('log');
  if (code === null) return;
  if (code !== '') storeLogCode(code);
  history.replaceState(null, '', location.pathname);
}

// A shortcut of the installed app names the tab that it opens.
function takeStart(query: URLSearchParams): void {
  const place = query.get('open');
  if (place === null) return;
  if (isTab(place)) storeStartAction(place);
  history.replaceState(null, '', location.pathname);
}
