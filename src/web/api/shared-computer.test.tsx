import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { endForgottenSession, endSession, getToken, startSession } from './session.ts';
import { setSharedComputer } from './shared-computer.ts';

let otherTabs: { name: string }[];

beforeEach(() => {
  localStorage.clear();
  sessionStorage.clear();
  otherTabs = [];
  vi.stubGlobal('navigator', {
    locks: { query: async () => ({ held: otherTabs }), request: async () => undefined },
  });
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
  endSession();
});

function signIn({ isShared }: { isShared: boolean }) {
  setSharedComputer(isShared);
  startSession('abc');
}

test('a session on a shared computer ends when its last tab closes', async () => {
  signIn({ isShared: true });
  await endForgottenSession();
  expect(getToken()).toBeNull();
});

test('a session on a private computer continues after its last tab closes', async () => {
  signIn({ isShared: false });
  await endForgottenSession();
  expect(getToken()).toBe('abc');
});

test('a session on a shared computer continues while another tab is open', async () => {
  signIn({ isShared: true });
  otherTabs = [{ name: 'shared-computer' }];
  await endForgottenSession();
  expect(getToken()).toBe('abc');
});

test('a shared computer whose browser cannot detect other tabs requires a new sign-in', async () => {
  vi.stubGlobal('navigator', {});
  signIn({ isShared: true });
  await endForgottenSession();
  expect(getToken()).toBeNull();
});

test('on a shared computer, a reload continues the session, but a tab restored later does not', async () => {
  vi.useFakeTimers();
  signIn({ isShared: true });
  dispatchEvent(new Event('pagehide'));
  vi.advanceTimersByTime(3_000);
  await endForgottenSession();
  expect(getToken()).toBe('abc');
  dispatchEvent(new Event('pagehide'));
  vi.advanceTimersByTime(60_000);
  await endForgottenSession();
  expect(getToken()).toBeNull();
});

test('signing out removes personal data from a shared computer', () => {
  signIn({ isShared: true });
  localStorage.setItem('selectedSchoolId', '7');
  localStorage.setItem('outsideVerifier:9:3', 'supervisor@example.org');
  localStorage.setItem('theme', 'dark');
  endSession();
  expect({ ...localStorage }).toEqual({ sharedComputer: '1', theme: 'dark' });
});

test('signing out keeps data on a private computer', () => {
  signIn({ isShared: false });
  localStorage.setItem('recentlySelected:9', '[3]');
  endSession();
  expect({ ...localStorage }).toEqual({ 'recentlySelected:9': '[3]' });
});
