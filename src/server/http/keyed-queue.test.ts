import { expect, test } from 'vitest';
import { runSequentially } from './keyed-queue.ts';

test('runSequentially rejects a job if a thousand already wait for the same key', async () => {
  const first = Promise.withResolvers<void>();
  const accepted = Array.from({ length: 1_001 }, () => runSequentially('one address', () => first.promise));
  const last = runSequentially('one address', async () => undefined);
  first.resolve();
  await expect(last).rejects.toMatchObject({ kind: 'busy', details: { retryAfterSeconds: 5 } });
  await Promise.all(accepted);
});
