/**
 * Runs before everything else, while the product's code is on its way: asks for what the first screen will need, so that
 * code and data come side by side. It stands alone and is written for browsers too old for the rest, which it tells so.
 */

import { adminSchoolName } from '#features/schools/web/admin-school-name.ts';
import type { User } from '#features/users/contract.ts';
import type {} from '#web/api/prefetched-calls.ts';
import type texts from '#web/messages.start.en.json';
import type {} from '#web/offline/install-prompt.ts';
import { storedNavigation } from '#web/ui/stored-navigation.ts';
import { isTab } from './navigation.ts';

/**
 * Put in by the build: what it says, and the files of the first screen of somebody who is signed in, and is not; of the
 * Admin Panel, of its list of hours, and of the desk where hours are verified.
 */
declare const START_TEXTS: Readonly<Record<`web:${keyof typeof texts}`, string>>;
declare const SIGNED_IN_FILES: readonly string[];
declare const SIGNED_OUT_FILES: readonly string[];
declare const PANEL_FILES: readonly string[];
declare const HOURS_FILES: readonly string[];
declare const DESK_FILES: readonly string[];

/** Whatever starts has drawn something by then. */
const STARTED_MS = 3_000;

/** A mailed link or a return from a sign-in elsewhere has a screen of its own, and these names have not. */
const IS_LINK = /^\?(?!(log|open|desk)=)./.test(location.search);
/** The school whose desk a letter leads to. */
const DESK = /^\?desk=([1-9]\d{0,14})$/.exec(location.search)?.[1];

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
  addEventListener('load', () => setTimeout(tellIfNothingCame, STARTED_MS));
  // On a shared computer the session may have ended with its last tab.
  const isUnsure = read('sharedComputer') !== null;
  const token = IS_LINK || isUnsure ? null : read('token');
  const place = DESK === undefined ? storedNavigation().pop() : 'time-entries';
  const isPanel = place !== undefined && !isTab(place);
  window.begunCalls = new Map();
  // Before the files: a few connections carry all of it.
  begin('/api/config', token);
  if (token === null) fetchAhead(SIGNED_OUT_FILES);
  else if (isPanel) beginPanel(place, token);
  else beginTracker(token);
}

function beginPanel(place: string, token: string): void {
  const profile = ask('/api/profile', token);
  begin('/api/schools/public', token);
  if (place === 'time-entries') beginHours(profile, token);
  fetchAhead(panelFiles(place));
}

function beginTracker(token: string): void {
  begin('/api/profile', token);
  fetchAhead(SIGNED_IN_FILES);
  const school = read('selectedSchoolId') ?? '';
  if (!/^[1-9]\d{0,14}$/.test(school)) return;
  begin(`/api/activities?schoolId=${school}`, token);
  // What stands below the list comes after it.
  begin(`/api/time-entries?limit=20&schoolId=${school}`, token);
}

function panelFiles(place: string): readonly string[] {
  if (place !== 'time-entries') return PANEL_FILES;
  return [...PANEL_FILES, ...(DESK === undefined ? HOURS_FILES : DESK_FILES)];
}

function fetchAhead(files: readonly string[]): void {
  for (const href of files) {
    const link = document.createElement('link');
    if (/css$/.test(href)) {
      link.rel = 'preload';
      link.as = 'style';
    } else link.rel = 'modulepreload';
    link.crossOrigin = '';
    link.href = href;
    document.head.append(link);
  }
}

// The hours that a list or a desk begins with, once it is known whose they are: others may not ask for them.
function beginHours(profile: Promise<Response>, token: string): void {
  profile
    .then((response) => response.clone().json())
    .then(({ user }: { user: Pick<User, 'id' | 'role'> }) => {
      if (user.role !== 'admin') return;
      if (DESK !== undefined) {
        begin(`/api/admin/verifications?schoolId=${DESK}&status=waiting&limit=500`, token);
        return;
      }
      const school = read(adminSchoolName(user.id)) || '';
      if (!/^(all|[1-9]\d{0,14})$/.test(school)) return;
      const at = school === 'all' ? '' : `schoolId=${school}`;
      begin(`/api/admin/time-entries?${at}${at && '&'}sortBy=entryDate&sortOrder=desc`, token);
      begin(`/api/admin/time-entries/summary${at && '?'}${at}`, token);
    })
    .catch(() => undefined);
}

function begin(url: string, token: string | null): void {
  void ask(url, token);
}

function ask(url: string, token: string | null): Promise<Response> {
  const headers = {
    accept: 'application/json',
    ...(token === null ? {} : { authorization: `Bearer ${token}` }),
  };
  const response = fetch(url, { headers });
  // Whoever takes the answer sees the failure.
  response.catch(() => undefined);
  window.begunCalls?.set(url, { token, response });
  return response;
}

// A page with nothing but a name would not say what to do.
function tellIfNothingCame(): void {
  const starting = document.getElementById('starting');
  if (starting === null) return;
  const isOld = !('toSorted' in []) || !CSS.supports('color', 'color-mix(in srgb, red, blue)');
  const told = document.createElement('p');
  told.setAttribute('role', 'alert');
  told.className = 'p-4';
  told.textContent = START_TEXTS[isOld ? 'web:tooOld' : 'web:notStarted'];
  starting.after(told);
}

start();
