import { cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react';
import { useState } from 'react';
import { afterEach, expect, test, vi } from 'vitest';
import * as z from 'zod/mini';
import { useForm } from '../forms/use-form.ts';
import { NumberField } from './number-field.tsx';

afterEach(cleanup);

type HoursProps = { initial: number | undefined; onChange?: (value: number | undefined) => void };

function Hours({ initial, onChange }: HoursProps) {
  const [value, setValue] = useState(initial);
  return (
    <NumberField
      label="Hours"
      name="hours"
      value={value}
      onChange={(next) => {
        setValue(next);
        onChange?.(next);
      }}
      min={0.25}
      max={24}
      step={0.25}
      isHours
    />
  );
}

// Optional hours: unreadable text must not count as left out.
function Form({ send }: { send: () => Promise<void> }) {
  const initial: { hours: number | undefined } = { hours: undefined };
  const form = useForm({ schema: z.object({ hours: z.optional(z.number()) }), initial, send });
  return (
    <form aria-label="Log" noValidate onSubmit={form.onSubmit}>
      <NumberField {...form.field('hours')} label="Hours" min={0.25} max={24} step={0.25} isHours />
    </form>
  );
}

const type = (value: string) => fireEvent.change(screen.getByLabelText('Hours'), { target: { value } });

test.each([
  [undefined, 'More', '0.25'],
  [undefined, 'Less', '0.25'],
  [1.5, 'More', '1.75'],
  [1.5, 'Less', '1.25'],
  [1.3, 'More', '1.5'],
  [1.3, 'Less', '1.25'],
  [23.9, 'More', '24'],
])('a number field steps from %s with %s to %s', (initial, button, expected) => {
  render(<Hours initial={initial} />);
  fireEvent.click(screen.getByRole('button', { name: button }));
  expect(screen.getByLabelText<HTMLInputElement>('Hours').value).toBe(expected);
});

test('a number field limits steps, but not typing', () => {
  render(<Hours initial={24} />);
  expect(screen.getByRole<HTMLButtonElement>('button', { name: 'More' }).disabled).toBe(true);
  fireEvent.change(screen.getByLabelText('Hours'), { target: { value: '25' } });
  expect(screen.getByLabelText<HTMLInputElement>('Hours').value).toBe('25');
});

test.each([
  ['0,5', 0.5],
  ['0.5', 0.5],
  ['1,5', 1.5],
  ['1:30', 1.5],
  ['½', 0.5],
])('a number field reads %s as %d hours, and does not change the typed text', (text, hours) => {
  const change = vi.fn();
  render(<Hours initial={undefined} onChange={change} />);
  type(text);
  expect(change).toHaveBeenLastCalledWith(hours);
  expect(screen.getByLabelText<HTMLInputElement>('Hours').value).toBe(text);
});

test('a number field rejects unreadable text with a message, and does not send it', async () => {
  const send = vi.fn(async () => {});
  render(<Form send={send} />);
  type('1,000');
  fireEvent.blur(screen.getByLabelText('Hours'));
  expect(screen.getByText(/read “1,000” as hours/)).toBeTruthy();
  fireEvent.submit(screen.getByRole('form'));
  expect(screen.getByLabelText('Hours').getAttribute('aria-invalid')).toBe('true');
  expect(screen.getByText(/read “1,000” as hours/)).toBeTruthy();
  type('1.5');
  expect(screen.queryByText(/as hours/)).toBeNull();
  fireEvent.submit(screen.getByRole('form'));
  await waitFor(() => expect(send).toHaveBeenCalledWith({ hours: 1.5 }, { hours: 1.5 }));
});

test('a number field changes its value with the arrow keys', () => {
  render(<Hours initial={1.5} />);
  fireEvent.keyDown(screen.getByLabelText('Hours'), { key: 'ArrowUp' });
  expect(screen.getByLabelText<HTMLInputElement>('Hours').value).toBe('1.75');
});

test('a number field can be emptied', () => {
  render(<Hours initial={2} />);
  fireEvent.change(screen.getByLabelText('Hours'), { target: { value: '' } });
  expect(screen.getByLabelText<HTMLInputElement>('Hours').value).toBe('');
});
