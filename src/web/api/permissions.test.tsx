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

test('a volunteer may do nothing', () => {
  const may = mayAs({ role: 'user', grants: [] });
  expect([may('see people'), may('see people', 1), may('see people', 'all')]).toEqual([false, false, false]);
});

test('a district administrator may do everything everywhere', () => {
  const may = mayAs({ role: 'admin', grants: [] });
  expect([may('run the district'), may('edit school', 7), may('see figures', 'all')]).toEqual([
    true,
    true,
    true,
  ]);
});

test('whoever runs one school and reads another changes things at the first alone', () => {
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

test('an auditor of all schools reads everywhere and changes nothing', () => {
  const may = mayAs({ role: 'user', grants: [{ role: 'auditor', school: null }] });
  expect([may('see figures', 'all'), may('see history', 5)]).toEqual([true, true]);
  expect([may('log for others'), may('restore deleted'), may('run the district')]).toEqual([
    false,
    false,
    false,
  ]);
});

test("outside of the administrators' screens nothing may be done", () => {
  expect(renderHook(useCan).result.current('see people')).toBe(false);
});
