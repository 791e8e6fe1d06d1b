import { afterEach, expect, test, vi } from 'vitest';
import { endpoint } from '#shared/endpoint.ts';
import { call } from './call.ts';
import { endSession } from './session.ts';

afterEach(() => vi.unstubAllGlobals());

test('only sign-in sends the device key, which survives a logout', async () => {
  const sent: (string | undefined)[] = [];
  vi.stubGlobal('fetch', async (_url: string, { headers }: { headers: Record<string, string> }) => {
    sent.push(headers['x-device-key']);
    return new Response('{}', { status: 200 });
  });
  const login = endpoint('POST', '/auth/login', {});
  await call(login);
  endSession();
  await call(login);
  await call(endpoint('GET', '/profile', {}));
  const [first] = sent;
  expect(first).toMatch(/^[0-9a-f]{32}$/);
  expect(sent).toEqual([first, first, undefined]);
});
