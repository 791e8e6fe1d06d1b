import { cleanup, render, screen, within } from '@testing-library/react';
import { afterEach, expect, test } from 'vitest';
import { FigureSection, LOGGED, VERIFIED } from './admin-bar-chart.tsx';

afterEach(cleanup);

const figure = (name: string, totalHours: number, verifiedHours: number | null) => ({
  key: name,
  name,
  totalHours,
  totalEntries: 1,
  verifiedHours,
});
const rowsOf = (...figures: ReturnType<typeof figure>[]) => {
  render(<FigureSection title="Schools" nameTitle="School" figures={figures} />);
  return within(screen.getByRole('list', { name: 'Schools' })).getAllByRole('listitem');
};
const shadesOf = (row: HTMLElement | undefined) =>
  [...(row?.querySelectorAll('svg rect') ?? [])].slice(1).map((rect) => ({
    fill: rect.getAttribute('class'),
    width: Number(rect.getAttribute('width')),
  }));

test('all rows have the same columns, whether or not their school verifies', () => {
  const rows = rowsOf(figure('Lakeview', 20, 15), figure('Peñasco', 20, null));
  expect(rows[0]?.className).toBe(rows[1]?.className);
});

test('hours of a school that does not verify are not drawn as verified', () => {
  const [verifying, other] = rowsOf(figure('Lakeview', 20, 15), figure('Peñasco', 10, null));
  expect(shadesOf(verifying)).toEqual([
    { fill: LOGGED, width: 100 },
    { fill: VERIFIED, width: 75 },
  ]);
  expect(shadesOf(other)).toEqual([
    { fill: LOGGED, width: 50 },
    { fill: VERIFIED, width: 0 },
  ]);
});

test('all bars have one shade if no school verifies', () => {
  const [row] = rowsOf(figure('Lakeview', 20, null));
  expect(shadesOf(row)).toEqual([{ fill: VERIFIED, width: 100 }]);
});
