import { QueryClientProvider } from '@tanstack/react-query';
import { fireEvent, render, screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { signedIn } from '#test/dom/signed-in.ts';
import { queryClient } from '#web/lib/query-client.ts';
import { STEPS } from '../first-run-contract.ts';
import { FirstSteps } from './admin-first-run.tsx';

const { answers } = signedIn({});

const opens = async (hasSchool: boolean) => {
  const steps = STEPS.map((name) => ({ name, isDone: name === 'school' && hasSchool, isPutAway: false }));
  answers['GET /api/admin/first-run'] = () => Response.json({ isOpen: true, steps });
  render(
    <QueryClientProvider client={queryClient}>
      <FirstSteps onStep={() => undefined} />
    </QueryClientProvider>,
  );
  // On a phone the step is folded.
  fireEvent.click(await screen.findByRole('button', { name: 'Categories and activities' }));
  return screen.findByRole<HTMLButtonElement>('button', { name: 'Open: Categories and activities' });
};

test('activities can be opened once there is a school, and not before', async () => {
  expect((await opens(true)).disabled).toBe(false);
});

test('without a school there is nothing to open for activities', async () => {
  expect((await opens(false)).disabled).toBe(true);
});
