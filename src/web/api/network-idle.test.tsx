import { expect, it } from 'vitest';
import { whenIdle } from './network-idle.ts';
import { queryClient } from './query-client.ts';

it('the network is idle once every request of the first screen has a response', async () => {
  const answers: ((answer: string) => void)[] = [];
  const requests = ['a', 'b'].map((name) =>
    queryClient.fetchQuery({
      queryKey: [name],
      queryFn: () => new Promise<string>((resolve) => void answers.push(resolve)),
    }),
  );
  let isQuiet = false;
  const quiet = whenIdle().then(() => {
    isQuiet = true;
  });
  answers[0]?.('here');
  await requests[0];
  // Longer than the pause after which it counts as idle.
  await new Promise((resolve) => setTimeout(resolve, 300));
  expect(isQuiet).toBe(false);
  answers[1]?.('here');
  await quiet;
});
