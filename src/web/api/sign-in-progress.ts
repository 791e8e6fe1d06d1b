const KEPT = 'sign-in';

/** What somebody has begun on the sign-in page: which of its cards shows, and the address typed there. */
export type SignInProgress<Mode> = Readonly<{ mode?: Mode; email?: string }>;

let shown: unknown;

/** Notes the card that shows. What was begun before the page came again is shown with it, and forgotten. */
export function setSignInMode(mode: unknown): void {
  shown = mode;
  keep(undefined);
}

/** Keeps what is begun for the page that is about to be loaded again. */
export function storeSignInProgress(): void {
  keep({ mode: shown, email: document.querySelector<HTMLInputElement>('input[type=email]')?.value });
}

/** Fills the address in on the sign-in page that comes next. */
export function storeSignInEmail(email: string): void {
  keep({ email });
}

/** What was begun before the page came again. */
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
    // Storage is switched off: the address is typed again.
  }
}

let query = '';

/** Keeps the query of a mailed link in memory, as long as it opens something. */
export function keepLink(opened: string): void {
  query = opened;
}

/** Puts the link back into the address, for the page that is about to be loaded again. */
export function restoreLink(): void {
  if (query !== '') history.replaceState(history.state, '', `${location.pathname}${query}`);
}
