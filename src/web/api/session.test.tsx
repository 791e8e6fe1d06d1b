import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import {
  dropToken,
  endSession,
  getSelectedSchoolId,
  getToken,
  onSessionEnd,
  selectSchool,
  startSession,
} from './session.ts';

beforeEach(() => localStorage.clear());
afterEach(() => {
  vi.restoreAllMocks();
  endSession();
});

test('the token and the school are stored under the specified names', () => {
  startSession('abc');
  selectSchool(7);
  expect(localStorage.getItem('token')).toBe('abc');
  expect(localStorage.getItem('selectedSchoolId')).toBe('7');
});

test('logout clears the token and the school', () => {
  startSession('abc');
  selectSchool(7);
  endSession();
  expect(localStorage.length).toBe(0);
});

test('dropping a rejected token keeps the school', () => {
  startSession('abc');
  selectSchool(7);
  dropToken('abc');
  expect(getToken()).toBeNull();
  expect(getSelectedSchoolId()).toBe(7);
});

test('selecting a school in another tab does not change this page', () => {
  selectSchool(7);
  localStorage.setItem('selectedSchoolId', '8');
  window.dispatchEvent(new StorageEvent('storage', { key: 'selectedSchoolId', newValue: '8' }));
  expect(getSelectedSchoolId()).toBe(7);
});

test('a late 401 of an old token does not end the new session', () => {
  startSession('new');
  dropToken('old');
  expect(getToken()).toBe('new');
});

test.each(['', 'abc', '0', '-1', '1.5', '1e3'])('a stored school of %j is ignored', (stored) => {
  localStorage.setItem('selectedSchoolId', stored);
  expect(getSelectedSchoolId()).toBeUndefined();
});

test('a session can start and end even if storage is full', () => {
  vi.spyOn(Storage.prototype, 'setItem').mockImplementation(() => {
    throw new DOMException('no room', 'QuotaExceededError');
  });
  startSession('abc');
  expect(getToken()).toBe('abc');
  endSession();
  expect(getToken()).toBeNull();
});

test('listeners are notified when a session ends, not when it starts', () => {
  const ended = vi.fn();
  const stop = onSessionEnd(ended);
  startSession('abc');
  selectSchool(7);
  expect(ended).not.toHaveBeenCalled();
  endSession();
  expect(ended).toHaveBeenCalledTimes(1);
  stop();
});

test('a logout in another tab ends the session here', () => {
  startSession('abc');
  const ended = vi.fn();
  const stop = onSessionEnd(ended);
  localStorage.removeItem('token');
  window.dispatchEvent(new StorageEvent('storage', { key: 'token' }));
  expect(ended).toHaveBeenCalledTimes(1);
  stop();
});
