import { describe, expect, test } from 'vitest';
import {
  findExactMember,
  findMeantMembers,
  findMembers,
  type Member,
  parseRow,
  splitPastedLines,
  toNewcomer,
} from './group-entry-rows.ts';

const member = (
  id: number,
  firstName: string,
  lastName: string,
  email = `${id}@maplegrove.example`,
): Member => ({
  id,
  firstName,
  lastName,
  email,
  isWalkIn: false,
});
const ann = member(1, 'Ann', 'Lee');
const anna = member(2, 'Anna', 'Leeds');
const zoe = member(3, 'Zoë', "O'Hara");
const leann = member(4, 'Lee', 'Ann');
const members = [ann, anna, zoe];

describe('the row parser', () => {
  test.each([
    ['Ann Lee', 'Ann', 'Lee', null, undefined],
    ['Lee, Ann', 'Ann', 'Lee', null, undefined],
    ['Lee, Ann, 2.5', 'Ann', 'Lee', null, 2.5],
    ['Ann\tLee\t2', 'Ann', 'Lee', null, 2],
    ['Ann Lee 2h', 'Ann', 'Lee', null, 2],
    ['Ann Lee\t1,5', 'Ann', 'Lee', null, 1.5],
    ['Mary Jane Watson', 'Mary Jane', 'Watson', null, undefined],
    ['Lee, Ann, ann@maplegrove.example, 3', 'Ann', 'Lee', 'ann@maplegrove.example', 3],
    ['ann@maplegrove.example', '', '', 'ann@maplegrove.example', undefined],
    ['Ann;Lee;2', 'Ann', 'Lee', null, 2],
    ['Ann Lee 2.5 hours', 'Ann', 'Lee', null, 2.5],
    ['Ann Lee, 2 hrs', 'Ann', 'Lee', null, 2],
    ['Ana Ruiz 2 horas', 'Ana', 'Ruiz', null, 2],
    // Not a valid number of hours, so it stays visible and can be corrected.
    ['Ann Lee 100', 'Ann Lee', '100', null, undefined],
    ['Ann', 'Ann', '', null, undefined],
    ['', '', '', null, undefined],
    [',,,', '', '', null, undefined],
  ])('parses %j', (line, firstName, lastName, email, hours) => {
    expect(parseRow(line)).toEqual({ firstName, lastName, email, hours });
  });

  test('drops control characters and blank lines', () => {
    expect(splitPastedLines('Ann Lee\r\n\r\n \u0000\nZoë\u0007 Hall\r')).toEqual(['Ann Lee', 'Zoë Hall']);
    expect(() => parseRow('x'.repeat(10_000))).not.toThrow();
  });
});

describe('matching a row to members', () => {
  test('prefers an exact address or name, ignoring accents, over partial matches', () => {
    expect(findMeantMembers(members, parseRow('lee, ann'))).toEqual([ann]);
    expect(findMeantMembers(members, parseRow("zoe o'hara 2"))).toEqual([zoe]);
    expect(findMeantMembers(members, parseRow('Somebody Else, 3@MapleGrove.example'))).toEqual([zoe]);
    expect(findMeantMembers(members, parseRow('An Lee'))).toEqual([ann, anna]);
    expect(findMeantMembers(members, parseRow('Kim Ode'))).toEqual([]);
  });

  test('is exact only for a whole address or a whole name', () => {
    expect(findExactMember(members, parseRow('lee, ann'))).toBe(ann);
    expect(findExactMember(members, parseRow('Somebody Else, 3@MapleGrove.example'))).toBe(zoe);
    // The only match, but it may be another person.
    expect(findMeantMembers(members, parseRow('Zo Ohara'))).toEqual([]);
    expect(findMeantMembers(members, parseRow('Anna Lee'))).toEqual([anna]);
    expect(findExactMember(members, parseRow('Anna Lee'))).toBeUndefined();
    expect(findExactMember(members, parseRow('Ann Lee, another@maplegrove.example'))).toBeUndefined();
    expect(
      findExactMember([member(6, 'Ana', 'Gil', 'aná@x.example')], parseRow('ana@x.example')),
    ).toBeUndefined();
    expect(findExactMember([ann, leann], parseRow('Ann Lee'))).toBeUndefined();
  });

  test('returns all members with the same name', () => {
    expect(findMeantMembers([ann, leann], parseRow('Ann Lee'))).toEqual([ann, leann]);
  });

  test('matches the start of words, first names before last names', () => {
    expect(findMembers(members, 'le')).toEqual([ann, anna]);
    expect(findMembers([ann, leann], 'lee')).toEqual([leann, ann]);
    expect(findMembers(members, 'oh')).toEqual([]);
    // An exact name before a prefix, and names before email addresses.
    expect(findMembers([anna, ann, member(5, 'Ann', 'Leeds')], 'ann lee').map(({ id }) => id)).toEqual([
      1, 2, 5,
    ]);
    const byAddress = member(6, 'Ann', 'Lee', 'hall@maplegrove.example');
    const byName = member(7, 'Ann', 'Hall');
    expect(findMembers([byAddress, byName], 'ann h')).toEqual([byName, byAddress]);
    expect(findMembers(members, 'hara z')).toEqual([zoe]);
    expect(findMembers(members, '  ')).toEqual([]);
  });
});

test('a new person gets name and email address from the row', () => {
  const line = { key: 'a', name: 'Lee, Ann, ann@outside.example', hours: 2 };
  expect(toNewcomer(line)).toEqual({ firstName: 'Ann', lastName: 'Lee', email: 'ann@outside.example' });
});
