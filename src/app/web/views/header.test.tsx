import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { Header } from './header.tsx';

afterEach(cleanup);

const lincoln = { id: 1, name: 'Lincoln Elementary', logoUrl: '/api/logos/1-abc' };
const cedar = { id: 2, name: 'Cedar Middle', logoUrl: null };

function show(schools: (typeof lincoln | typeof cedar)[] | undefined) {
  const onSchool = vi.fn();
  const { container } = render(
    <Header
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

test("shows the school's logo, the title, its name and the person's first name", () => {
  const { picture } = show([lincoln]);
  expect(picture()?.getAttribute('src')).toBe('/api/logos/1-abc');
  expect(screen.getByRole('heading', { name: 'Volunteer Time Tracker' })).toBeDefined();
  expect(screen.getByText('Lincoln Elementary').tagName).toBe('SPAN');
  expect(screen.getByText('Maria')).toBeDefined();
  expect(screen.queryByRole('combobox')).toBeNull();
});

test('draws one for a school that has none', () => {
  const { picture } = show([cedar]);
  expect(picture()).toBeNull();
  expect(document.querySelector('header svg')).not.toBeNull();
});

test('has a list of several schools to change to', () => {
  const { onSchool } = show([cedar, lincoln]);
  fireEvent.change(screen.getByRole('combobox', { name: 'School' }), { target: { value: '1' } });
  expect(onSchool).toHaveBeenCalledWith(1);
});

test('says so while no school has loaded, and nothing to somebody who has none', () => {
  show(undefined);
  expect(screen.getByText('Loading schools...')).toBeDefined();
  cleanup();
  show([]);
  expect(screen.queryByText('Loading schools...')).toBeNull();
});
