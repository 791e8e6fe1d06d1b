import { storeDrafts } from '../forms/drafts.ts';
import { countUnsaved, reloadPage } from '../forms/unsaved-changes.ts';
import { leaveWhenSettled } from '../ui/use-back-closes.ts';

/** Longer is not waited for a new version. */
const LONGEST_MS = 20_000;

/**
 * Loads the page again, from the server where that has another version than this browser keeps: a part of the page that is
 * missing may be gone from there. What is typed comes back; where it cannot, the browser asks first.
 */
export async function reloadNewest(): Promise<void> {
  try {
    const registration = await navigator.serviceWorker?.getRegistration();
    await registration?.update();
    const next = registration?.installing ?? registration?.waiting;
    if (next != null) await takeOver(next);
  } catch {
    // No network, or no worker on the server: what is kept is all there is.
  }
  if (storeDrafts() >= countUnsaved()) reloadPage();
  else await leaveWhenSettled(() => location.reload());
}

/** Lets a new version answer in place of the old one, as soon as it has all its files. */
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
