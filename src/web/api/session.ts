import { useSyncExternalStore } from 'react';
import { commonMessages } from '#shared/common-messages.ts';
import { dropDrafts, saveDrafts } from '../forms/drafts.ts';
import { say } from '../i18n/translate.ts';
import { notify } from '../ui/toasts.ts';
import { readStored, writeStored } from './browser-storage.ts';
import { clearPersonalData, isSessionAbandoned, keepSessionAlive } from './shared-computer.ts';

// These two names come from the specification (section 2); other clients and tests read them.
const TOKEN = 'token';
const SELECTED_SCHOOL = 'selectedSchoolId';

const listeners = new Set<() => void>();

export function getToken(): string | null {
  return readStored(TOKEN);
}

/** Starts a session. Every call sends this token from now on. */
export function startSession(token: string): void {
  writeStored(TOKEN, token);
  keepSessionAlive();
  changed();
}

/**
 * Drops a token the server no longer accepts; with `token` given, only if it is still in use. A user who was working
 * sees why the sign-in page appears, and finds their input there after signing in.
 */
export function dropToken(token?: string): void {
  if (token !== undefined && token !== getToken()) return;
  const wasAtWork = saveDrafts();
  clearPersonalData();
  writeStored(TOKEN, null);
  changed();
  if (wasAtWork) notify.failure(say(commonMessages.sessionEnded));
}

/** Logs out: removes the token and the selected school (specification section 2). */
export function endSession(): void {
  dropDrafts();
  clearPersonalData();
  schoolHere = undefined;
  writeStored(TOKEN, null);
  writeStored(SELECTED_SCHOOL, null);
  changed();
}

/**
 * Runs before the first screen: ends a session on a shared computer whose last tab was closed. Returns whether it did.
 */
export async function endForgottenSession(): Promise<boolean> {
  if (getToken() === null) return false;
  const isOver = await isSessionAbandoned();
  if (isOver) endSession();
  else keepSessionAlive();
  return isOver;
}

export function useToken(): string | null {
  return useSyncExternalStore(subscribe, getToken);
}

/** Calls back whenever the user's session ends, here or in another tab. */
export function onSessionEnd(callback: () => void): () => void {
  let before = getToken();
  return subscribe(() => {
    const now = getToken();
    if (before !== null && before !== now) callback();
    before = now;
  });
}

// Each page has its own school, because selecting another one in a second tab must not discard input here.
let schoolHere: number | undefined;

/** Returns the last selected school, or undefined. The caller checks whether the user still belongs to it. */
export function getSelectedSchoolId(): number | undefined {
  schoolHere ??= storedSchoolId();
  return schoolHere;
}

export function selectSchool(id: number): void {
  storeSelectedSchool(id);
  changed();
}

/** Stores the current school without rendering any screen again. */
export function storeSelectedSchool(id: number): void {
  schoolHere = id;
  writeStored(SELECTED_SCHOOL, String(id));
}

export function useSelectedSchoolId(): number | undefined {
  return useSyncExternalStore(subscribe, getSelectedSchoolId);
}

function storedSchoolId(): number | undefined {
  const stored = readStored(SELECTED_SCHOOL);
  return stored !== null && /^[1-9]\d{0,14}$/.test(stored) ? Number(stored) : undefined;
}

function changed(): void {
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  // A logout in one tab is a logout in every tab.
  window.addEventListener('storage', listener);
  return () => {
    listeners.delete(listener);
    window.removeEventListener('storage', listener);
  };
}
