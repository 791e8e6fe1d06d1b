import { readInTab, writeInTab } from './tab-storage.ts';

const STORAGE_KEY = 'sign-in';

/** The sign-in page's open card and the email typed there. */
export type SignInProgress<Mode> = Readonly<{ mode?: Mode; email?: string }>;

let currentMode: unknown;

/** Sets the current card. Clears the stored progress, which has been shown by then. */
export function setSignInMode(mode: unknown): void {
  currentMode = mode;
  writeInTab(STORAGE_KEY, undefined);
}

/** Stores the progress for the page load that follows. */
export function storeSignInProgress(): void {
  const email = document.querySelector<HTMLInputElement>('input[type=email]')?.value;
  writeInTab(STORAGE_KEY, { mode: currentMode, email });
}

/** Stores an email to prefill on the next sign-in page. */
export function storeSignInEmail(email: string): void {
  writeInTab(STORAGE_KEY, { email });
}

/** Returns the progress stored before the page was reloaded. */
export function storedSignInProgress<Mode>(): SignInProgress<Mode> {
  return readInTab<SignInProgress<Mode>>(STORAGE_KEY, {});
}

let query = '';

/** Keeps the query of an emailed link in memory while it can be used. */
export function storeLink(link: string): void {
  query = link;
}

/** Puts the link back into the URL for the page load that follows. */
export function restoreLink(): void {
  if (query !== '') history.replaceState(history.state, '', `${location.pathname}${query}`);
}
