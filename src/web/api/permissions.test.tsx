import { renderHook } from '@testing-library/react';
import type { ReactNode } from 'react';
import { expect, test } from 'vitest';
import { PermissionsContext, permissionsOf, type RoleHolder, useCan } from './permissions.ts';

const LINCOLN = { id: 1 };
const CEDAR = { id: 2 };

function mayAs(holder: RoleHolder) {
  const wrapper = ({ children }: { children: ReactNode }) => (
    <PermissionsContext value={permissionsOf(holder)}>{children}</PermissionsContext>
  );
  return renderHook(useCan, { wrapper }).result.current;
}

test('a volunteer has no permissions', () => {
  const may = mayAs({ role: 'user', grants: [] });
  expect([may('see people'), may('see people', 1), may('see people', 'all')]).toEqual([false, false, false]);
});

test('a district administrator has all permissions everywhere', () => {
  const may = mayAs({ role: 'admin', grants: [] });
  expect([may('run the district'), may('edit school', 7), may('see figures', 'all')]).toEqual([
    true,
    true,
    true,
  ]);
});

test("a user with two school roles has each role's permissions at its school only", () => {
  const may = mayAs({
    role: 'user',
    grants: [
      { role: 'school-admin', school: LINCOLN },
      { role: 'auditor', school: CEDAR },
    ],
  });
  expect([may('edit entries', 1), may('edit entries', 2), may('edit entries', 3)]).toEqual([
    true,
    false,
    false,
  ]);
  expect([may('see entries', 1), may('see entries', 2), may('see entries', 3)]).toEqual([true, true, false]);
  expect([may('see entries'), may('see entries', 'all'), may('run the district')]).toEqual([
    true,
    false,
    false,
  ]);
});

test('an auditor of all schools can read everywhere and change nothing', () => {
  const may = mayAs({ role: 'user', grants: [{ role: 'auditor', school: null }] });
  expect([may('see figures', 'all'), may('see history', 5)]).toEqual([true, true]);
  expect([may('log for others'), may('restore deleted'), may('run the district')]).toEqual([
    false,
    false,
    false,
  ]);
});

test('denies everything outside the Admin Panel', () => {
  expect(renderHook(useCan).result.current('see people')).toBe(false);
});
