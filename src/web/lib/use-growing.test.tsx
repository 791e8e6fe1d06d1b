import { cleanup, render, screen } from '@testing-library/react';
import { afterEach, expect, it } from 'vitest';
import { useGrowing } from './use-growing.ts';

afterEach(cleanup);

const drawn: number[] = [];

function List({ total }: { total: number }) {
  const count = useGrowing(total, 3);
  drawn.push(count);
  return <p>{count} of them</p>;
}

it('draws a list a few rows at a time, until all are there', async () => {
  const { rerender } = render(<List total={8} />);
  expect(screen.getByText('3 of them')).toBeTruthy();
  expect(await screen.findByText('8 of them')).toBeTruthy();
  expect([...new Set(drawn)]).toEqual([3, 6, 8]);
  rerender(<List total={5} />);
  expect(screen.getByText('5 of them')).toBeTruthy();
  rerender(<List total={14} />);
  expect(await screen.findByText('14 of them')).toBeTruthy();
});
