import { cleanup, render, screen } from '@testing-library/react';
import { afterEach, expect, test } from 'vitest';
import { NameFields } from './name-fields.tsx';

afterEach(cleanup);

test.each([
  ['let the browser fill in the user’s own name', true, ['given-name', 'family-name']],
  ['turn autofill off for another person’s name', undefined, ['off', 'off']],
])('name fields %s', (_, isOwn, expected) => {
  const field = (name: string) => ({ name, value: '', onChange: () => undefined });
  render(<NameFields field={field} {...(isOwn === undefined ? {} : { isOwn })} />);
  expect(screen.getAllByRole('textbox').map((box) => box.getAttribute('autocomplete'))).toEqual(expected);
});
