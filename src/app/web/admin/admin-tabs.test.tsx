import { expect, test } from 'vitest';
import { roleNames } from '#features/users/roles/web/admin-role-names.ts';
import type { GrantRole } from '#shared/permissions.ts';
import { maria } from '#test/dom/signed-in.ts';
import { permissionsOf } from '#web/api/permissions.ts';
import { t } from '#web/i18n/translate.ts';
import { secondaryTabsFor, tabsFor } from './admin-tabs.ts';

const LINCOLN = { id: 1, name: 'Lincoln' };
const CEDAR = { id: 2, name: 'Cedar Ridge' };
const as = (role: GrantRole, ...schools: (typeof LINCOLN | null)[]) =>
  schools.map((school) => ({ role, school }));

const titles = (entries: ReturnType<typeof tabsFor> | ReturnType<typeof secondaryTabsFor>) =>
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

test('a district administrator has all tabs, including Photos, in the specified order', () => {
  const can = permissionsOf(maria({ role: 'admin' }));
  expect(titles(tabsFor(can))).toEqual([
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
  expect(titles(secondaryTabsFor(can))).toEqual(['Audit log', 'Settings', 'System']);
});

test.each(['school-admin', 'coordinator', 'auditor'] as const)(
  'a %s at a school has the school tabs and the audit log',
  (role) => {
    const can = permissionsOf(maria({ grants: as(role, LINCOLN) }));
    expect(titles(tabsFor(can))).toEqual(OF_SCHOOLS);
    expect(titles(secondaryTabsFor(can))).toEqual(['Audit log']);
  },
);

test('an auditor of all schools has the school tabs and the audit log, but no Settings or System tab', () => {
  const can = permissionsOf(maria({ grants: as('auditor', null) }));
  expect(titles(tabsFor(can))).toEqual(OF_SCHOOLS);
  expect(titles(secondaryTabsFor(can))).toEqual(['Audit log']);
});

test('a volunteer has no tabs', () => {
  expect(tabsFor(permissionsOf(maria()))).toEqual([]);
  expect(secondaryTabsFor(permissionsOf(maria()))).toEqual([]);
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
])('the roles %j are described as %s', (grants, words) => {
  expect(roleNames(maria({ grants }), t)).toBe(words);
});

test("a district administrator's school roles are not listed", () => {
  expect(roleNames(maria({ role: 'admin', grants: as('auditor', LINCOLN) }), t)).toBeUndefined();
});
