import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { useState } from 'react';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { Tabs } from './tabs.tsx';

function Screens() {
  const [selected, setSelected] = useState<'a' | 'b' | 'c'>('a');
  return (
    <Tabs
      label="Screens"
      selected={selected}
      onSelect={setSelected}
      tabs={[
        { key: 'a', title: 'Log', content: 'the form' },
        { key: 'b', title: 'Recent', content: 'the list' },
        { key: 'c', title: 'Photos', content: 'the photos' },
      ]}
    />
  );
}

beforeEach(() => {
  render(<Screens />);
});
afterEach(cleanup);

const panel = () => screen.getByRole('tabpanel');

test('the tabs render only the selected screen, labeled by its tab', () => {
  expect(panel().textContent).toBe('the form');
  expect(screen.getByRole('tabpanel', { name: 'Log' })).toBe(panel());
  fireEvent.click(screen.getByRole('tab', { name: 'Recent' }));
  expect(panel().textContent).toBe('the list');
});

test.each([
  [['ArrowRight'], 'Recent'],
  [['ArrowLeft'], 'Photos'],
  [['End', 'ArrowRight'], 'Log'],
  [['End', 'Home'], 'Log'],
])('the tabs move the focus and the tab stop with %j to %s', (keys, expected) => {
  screen.getByRole('tab', { name: 'Log' }).focus();
  for (const name of keys) fireEvent.keyDown(document.activeElement ?? document.body, { key: name });
  const tab = screen.getByRole('tab', { selected: true });
  expect(tab.textContent).toBe(expected);
  expect(document.activeElement).toBe(tab);
  expect(screen.getAllByRole('tab').filter((other) => other.tabIndex === 0)).toEqual([tab]);
});
