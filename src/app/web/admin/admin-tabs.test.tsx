import { expect, test } from 'vitest';
import { roleWords } from '#features/users/roles/web/admin-role-names.ts';
import type { GrantRole } from '#shared/roles.ts';
import { maria } from '#test/dom/signed-in.ts';
import { mayOf } from '#web/api/permissions.ts';
import { t } from '#web/i18n/translate.ts';
import { besideTabsFor, tabsFor } from './admin-tabs.ts';

const LINCOLN = { id: 1, name: 'Lincoln' };
const CEDAR = { id: 2, name: 'Cedar Ridge' };
const as = (role: GrantRole, ...schools: (typeof LINCOLN | null)[]) =>
  schools.map((school) => ({ role, school }));

const titles = (entries: ReturnType<typeof tabsFor> | ReturnType<typeof besideTabsFor>) =>
  entries.map(({ title }) => t(title));

const OF_SCHOOLS = [
  'Users',
  'Schools',
  'Categories',
  'Activities',
  'Suggestions',
  'Time Entries',
  'Photos',
  'Analytics',
];

test('a district administrator has the tabs of the specification, in its order, and Photos', () => {
  const may = mayOf(maria({ role: 'admin' }));
  expect(titles(tabsFor(may))).toEqual([
    'Users',
    'Schools',
    'Categories',
    'Activities',
    'Suggestions',
    'Time Entries',
    'Photo Sync',
    'Photos',
    'Analytics',
  ]);
  expect(titles(besideTabsFor(may))).toEqual(['District log', 'Settings', 'System']);
});

test.each(['school-admin', 'coordinator', 'auditor'] as const)(
  'a %s of a school has the tabs of schools, and the log of that school',
  (role) => {
    const may = mayOf(maria({ grants: as(role, LINCOLN) }));
    expect(titles(tabsFor(may))).toEqual(OF_SCHOOLS);
    expect(titles(besideTabsFor(may))).toEqual(['Log']);
  },
);

test("an auditor of all schools has the district's log, and not its server", () => {
  const may = mayOf(maria({ grants: as('auditor', null) }));
  expect(titles(tabsFor(may))).toEqual(OF_SCHOOLS);
  expect(titles(besideTabsFor(may))).toEqual(['District log']);
});

test('a volunteer has none', () => {
  expect(tabsFor(mayOf(maria()))).toEqual([]);
  expect(besideTabsFor(mayOf(maria()))).toEqual([]);
});

test.each([
  [as('school-admin', LINCOLN), 'School administrator at Lincoln'],
  [as('coordinator', LINCOLN, CEDAR), 'Coordinator at 2 schools'],
  [as('auditor', CEDAR), 'Auditor at Cedar Ridge'],
  [as('auditor', LINCOLN, null), 'Auditor of all schools'],
  [
    [...as('auditor', null), ...as('school-admin', LINCOLN)],
    'School administrator at Lincoln · Auditor of all schools',
  ],
  [[], undefined],
])('the roles %j are said in words', (grants, words) => {
  expect(roleWords(maria({ grants }), t)).toBe(words);
});

test("the district's administrators have no words for their roles at schools", () => {
  expect(roleWords(maria({ role: 'admin', grants: as('auditor', LINCOLN) }), t)).toBeUndefined();
});
