import { QueryClientProvider } from '@tanstack/react-query';
import { fireEvent, render, screen } from '@testing-library/react';
import { useState } from 'react';
import { expect, test } from 'vitest';
import { maria, signedIn } from '#test/dom/signed-in.ts';
import { MayContext, mayOf, type RoleHolder } from '#web/lib/may.ts';
import { queryClient } from '#web/lib/query-client.ts';
import { SchoolFilter } from './admin-school-filter.tsx';

const LINCOLN = { id: 1, name: 'Lincoln', logoUrl: null };
const CEDAR = { id: 2, name: 'Cedar Ridge', logoUrl: null };
const OAK = { id: 3, name: 'Oak', logoUrl: null };

signedIn({ 'GET /api/schools/public': () => Response.json({ schools: [CEDAR, LINCOLN, OAK] }) });

function Screen() {
  const [schoolId, setSchoolId] = useState<number>();
  return (
    <SchoolFilter
      title="Hours"
      needs="see entries"
      schoolId={schoolId}
      onSchool={setSchoolId}
      onAddSchool={() => undefined}
    >
      {(school, filter) => (
        <>
          <p>The hours of {school.name}</p>
          {filter}
        </>
      )}
    </SchoolFilter>
  );
}

function show(holder: RoleHolder) {
  render(
    <QueryClientProvider client={queryClient}>
      <MayContext value={mayOf(holder)}>
        <Screen />
      </MayContext>
    </QueryClientProvider>,
  );
}

const choices = async () => {
  const select = await screen.findByRole('combobox', { name: 'Filter by School' });
  return [...select.querySelectorAll('option')].map(({ textContent }) => textContent);
};

test('whoever has a role at one school starts there, and has nothing else to choose', async () => {
  show(maria({ grants: [{ role: 'coordinator', school: LINCOLN }] }));
  await screen.findByText('The hours of Lincoln');
  expect(await choices()).toEqual(['Lincoln']);
});

test('whoever has roles at two schools chooses between them', async () => {
  show(
    maria({
      grants: [
        { role: 'school-admin', school: LINCOLN },
        { role: 'auditor', school: CEDAR },
      ],
    }),
  );
  expect(await choices()).toEqual(['Choose a school', 'Cedar Ridge', 'Lincoln']);
  fireEvent.change(screen.getByRole('combobox'), { target: { value: '2' } });
  await screen.findByText('The hours of Cedar Ridge');
});

test('an administrator of the district chooses among all schools', async () => {
  show(maria({ role: 'admin' }));
  expect(await choices()).toEqual(['Choose a school', 'Cedar Ridge', 'Lincoln', 'Oak']);
  expect(screen.queryByText(/^The hours of/)).toBeNull();
});
