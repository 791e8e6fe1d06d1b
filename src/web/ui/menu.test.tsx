import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Menu } from './menu.tsx';

const settings = vi.fn();
const logout = vi.fn();

beforeEach(() => {
  render(
    <Menu
      label="Menu"
      actions={[
        { key: 'settings', title: 'Settings', onPress: settings },
        { key: 'logout', title: 'Logout', onPress: logout },
      ]}
    />,
  );
  fireEvent.click(trigger());
});
afterEach(() => {
  cleanup();
  vi.clearAllMocks();
});

const trigger = () => screen.getByRole('button', { name: 'Menu' });
const focused = () => document.activeElement?.textContent;
const key = (name: string) => fireEvent.keyDown(document.activeElement ?? document.body, { key: name });

test('the menu opens with the focus on its first action', () => {
  expect(focused()).toBe('Settings');
  expect(trigger().getAttribute('aria-expanded')).toBe('true');
});

test.each([
  [['ArrowDown'], 'Logout'],
  [['ArrowDown', 'ArrowDown'], 'Settings'],
  [['ArrowUp'], 'Logout'],
  [['End'], 'Logout'],
  [['End', 'Home'], 'Settings'],
])('the menu moves the focus with %j to %s', (keys, expected) => {
  for (const name of keys) key(name);
  expect(focused()).toBe(expected);
});

test('the menu closes on Escape and returns the focus', () => {
  key('Escape');
  expect(screen.queryByRole('menu')).toBeNull();
  expect(document.activeElement).toBe(trigger());
});

test('the menu runs an action once and closes', () => {
  fireEvent.click(screen.getByRole('menuitem', { name: 'Logout' }));
  expect(logout).toHaveBeenCalledTimes(1);
  expect(settings).not.toHaveBeenCalled();
  expect(screen.queryByRole('menu')).toBeNull();
});

test('the menu closes when the focus moves elsewhere', () => {
  fireEvent.blur(screen.getByRole('menuitem', { name: 'Settings' }), { relatedTarget: document.body });
  expect(screen.queryByRole('menu')).toBeNull();
});
