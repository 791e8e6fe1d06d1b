import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { useState } from 'react';
import { afterEach, expect, test } from 'vitest';
import { NumberField } from './number-field.tsx';

afterEach(cleanup);

function Hours({ initial }: { initial: number | undefined }) {
  const [value, setValue] = useState(initial);
  return (
    <NumberField
      label="Hours"
      name="hours"
      value={value}
      onChange={setValue}
      min={0.25}
      max={24}
      step={0.25}
    />
  );
}

test.each([
  [undefined, 'More', '0.25'],
  [undefined, 'Less', '0.25'],
  [1.5, 'More', '1.75'],
  [1.5, 'Less', '1.25'],
  [1.3, 'More', '1.5'],
  [1.3, 'Less', '1.25'],
  [23.9, 'More', '24'],
])('from %s, %s leads to %s', (initial, button, expected) => {
  render(<Hours initial={initial} />);
  fireEvent.click(screen.getByRole('button', { name: button }));
  expect(screen.getByLabelText<HTMLInputElement>('Hours').value).toBe(expected);
});

test('the steps end at the limits, typing does not', () => {
  render(<Hours initial={24} />);
  expect(screen.getByRole<HTMLButtonElement>('button', { name: 'More' }).disabled).toBe(true);
  fireEvent.change(screen.getByLabelText('Hours'), { target: { value: '25' } });
  expect(screen.getByLabelText<HTMLInputElement>('Hours').value).toBe('25');
});

test('an emptied field is no number', () => {
  render(<Hours initial={2} />);
  fireEvent.change(screen.getByLabelText('Hours'), { target: { value: '' } });
  expect(screen.getByLabelText<HTMLInputElement>('Hours').value).toBe('');
});
