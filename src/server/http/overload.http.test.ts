import { expect, test } from 'vitest';
import { aPerson, PASSWORD } from '#test/builders.ts';
import { atEnd, startApp } from '#test/harness.ts';

test('an overloaded server returns 503 to API calls, except sign-ins and health checks', async () => {
  const app = await startApp({}, { mostDelayMs: 30 });
  const { email, token } = await aPerson(app, {});
  expect((await app.call('GET /api/profile', { token })).status).toBe(200);
  const busy = setInterval(() => {
    const until = performance.now() + 100;
    while (performance.now() < until);
  });
  atEnd(() => clearInterval(busy));
  const refused = () => app.call('GET /api/profile', { token, headers: { 'accept-language': 'es' } });
  await expect.poll(async () => (await refused()).status).toBe(503);
  const { body, headers } = await refused();
  expect(body).toEqual({
    error: 'Muchas personas usan esto en este momento. Inténtelo de nuevo en un momento.',
  });
  expect(Number(headers['retry-after'])).toBeGreaterThanOrEqual(1);
  const calls = [
    app.call('GET /healthz'),
    app.call('GET /readyz'),
    app.call('GET /accessibility'),
    app.call('POST /api/auth/login', { body: { email, password: PASSWORD } }),
    refused(),
  ];
  const replies = await Promise.all(calls);
  expect(replies.map(({ status }) => status)).toEqual([200, 200, 200, 200, 503]);
  clearInterval(busy);
  await expect.poll(async () => (await refused()).status).toBe(200);
}, 60_000);
