import { afterEach, beforeEach, expect, test } from 'vitest';
import { chooseTheme, chosenTheme, showTheme } from './theme.ts';

beforeEach(() => {
  document.head.innerHTML = `
    <meta name="theme-color" content="x" media="(prefers-color-scheme: light)">
    <meta name="theme-color" content="x" media="(prefers-color-scheme: dark)">`;
});
afterEach(() => {
  localStorage.clear();
  chooseTheme('device');
});

const frame = () =>
  [...document.querySelectorAll<HTMLMetaElement>('meta[name="theme-color"]')].map((meta) => meta.content);

test("the chosen theme is stored and applied, including the browser bar's color", () => {
  chooseTheme('dark');
  expect(localStorage.getItem('theme')).toBe('dark');
  expect(document.documentElement.dataset['theme']).toBe('dark');
  expect(frame()).toEqual(['#111513', '#111513']);
});

test('nothing is stored while the theme follows the device', () => {
  chooseTheme('light');
  chooseTheme('device');
  expect(localStorage.getItem('theme')).toBeNull();
  expect(document.documentElement.dataset['theme']).toBeUndefined();
  expect(frame()).toEqual(['#f6f7f5', '#111513']);
});

test('the stored theme is applied on the next visit, unless it is unknown', () => {
  localStorage.setItem('theme', 'light');
  showTheme();
  expect(document.documentElement.dataset['theme']).toBe('light');
  localStorage.setItem('theme', 'purple');
  showTheme();
  expect(chosenTheme()).toBe('device');
  expect(document.documentElement.dataset['theme']).toBeUndefined();
});
