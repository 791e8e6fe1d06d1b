import { describe, expect, test } from 'vitest';
import { NOW } from '#test/harness.ts';
import { actorOf, canAt, canEverywhere, narrowTo, scopeFor, scopeOf, scopeOfMemberOr } from './viewer.ts';

const volunteer = { userId: 7, sessionId: 70, role: 'user', schoolIds: [1, 2], grants: [] } as const;
const administrator = { userId: 8, sessionId: 80, role: 'admin', schoolIds: [1], grants: [] } as const;

describe('the school scope of lists and lookups', () => {
  test('is all schools for an administrator, whatever schools they belong to', () => {
    expect(scopeOf(administrator)).toBe('all');
  });

  test("is a volunteer's own schools, and nothing without a school", () => {
    expect(scopeOf(volunteer)).toEqual([1, 2]);
    expect(scopeOf({ ...volunteer, schoolIds: [] })).toEqual([]);
  });

  test('can be narrowed to one of these schools, and to no other', () => {
    expect(narrowTo(scopeOf(volunteer), 2)).toEqual([2]);
    expect(narrowTo(scopeOf(volunteer), 3)).toBeUndefined();
    expect(narrowTo(scopeOf({ ...volunteer, schoolIds: [] }), 1)).toBeUndefined();
    expect(narrowTo(scopeOf(administrator), 3)).toEqual([3]);
  });
});

describe('the schools in which a user has a capability', () => {
  const holder = {
    ...volunteer,
    grants: [
      { role: 'school-admin', schoolId: 3 },
      { role: 'coordinator', schoolId: 4 },
    ],
  } as const;
  const auditor = { ...volunteer, grants: [{ role: 'auditor', schoolId: null }] } as const;

  test('are those of the roles that include the capability, not the joined schools', () => {
    expect(scopeFor(holder, 'see entries')).toEqual([3, 4]);
    expect(scopeFor(holder, 'edit school')).toEqual([3]);
    expect(scopeFor(volunteer, 'see entries')).toEqual([]);
    expect(canAt(holder, 'edit activities', 4)).toBe(true);
    expect(canAt(holder, 'edit categories', 4)).toBe(false);
    expect(canAt(holder, 'see entries', 1)).toBe(false);
  });

  test('are all schools for an auditor of all schools, who can only read, and for an administrator', () => {
    expect(scopeFor(auditor, 'see entries')).toBe('all');
    expect(scopeFor(auditor, 'edit entries')).toEqual([]);
    expect(canEverywhere(auditor, 'run the district')).toBe(false);
    expect(canEverywhere(administrator, 'run the district')).toBe(true);
  });

  test('include joined schools if every member has the capability', () => {
    expect(scopeOfMemberOr(holder, 'edit activities')).toEqual([1, 2, 3, 4]);
    expect(scopeOfMemberOr(auditor, 'edit activities')).toEqual([1, 2]);
    expect(scopeOfMemberOr(auditor, 'see photos')).toBe('all');
    expect(scopeOf(auditor)).toEqual([1, 2]);
  });
});

test('the actor of a request is the viewer or null, with the time, address and id of the request', () => {
  const request = { at: NOW, address: '10.0.0.1', requestId: 'r1', agent: 'test' };
  const by = { at: NOW, address: '10.0.0.1', requestId: 'r1' };
  expect(actorOf(volunteer, request)).toEqual({ userId: 7, ...by });
  expect(actorOf(undefined, request)).toEqual({ userId: null, ...by });
});
