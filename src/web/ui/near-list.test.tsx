import { act, cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { look, stubSight } from '#test/dom/sight.ts';
import { NearList, useWhole } from './near-list.tsx';

beforeEach(stubSight);
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

function List({ count }: { count: number }) {
  const isWhole = useWhole(count);
  return (
    <NearList
      as="li"
      parts={Array.from({ length: count }, (_, at) => `Row ${at + 1}`)}
      // A list of its own has an observer of its own.
      ahead={count}
      first={2}
      heightOf={() => 100}
      gap={10}
      isWhole={isWhole}
    >
      {(row) => <button type="button">{row}</button>}
    </NearList>
  );
}

const show = (count: number) =>
  render(<List count={count} />, { container: document.body.appendChild(document.createElement('ul')) });
const boxes = () => [...document.querySelectorAll('li')];
const shown = () => screen.queryAllByRole('button').map((row) => row.textContent);

test('of 1,000 parts those that the list begins with are drawn, and of the rest one box for each hundred', () => {
  show(1_000);
  expect(shown()).toEqual(['Row 1', 'Row 2']);
  expect(boxes()).toHaveLength(100 + 9);
  expect(boxes().at(-1)?.style.height).toBe(`${100 * 100 + 99 * 10}px`);
});

test('what comes near is drawn, and what goes leaves a space of its height, at last a single one', () => {
  show(200);
  look(boxes().slice(0, 2), true);
  look(boxes().slice(-1), true);
  expect(boxes()).toHaveLength(200);
  look(boxes().slice(-1), true);
  expect(shown()).toContain('Row 200');
  look(boxes().slice(0, 2), false);
  // The first hundred are one box again: two of them were found to be higher than expected.
  expect(boxes()).toHaveLength(1 + 100);
  expect(boxes()[0]?.style.height).toBe(`${2 * 120 + 98 * 100 + 99 * 10}px`);
  expect(shown()).toEqual(['Row 200']);
});

test('a part with the focus stays', () => {
  show(150);
  screen.getByText('Row 1').focus();
  look(boxes().slice(0, 2), false);
  expect(shown()).toEqual(['Row 1']);
});

test.each([
  ['Control and F', { key: 'f', ctrlKey: true }],
  ['Command and F', { key: 'f', metaKey: true }],
  ['F3', { key: 'F3' }],
])('with %s, which search the page, all is drawn', (_, keys) => {
  show(130);
  fireEvent.keyDown(document.body, keys);
  expect(shown()).toHaveLength(130);
});

test('a longer list than 500 rows stays as it is when the page is searched', () => {
  show(501);
  fireEvent.keyDown(document.body, { key: 'F3' });
  expect(shown()).toEqual(['Row 1', 'Row 2']);
});

test('on paper all is drawn, and afterwards what is near', () => {
  show(501);
  act(() => void window.dispatchEvent(new Event('beforeprint')));
  expect(shown()).toHaveLength(501);
  act(() => void window.dispatchEvent(new Event('afterprint')));
  expect(shown()).toEqual(['Row 1', 'Row 2']);
});
