import { expect, test } from 'vitest';
import { startApp, type TestApp } from '#test/harness.ts';
import { listWarnings } from '../system-warning-store.ts';

const PROXY = '10.0.0.5';

async function visits(app: TestApp, count: number, from: (visit: number) => { from: string; for?: string }) {
  for (let visit = 0; visit < count; visit++) {
    const { from: address, for: client } = from(visit);
    await app.call('GET /api/config', {
      from: address,
      ...(client === undefined ? {} : { headers: { 'x-forwarded-for': client } }),
    });
  }
}
const client = (visit: number) => `203.0.113.${visit % 9}`;

test('a warning names an undeclared proxy if all requests come through it', async () => {
  const app = await startApp();
  await visits(app, 60, (visit) => ({ from: PROXY, for: client(visit) }));
  expect(await listWarnings(app.deps.database.db)).toEqual([
    { name: 'proxy-not-trusted', detail: PROXY, notedAt: app.clock.now() },
  ]);
});

test.each([
  ['visitors connect directly', (visit: number) => ({ from: client(visit) })],
  [
    'some visitors connect directly',
    (visit: number) => (visit % 20 === 0 ? { from: client(visit) } : { from: PROXY, for: client(visit) }),
  ],
  ['a client sends the header itself', (visit: number) => ({ from: client(visit), for: '10.1.1.1' })],
  ['one visitor always sends the same address', () => ({ from: PROXY, for: '10.1.1.1' })],
])('no proxy warning is stored if %s', async (_, from) => {
  const app = await startApp();
  await visits(app, 120, from);
  expect(await listWarnings(app.deps.database.db)).toEqual([]);
});

test('no proxy warning is stored about a trusted proxy', async () => {
  const app = await startApp({ TRUSTED_PROXIES: PROXY });
  await visits(app, 60, (visit) => ({ from: PROXY, for: client(visit) }));
  expect(await listWarnings(app.deps.database.db)).toEqual([]);
});
