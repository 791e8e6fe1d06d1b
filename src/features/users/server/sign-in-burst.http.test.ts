import { expect, test } from 'vitest';
import { aPerson, PASSWORD } from '#test/builders.ts';
import { startApp } from '#test/harness.ts';

test('a burst of 400 sign-ins from one IP address does not block others, and excess ones get 503', async () => {
  const app = await startApp();
  const vera = await aPerson(app, {});
  const over: string[] = [];
  const burst = Array.from({ length: 400 }, async (_, at) => {
    const body = { email: `student${at}@maplegrove.example`, password: PASSWORD };
    const reply = await app.call('POST /api/auth/login', { body, from: '10.1.0.1' });
    over.push('burst');
    return reply;
  });
  await expect.poll(() => over.length).toBeGreaterThan(90);
  const body = { email: vera.email, password: PASSWORD };
  const signedIn = app
    .call('POST /api/auth/login', { body, from: '10.2.0.1' })
    .finally(() => over.push('vera'));
  const others = ['GET /healthz', 'GET /readyz', 'GET /api/profile'].map(async (path) => {
    const { status } = await app.call(path, { token: vera.token });
    return [path, status];
  });
  expect(await Promise.all(others)).toEqual([
    ['GET /healthz', 200],
    ['GET /readyz', 200],
    ['GET /api/profile', 200],
  ]);
  expect((await signedIn).status).toBe(200);
  expect(over.indexOf('vera')).toBeLessThan(200);
  const replies = await Promise.all(burst);
  const refused = replies.filter(({ status }) => status === 503);
  // One or two are hashed, and 300 wait.
  expect(refused.length).toBeGreaterThan(90);
  expect(refused.length).toBeLessThan(105);
  for (const { body: said, headers } of refused) {
    expect([said, headers['retry-after']]).toEqual([
      { error: 'Many people are signing in right now. Please try again in a moment.' },
      '3',
    ]);
  }
}, 60_000);
