import { expect, test } from 'vitest';
import { runSequentially } from './keyed-queue.ts';

test('rejects a job when a thousand already wait', async () => {
  const first = Promise.withResolvers<void>();
  const accepted = Array.from({ length: 1_001 }, () => runSequentially('one address', () => first.promise));
  const last = runSequentially('one address', async () => undefined);
  first.resolve();
  await expect(last).rejects.toMatchObject({ kind: 'busy', details: { retryAfterSeconds: 5 } });
  await Promise.all(accepted);
});
