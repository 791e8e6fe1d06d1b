import { expect, test } from 'vitest';
import { anAdministrator } from '#test/builders.ts';
import { startApp } from '#test/harness.ts';
import { networkOf } from './client-address.ts';

test.each([
  ['203.0.113.9', '203.0.113.9'],
  ['203.0.113.9:51324', '203.0.113.9'],
  ['[2001:db8::7]:51324', '2001:db8::7'],
  ['198.51.100.1, 203.0.113.9', '203.0.113.9'],
  // Text that is not an address is ignored: the proxy's own address counts.
  ['unknown', '10.0.0.5'],
  ['203.0.113.9, <script>', '10.0.0.5'],
  ['999.1.1.1', '10.0.0.5'],
  ['', '10.0.0.5'],
])('a request that a trusted proxy forwards for %j is recorded as from %s', async (forwarded, recorded) => {
  const app = await startApp({ TRUSTED_PROXIES: '10.0.0.5' });
  const ada = await anAdministrator(app);
  await app.call('POST /api/auth/logout', {
    token: ada.token,
    from: '10.0.0.5',
    headers: { 'x-forwarded-for': forwarded },
  });
  const row = await app.deps.database.db
    .selectFrom('audit_events')
    .select('address')
    .where('action', '=', 'session.end')
    .executeTakeFirstOrThrow();
  expect(row.address).toBe(recorded);
  await app.close();
});

test.each([
  ['203.0.113.9', '203.0.113.9'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['2001:db8:1:2::1', '2001:db8:1:2::/64'],
  ['2001:db8::1', '2001:db8:0:0::/64'],
  ['::1', '0:0:0:0::/64'],
  ['fe80::1%eth0', 'fe80:0:0:0::/64'],
])('networkOf returns for %s the network %s', (address, network) => {
  expect(networkOf(address)).toBe(network);
});
