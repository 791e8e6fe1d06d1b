/**
 * Runs before everything else, while the product's code is on its way: asks for what the first screen will need, so that
 * code and data come side by side. It stands alone and is written for browsers too old for the rest, which it tells so.
 */
import type {} from '#web/lib/begun-calls.ts';
import type {} from '#web/lib/install-offer.ts';
import type texts from '#web/start-text.en.json';

/** Put in by the build: what it says, and the files of the first screen of somebody who is signed in, and is not. */
declare const START_TEXTS: Readonly<Record<`web:${keyof typeof texts}`, string>>;
declare const SIGNED_IN_FILES: readonly string[];
declare const SIGNED_OUT_FILES: readonly string[];

/** Whatever starts has drawn something by then. */
const STARTED_MS = 3_000;

/** A mailed link or a return from a sign-in elsewhere has a screen of its own, and these names have not. */
const IS_LINK = /^\?(?!(log|open)=)./.test(location.search);

const read = (name: string) => {
  try {
    return localStorage.getItem(name);
  } catch {
    return null;
  }
};

function start(): void {
  // Settings offers it, and nothing else does.
  addEventListener('beforeinstallprompt', (event) => {
    event.preventDefault();
    window.installOffer = event;
  });
  addEventListener('load', () => setTimeout(tellIfEmpty, STARTED_MS));
  const token = IS_LINK ? null : read('token');
  for (const href of token === null ? SIGNED_OUT_FILES : SIGNED_IN_FILES) {
    const link = document.createElement('link');
    link.rel = 'modulepreload';
    link.crossOrigin = '';
    link.href = href;
    document.head.append(link);
  }
  window.begunCalls = new Map();
  begin('/api/config', token);
  if (token === null) return;
  begin('/api/profile', token);
  const school = read('selectedSchoolId') ?? '';
  if (!/^[1-9]\d{0,14}$/.test(school)) return;
  begin(`/api/activities?schoolId=${school}`, token);
  // What stands below the list comes after it.
  begin(`/api/time-entries?limit=20&schoolId=${school}`, token);
}

function begin(url: string, token: string | null): void {
  const headers = {
    accept: 'application/json',
    ...(token === null ? {} : { authorization: `Bearer ${token}` }),
  };
  const response = fetch(url, { headers });
  // Whoever takes the answer sees the failure.
  response.catch(() => undefined);
  window.begunCalls?.set(url, { token, response });
}

// A blank page would not say what to do.
function tellIfEmpty(): void {
  const root = document.getElementById('root');
  if (root === null || root.firstChild !== null) return;
  const isOld = !('toSorted' in []) || !CSS.supports('color', 'color-mix(in srgb, red, blue)');
  const told = document.createElement('p');
  told.setAttribute('role', 'alert');
  told.className = 'p-4';
  told.textContent = START_TEXTS[isOld ? 'web:tooOld' : 'web:notStarted'];
  root.append(told);
}

start();
