import { QueryClientProvider } from '@tanstack/react-query';
import { fireEvent, render, screen } from '@testing-library/react';
import { beforeEach, describe, expect, test } from 'vitest';
import { maria, signedIn } from '#test/dom/signed-in.ts';
import { PermissionsContext, permissionsOf, type RoleHolder } from '#web/api/permissions.ts';
import { queryClient } from '#web/api/query-client.ts';
import { SchoolFilter, useSchoolChoice } from './admin-school-filter.tsx';

const LINCOLN = { id: 1, name: 'Lincoln', logoUrl: null };
const CEDAR = { id: 2, name: 'Cedar Ridge', logoUrl: null };
const OAK = { id: 3, name: 'Oak', logoUrl: null };

const { answers } = signedIn({
  'GET /api/schools/public': () => Response.json({ schools: [CEDAR, LINCOLN, OAK] }),
});

beforeEach(() => localStorage.clear());

function Screen({ userId, hasAll }: { userId: number; hasAll: boolean }) {
  const schools = useSchoolChoice(userId);
  return (
    <SchoolFilter
      title="Hours"
      needs="see entries"
      choice={schools.choice}
      onChoice={schools.choose}
      hasAll={hasAll}
      onAddSchool={() => undefined}
      whenNone={(notice) => notice}
    >
      {(school, filter) => (
        <>
          <p>The hours of {school?.name ?? 'all'}</p>
          {filter}
        </>
      )}
    </SchoolFilter>
  );
}

function show(holder: RoleHolder & { id: number }, hasAll = true) {
  return render(
    <QueryClientProvider client={queryClient}>
      <PermissionsContext value={permissionsOf(holder)}>
        <Screen userId={holder.id} hasAll={hasAll} />
      </PermissionsContext>
    </QueryClientProvider>,
  );
}

const choices = async () => {
  const select = await screen.findByRole('combobox', { name: 'Filter by School' });
  return [...select.querySelectorAll('option')].map(({ textContent }) => textContent);
};

test('a user with a role at one school starts at that school', async () => {
  show(maria({ grants: [{ role: 'coordinator', school: LINCOLN }] }));
  await screen.findByText('The hours of Lincoln');
  expect(await choices()).toEqual(['Lincoln']);
});

test('a user with roles at two schools can choose between them', async () => {
  show(
    maria({
      grants: [
        { role: 'school-admin', school: LINCOLN },
        { role: 'auditor', school: CEDAR },
      ],
    }),
  );
  expect(await choices()).toEqual(['Choose a school', 'All schools', 'Cedar Ridge', 'Lincoln']);
  fireEvent.change(screen.getByRole('combobox'), { target: { value: '2' } });
  await screen.findByText('The hours of Cedar Ridge');
});

test('a district administrator can choose any school or all of them', async () => {
  show(maria({ role: 'admin' }));
  expect(await choices()).toEqual(['Choose a school', 'All schools', 'Cedar Ridge', 'Lincoln', 'Oak']);
  expect(screen.queryByText(/^The hours of/)).toBeNull();
  fireEvent.change(screen.getByRole('combobox'), { target: { value: 'all' } });
  await screen.findByText('The hours of all');
});

test('a district administrator has to choose even if there is only one school', async () => {
  answers['GET /api/schools/public'] = () => Response.json({ schools: [OAK] });
  show(maria({ role: 'admin' }));
  await screen.findByText('Please select a school');
  expect(await choices()).toEqual(['Choose a school', 'Oak']);
  expect(screen.queryByText(/^The hours of/)).toBeNull();
  fireEvent.change(screen.getByRole('combobox'), { target: { value: '3' } });
  await screen.findByText('The hours of Oak');
});

describe('last selected school', () => {
  test.each(['2', 'all'])('is selected again for the same account: %s', async (value) => {
    const first = show(maria({ role: 'admin' }));
    fireEvent.change(await screen.findByRole('combobox'), { target: { value } });
    first.unmount();
    show(maria({ role: 'admin' }));
    await screen.findByText(value === 'all' ? 'The hours of all' : 'The hours of Cedar Ridge');
  });

  test('is ignored for another account in the same browser', async () => {
    const first = show(maria({ role: 'admin' }));
    fireEvent.change(await screen.findByRole('combobox'), { target: { value: '2' } });
    first.unmount();
    show(maria({ role: 'admin', id: 10 }));
    await screen.findByText('Please select a school');
  });

  test('is ignored if the account can no longer see that school', async () => {
    const first = show(maria({ role: 'admin' }));
    fireEvent.change(await screen.findByRole('combobox'), { target: { value: '3' } });
    first.unmount();
    show(
      maria({
        grants: [
          { role: 'auditor', school: LINCOLN },
          { role: 'auditor', school: CEDAR },
        ],
      }),
    );
    await screen.findByText('Please select a school');
  });

  test("is not selected on a screen about one school if it was 'All schools'", async () => {
    const first = show(maria({ role: 'admin' }));
    fireEvent.change(await screen.findByRole('combobox'), { target: { value: 'all' } });
    first.unmount();
    show(maria({ role: 'admin' }), false);
    await screen.findByText('Please select a school');
    expect(await choices()).toEqual(['Choose a school', 'Cedar Ridge', 'Lincoln', 'Oak']);
  });
});
