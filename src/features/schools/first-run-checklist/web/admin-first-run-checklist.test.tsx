import { QueryClientProvider } from '@tanstack/react-query';
import { fireEvent, render, screen } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { signedIn } from '#test/dom/signed-in.ts';
import { queryClient } from '#web/api/query-client.ts';
import { type FirstRun, STEPS } from '../contract.ts';
import { FirstRunChecklist } from './admin-first-run-checklist.tsx';

const { answers } = signedIn({});

const opens = async (hasSchool: boolean) => {
  const steps = STEPS.map((name) => ({ name, isDone: name === 'school' && hasSchool, isPutAway: false }));
  answers['GET /api/admin/first-run'] = () => Response.json({ isOpen: true, steps });
  render(
    <QueryClientProvider client={queryClient}>
      <FirstRunChecklist onStep={() => undefined} />
    </QueryClientProvider>,
  );
  // On a phone the step is folded.
  fireEvent.click(await screen.findByRole('button', { name: 'Categories and activities' }));
  return screen.findByRole<HTMLButtonElement>('button', { name: 'Open: Categories and activities' });
};

test('the activities step is enabled if there is a school', async () => {
  expect((await opens(true)).disabled).toBe(false);
});

test('the activities step is disabled if there is no school', async () => {
  expect((await opens(false)).disabled).toBe(true);
});

const shows = async (access: Pick<FirstRun['steps'][number], 'isDone' | 'isPutAway'>, isOpen: boolean) => {
  const steps = STEPS.map((name) => ({
    name,
    isDone: false,
    isPutAway: false,
    ...(name === 'access' && access),
  }));
  answers['GET /api/admin/first-run'] = () => Response.json({ isOpen, steps });
  const onStep = vi.fn();
  render(
    <QueryClientProvider client={queryClient}>
      <FirstRunChecklist onStep={onStep} otherwise={<p>No first steps</p>} />
    </QueryClientProvider>,
  );
  await screen.findByText(isOpen ? 'First steps' : 'No first steps');
  return { banner: screen.queryByText(/^Any stranger can join a school and see photos of children/), onStep };
};

test.each([
  ['was skipped', { isDone: false, isPutAway: true }, true],
  ['was hidden with the card', { isDone: false, isPutAway: false }, false],
])('the access banner is visible if the access step %s', async (_, access, isOpen) => {
  const { banner, onStep } = await shows(access, isOpen);
  expect(banner).not.toBeNull();
  fireEvent.click(screen.getByRole('button', { name: 'Decide' }));
  expect(onStep).toHaveBeenCalledWith('access');
});

test.each([
  ['the checklist still has the access step', { isDone: false, isPutAway: false }, true],
  ['access is decided', { isDone: true, isPutAway: false }, false],
  ['the access step was skipped, but access was decided later', { isDone: true, isPutAway: true }, false],
])('the access banner is hidden if %s', async (_, access, isOpen) => {
  expect((await shows(access, isOpen)).banner).toBeNull();
});
