import { expect, test } from 'vitest';
import { startApp } from '#test/harness.ts';
import { runDueJobs } from './daily-jobs.ts';

test('a failing daily job does not stop the others, and is retried', async () => {
  const app = await startApp();
  const done: string[] = [];
  let isBroken = true;
  const jobs = [
    {
      name: 'broken',
      fromHour: 0,
      run: async () => {
        if (isBroken) throw new Error('out of order');
        done.push('broken');
      },
    },
    { name: 'sound', fromHour: 0, run: async () => void done.push('sound') },
  ];
  await runDueJobs(app.deps, jobs);
  expect(done).toEqual(['sound']);
  isBroken = false;
  await runDueJobs(app.deps, jobs);
  expect(done).toEqual(['sound', 'broken']);
});
