import { act, cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { look, stubSight } from '#test/dom/sight.ts';
import { DeskList, DeskRow } from './desk-list.tsx';

beforeEach(stubSight);
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

const show = (count: number) =>
  render(
    <DeskList label="Letters">
      {Array.from({ length: count }, (_, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: they have nothing else
        <DeskRow key={at} title={`Letter ${at + 1}`} facts={[]}>
          <button type="button">{`Send ${at + 1}`}</button>
        </DeskRow>
      ))}
    </DeskList>,
  );
const items = () => screen.getAllByRole('listitem');
const shown = () => screen.queryAllByRole('button').map((button) => button.textContent);

test('what is far away of a long desk leaves a space of its height, and comes back', () => {
  show(40);
  look(items().slice(2), false, 90);
  expect(items()).toHaveLength(40);
  expect(shown()).toEqual(['Send 1', 'Send 2']);
  expect(items()[2]?.style.height).toBe('90px');
  look(items().slice(2, 3), true);
  expect(shown()).toEqual(['Send 1', 'Send 2', 'Send 3']);
});

test('a short desk is drawn whole', () => {
  show(20);
  look(items(), false);
  expect(shown()).toHaveLength(20);
});

test('all of a desk is drawn on paper, and once the page is searched', () => {
  show(40);
  look(items(), false);
  expect(shown()).toEqual([]);
  act(() => void window.dispatchEvent(new Event('beforeprint')));
  expect(shown()).toHaveLength(40);
  act(() => void window.dispatchEvent(new Event('afterprint')));
  fireEvent.keyDown(document.body, { key: 'F3' });
  expect(shown()).toHaveLength(40);
});
