import { renderHook } from '@testing-library/react';
import type { ReactNode } from 'react';
import { expect, test } from 'vitest';
import { PermissionsContext, permissionsOf, type RoleHolder, useCan } from './permissions.ts';

const LINCOLN = { id: 1 };
const CEDAR = { id: 2 };

function permissionsAs(holder: RoleHolder) {
  const wrapper = ({ children }: { children: ReactNode }) => (
    <PermissionsContext value={permissionsOf(holder)}>{children}</PermissionsContext>
  );
  return renderHook(useCan, { wrapper }).result.current;
}

test('a volunteer has no permissions', () => {
  const can = permissionsAs({ role: 'user', grants: [] });
  expect([can('see people'), can('see people', 1), can('see people', 'all')]).toEqual([false, false, false]);
});

test('a district administrator has all permissions everywhere', () => {
  const can = permissionsAs({ role: 'admin', grants: [] });
  expect([can('run the district'), can('edit school', 7), can('see figures', 'all')]).toEqual([
    true,
    true,
    true,
  ]);
});

test("a user with two school roles has each role's permissions at its school only", () => {
  const can = permissionsAs({
    role: 'user',
    grants: [
      { role: 'school-admin', school: LINCOLN },
      { role: 'auditor', school: CEDAR },
    ],
  });
  expect([can('edit entries', 1), can('edit entries', 2), can('edit entries', 3)]).toEqual([
    true,
    false,
    false,
  ]);
  expect([can('see entries', 1), can('see entries', 2), can('see entries', 3)]).toEqual([true, true, false]);
  expect([can('see entries'), can('see entries', 'all'), can('run the district')]).toEqual([
    true,
    false,
    false,
  ]);
});

test('an auditor of all schools can read everywhere and change nothing', () => {
  const can = permissionsAs({ role: 'user', grants: [{ role: 'auditor', school: null }] });
  expect([can('see figures', 'all'), can('see history', 5)]).toEqual([true, true]);
  expect([can('log for others'), can('restore deleted'), can('run the district')]).toEqual([
    false,
    false,
    false,
  ]);
});

test('nobody has permissions outside the Admin Panel', () => {
  expect(renderHook(useCan).result.current('see people')).toBe(false);
});
