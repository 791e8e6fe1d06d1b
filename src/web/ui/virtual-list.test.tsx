import { act, cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { PLAIN_ROWS, VirtualList } from './virtual-list.tsx';

const ROW_PX = 50;

beforeEach(() => {
  vi.spyOn(HTMLElement.prototype, 'offsetHeight', 'get').mockReturnValue(ROW_PX);
  vi.stubGlobal('scrollTo', vi.fn());
});
afterEach(() => {
  cleanup();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
  Object.assign(window, { scrollY: 0 });
});

function scrollDown(to: number) {
  act(() => {
    Object.assign(window, { scrollY: to });
    fireEvent.scroll(window);
  });
}

function show(count: number, stays?: (row: string) => boolean) {
  return render(list(count, stays));
}

function list(count: number, stays?: (row: string) => boolean) {
  return (
    <ul>
      <VirtualList
        as="li"
        items={Array.from({ length: count }, (_, at) => `Row ${at + 1}`)}
        keyOf={(row) => row}
        heightOf={() => ROW_PX}
        {...(stays && { stays })}
      >
        {(row) => <button type="button">{row}</button>}
      </VirtualList>
    </ul>
  );
}

const rows = () => screen.queryAllByRole('button').map((row) => row.textContent);
const heights = () =>
  [...document.querySelectorAll('li')].reduce(
    (sum, { style }) => sum + (style.height === '' ? ROW_PX : Number.parseFloat(style.height)),
    0,
  );

test('a list of 200 rows renders all of them', () => {
  show(PLAIN_ROWS);
  expect(rows()).toHaveLength(PLAIN_ROWS);
});

test('a longer list renders only rows in and near the window, with space for the others', () => {
  show(1_000);
  expect(rows()).toContain('Row 1');
  expect(rows().length).toBeLessThan(50);
  expect(heights()).toBe(1_000 * ROW_PX);
  const first = screen.getByText('Row 1').closest('li');
  expect([first?.getAttribute('aria-posinset'), first?.getAttribute('aria-setsize')]).toEqual(['1', '1000']);
  scrollDown(500 * ROW_PX);
  expect(rows()).toContain('Row 505');
  expect(rows()).not.toContain('Row 1');
  expect(heights()).toBe(1_000 * ROW_PX);
});

test('a focused row and a row marked to stay remain in the page', () => {
  show(1_000, (row) => row === 'Row 3');
  act(() => screen.getByText('Row 1').focus());
  scrollDown(500 * ROW_PX);
  expect(rows()).toEqual(expect.arrayContaining(['Row 1', 'Row 3', 'Row 505']));
  expect(document.activeElement?.textContent).toBe('Row 1');
  expect(heights()).toBe(1_000 * ROW_PX);
});

test('a row keeps the focus when the list becomes long enough to virtualize', () => {
  const { rerender } = show(PLAIN_ROWS);
  const row = screen.getByText('Row 1');
  act(() => row.focus());
  rerender(list(1_000));
  scrollDown(500 * ROW_PX);
  expect(rows()).toContain('Row 505');
  expect(document.activeElement).toBe(row);
});

test('a list renders all rows for printing, and only the visible ones afterward', () => {
  show(300);
  act(() => void window.dispatchEvent(new Event('beforeprint')));
  expect(rows()).toHaveLength(300);
  act(() => void window.dispatchEvent(new Event('afterprint')));
  expect(rows().length).toBeLessThan(50);
});
