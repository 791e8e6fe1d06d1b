import { describe, expect, test } from 'vitest';
import { NOW } from '#test/harness.ts';
import { actorOf, narrowTo, scopeOf } from './viewer.ts';

const volunteer = { userId: 7, sessionId: 70, role: 'user', schoolIds: [1, 2] } as const;
const administrator = { userId: 8, sessionId: 80, role: 'admin', schoolIds: [1] } as const;

describe('the schools that lists and look-ups are held to', () => {
  test('are for an administrator all, whichever they belong to', () => {
    expect(scopeOf(administrator)).toBe('all');
  });

  test('are for a volunteer those they belong to, and none for one without a school', () => {
    expect(scopeOf(volunteer)).toEqual([1, 2]);
    expect(scopeOf({ ...volunteer, schoolIds: [] })).toEqual([]);
  });

  test('can be one of them, and no other', () => {
    expect(narrowTo(scopeOf(volunteer), 2)).toEqual([2]);
    expect(narrowTo(scopeOf(volunteer), 3)).toBeUndefined();
    expect(narrowTo(scopeOf({ ...volunteer, schoolIds: [] }), 1)).toBeUndefined();
    expect(narrowTo(scopeOf(administrator), 3)).toEqual([3]);
  });
});

test('who acts is the viewer, or nobody, by a request that is known again', () => {
  const request = { at: NOW, address: '10.0.0.1', requestId: 'r1', agent: 'test' };
  const by = { at: NOW, address: '10.0.0.1', requestId: 'r1' };
  expect(actorOf(volunteer, request)).toEqual({ userId: 7, ...by });
  expect(actorOf(undefined, request)).toEqual({ userId: null, ...by });
});
