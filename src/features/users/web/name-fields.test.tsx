import { cleanup, render, screen } from '@testing-library/react';
import { afterEach, expect, test } from 'vitest';
import { NameFields } from './name-fields.tsx';

afterEach(cleanup);

test.each([
  ['their own name', true, ['given-name', 'family-name']],
  ["never an administrator's name for another person", undefined, ['off', 'off']],
])('the browser can fill in %s', (_, isOwn, expected) => {
  const field = (name: string) => ({ name, value: '', onChange: () => undefined });
  render(<NameFields field={field} {...(isOwn === undefined ? {} : { isOwn })} />);
  expect(screen.getAllByRole('textbox').map((box) => box.getAttribute('autocomplete'))).toEqual(expected);
});
