import { cleanup, render, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { inSight, look as lookAt, stubSight } from '#test/dom/sight.ts';
import { Near } from './near.tsx';

const look = (isNear: boolean, height: number) => lookAt(inSight(), isNear, height);

beforeEach(stubSight);
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

function show(stays = false) {
  render(
    <Near height={1000} ahead={1200} stays={stays}>
      {() => <button type="button">Open</button>}
    </Near>,
  );
  return { isThere: () => screen.queryByRole('button') !== null };
}

const space = () => document.querySelector<HTMLElement>('div[style]')?.style.height || undefined;

test('an element far away is removed, and a space of its height replaces it', () => {
  const { isThere } = show();
  expect([isThere(), space()]).toEqual([false, '1000px']);
  look(true, 1000);
  expect([isThere(), space()]).toEqual([true, undefined]);
  look(false, 1234);
  expect([isThere(), space()]).toEqual([false, '1234px']);
  look(false, 1234);
  expect(space()).toBe('1234px');
});

test('an element with the focus stays, and so does one that must stay', () => {
  const { isThere } = show();
  look(true, 1000);
  screen.getByRole('button').focus();
  look(false, 1000);
  expect(isThere()).toBe(true);
  cleanup();
  expect(show(true).isThere()).toBe(true);
});
