const STORAGE_KEY = 'sign-in';

/** The sign-in page's open card and the email typed there. */
export type SignInProgress<Mode> = Readonly<{ mode?: Mode; email?: string }>;

let currentMode: unknown;

/** Sets the current card. Clears the stored progress, which has been shown by then. */
export function setSignInMode(mode: unknown): void {
  currentMode = mode;
  store(undefined);
}

/** Stores the progress for the page load that follows. */
export function storeSignInProgress(): void {
  store({ mode: currentMode, email: document.querySelector<HTMLInputElement>('input[type=email]')?.value });
}

/** Stores an email to prefill on the next sign-in page. */
export function storeSignInEmail(email: string): void {
  store({ email });
}

/** Returns the progress stored before the page was reloaded. */
export function storedSignInProgress<Mode>(): SignInProgress<Mode> {
  try {
    return JSON.parse(sessionStorage.getItem(STORAGE_KEY) ?? '{}');
  } catch {
    return {};
  }
}

function store(progress: object | undefined): void {
  try {
    if (progress === undefined) sessionStorage.removeItem(STORAGE_KEY);
    else sessionStorage.setItem(STORAGE_KEY, JSON.stringify(progress));
  } catch {
    // Storage is off, so the email has to be typed again.
  }
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
