const KEPT = 'sign-in';

/** The sign-in page's open card and the email typed there. */
export type SignInProgress<Mode> = Readonly<{ mode?: Mode; email?: string }>;

let shown: unknown;

/** Sets the current card. Clears the stored progress, which has been shown by then. */
export function setSignInMode(mode: unknown): void {
  shown = mode;
  keep(undefined);
}

/** Stores the progress for the page load that follows. */
export function storeSignInProgress(): void {
  keep({ mode: shown, email: document.querySelector<HTMLInputElement>('input[type=email]')?.value });
}

/** Stores an email to prefill on the next sign-in page. */
export function storeSignInEmail(email: string): void {
  keep({ email });
}

/** Returns the progress stored before the page was reloaded. */
export function storedSignInProgress<Mode>(): SignInProgress<Mode> {
  try {
    return JSON.parse(sessionStorage.getItem(KEPT) ?? '{}');
  } catch {
    return {};
  }
}

function keep(begun: object | undefined): void {
  try {
    if (begun === undefined) sessionStorage.removeItem(KEPT);
    else sessionStorage.setItem(KEPT, JSON.stringify(begun));
  } catch {
    // Storage is off, so the email has to be typed again.
  }
}

let query = '';

/** Keeps the query of an emailed link in memory while it can be used. */
export function keepLink(opened: string): void {
  query = opened;
}

/** Puts the link back into the URL for the page load that follows. */
export function restoreLink(): void {
  if (query !== '') history.replaceState(history.state, '', `${location.pathname}${query}`);
}
