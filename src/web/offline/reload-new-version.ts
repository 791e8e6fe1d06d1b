import { storeDrafts } from '../forms/drafts.ts';
import { countUnsaved, reloadPage } from '../forms/unsaved-changes.ts';
import { leaveWhenSettled } from '../ui/use-back-closes.ts';

/** How long to wait for a new version. */
const LONGEST_MS = 20_000;

/**
 * Reloads the page, from the server if it has another version than this browser's cache, because missing code may be
 * gone from the server. Drafts are restored; where that is not possible, the browser asks first.
 */
export async function reloadNewest(): Promise<void> {
  try {
    const registration = await navigator.serviceWorker?.getRegistration();
    await registration?.update();
    const next = registration?.installing ?? registration?.waiting;
    if (next != null) await takeOver(next);
  } catch {
    // No network, or the server has no worker, so only the cached version is available.
  }
  if (storeDrafts() >= countUnsaved()) reloadPage();
  else await leaveWhenSettled(() => location.reload());
}

/** Activates a new version as soon as it has all its files. */
export function takeOver(next: ServiceWorker): Promise<void> {
  return new Promise((resolve) => {
    const look = () => {
      if (next.state === 'installed') next.postMessage('take over');
      if (next.state === 'activated' || next.state === 'redundant') resolve();
    };
    next.addEventListener('statechange', look);
    setTimeout(resolve, LONGEST_MS);
    look();
  });
}
