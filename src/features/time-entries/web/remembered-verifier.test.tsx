import { beforeEach, expect, test } from 'vitest';
import { endSession, startSession } from '#web/api/session.ts';
import { readRememberedVerifier, rememberVerifier } from './remembered-verifier.ts';

beforeEach(() => localStorage.clear());

test('the external verifier of an activity is remembered until the session ends', () => {
  startSession('one');
  rememberVerifier(7, 3, 'coach@club.example');
  localStorage.setItem('theme', 'dark');
  expect(readRememberedVerifier(7, 3)).toBe('coach@club.example');
  endSession();
  expect(readRememberedVerifier(7, 3)).toBeUndefined();
  expect(JSON.stringify(localStorage)).not.toContain('coach');
  expect(localStorage.getItem('theme')).toBe('dark');
});
