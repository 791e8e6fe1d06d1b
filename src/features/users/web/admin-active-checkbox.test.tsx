import { cleanup, render, screen } from '@testing-library/react';
import { afterEach, expect, test } from 'vitest';
import { ActiveCheckbox } from './admin-active-checkbox.tsx';
import type { NamedUser } from './admin-api.ts';

afterEach(cleanup);

const look = (user: Pick<NamedUser, 'isActive' | 'closed'>) =>
  render(
    <ActiveCheckbox
      user={{ name: 'Ann Abbot', ...user } as NamedUser}
      isActive={false}
      onChange={() => {}}
    />,
  );

const BY_DISTRICT =
  'The district deactivated the account of Ann Abbot. Only a district administrator can reactivate, merge or delete it, or change its address or password.';

test('a note replaces the checkbox if the district deactivated the account', () => {
  look({ isActive: false, closed: ['email', 'password', 'isActive', 'deletion'] });
  expect(screen.queryByRole('checkbox')).toBeNull();
  screen.getByText(BY_DISTRICT);
});

test('the note about the district is hidden if the account is locked for another reason', () => {
  look({ isActive: false, closed: ['name', 'email', 'password', 'isActive', 'deletion'] });
  expect(screen.queryByText(BY_DISTRICT)).toBeNull();
});

test('the checkbox is available if a school deactivated the account', () => {
  look({ isActive: false, closed: [] });
  screen.getByRole('checkbox', { name: 'Active: can sign in' });
});
