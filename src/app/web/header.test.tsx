import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import type { District } from '#features/schools/district-settings/contract.ts';
import { Header } from './dashboard/dashboard-header.tsx';

afterEach(cleanup);

const lincoln = { id: 1, name: 'Lincoln Elementary', logoUrl: '/api/logos/1-abc' };
const cedar = { id: 2, name: 'Cedar Middle', logoUrl: null };

function show(schools: (typeof lincoln | typeof cedar)[] | undefined, given: Pick<District, 'logo'> = {}) {
  const onSchool = vi.fn();
  const { container } = render(
    <Header
      district={{ districtName: 'Maple Grove', ...given }}
      firstName="Maria"
      schools={schools}
      school={schools?.[0]}
      onSchool={onSchool}
      actions={[]}
      onShortcuts={() => undefined}
    />,
  );
  return { onSchool, picture: () => container.querySelector('img') };
}

test("the header shows the school's logo and name, the title, and the user's first name", () => {
  const { picture } = show([lincoln]);
  expect(picture()?.getAttribute('src')).toBe('/api/logos/1-abc');
  expect(screen.getByRole('heading', { name: 'Volunteer Time Tracker' })).toBeDefined();
  expect(screen.getByText('Lincoln Elementary').tagName).toBe('SPAN');
  expect(screen.getByText('Maria')).toBeDefined();
  expect(screen.queryByRole('combobox')).toBeNull();
});

test("the header shows the app's logo if neither the school nor the district has one", () => {
  const { picture } = show([cedar]);
  expect(picture()).toBeNull();
  expect(document.querySelector('header svg')).not.toBeNull();
});

test("the header shows the district's logo only if the school has none", () => {
  const { picture } = show([cedar], { logo: { url: '/maple.png', width: 500, height: 100 } });
  expect(picture()?.getAttribute('src')).toBe('/maple.png');
  expect(picture()?.alt).toBe('Maple Grove');
  cleanup();
  expect(
    show([lincoln], { logo: { url: '/maple.png', width: 1, height: 1 } })
      .picture()
      ?.getAttribute('src'),
  ).toBe(lincoln.logoUrl);
});

test('the header shows a school select for users with several schools', () => {
  const { onSchool } = show([cedar, lincoln]);
  fireEvent.change(screen.getByRole('combobox', { name: 'School' }), { target: { value: '1' } });
  expect(onSchool).toHaveBeenCalledWith(1);
});

test('the header shows a loading message until the schools have loaded', () => {
  show(undefined);
  expect(screen.getByText('Loading schools...')).toBeDefined();
  cleanup();
  show([]);
  expect(screen.queryByText('Loading schools...')).toBeNull();
});
