import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, test } from 'vitest';
import { atEnd } from '#test/harness.ts';
import { toDriveQuery } from './drive-client.ts';
import { createGoogleFetch } from './google-requests.ts';

const google = (origin: string) => ({
  clientId: 'district',
  clientSecret: 'secret',
  authUrl: `${origin}/auth`,
  tokenUrl: `${origin}/token`,
  revokeUrl: `${origin}/revoke`,
  apiUrl: origin,
});

async function aServer(status: number, headers: Record<string, string> = {}): Promise<string> {
  const server = createServer((_, response) => response.writeHead(status, headers).end());
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  atEnd(() => server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

describe('outbound requests to Google', () => {
  test('go only to the configured Google addresses', async () => {
    const [own, other] = [await aServer(200), await aServer(200)];
    expect((await createGoogleFetch(google(own))(`${own}/drive/v3/about`)).status).toBe(200);
    await expect(createGoogleFetch(google(own))(`${other}/drive/v3/about`)).rejects.toThrow(
      'is not a Google address',
    );
  });

  test('do not follow redirects', async () => {
    const other = await aServer(200);
    for (const status of [301, 302, 307, 308]) {
      const own = await aServer(status, { location: other });
      await expect(createGoogleFetch(google(own))(`${own}/token`)).rejects.toThrow('a redirect');
    }
  });

  test('accept a 308 reply with a Range header, which confirms part of an upload', async () => {
    const own = await aServer(308, { range: 'bytes=0-262143' });
    expect((await createGoogleFetch(google(own))(`${own}/upload`)).headers.get('range')).toBe(
      'bytes=0-262143',
    );
  });
});

test('a Drive search escapes quotes and backslashes', () => {
  expect(toDriveQuery({ parent: '1abcdefghijk', isFolder: true, properties: { name: "O'Brien\\" } })).toBe(
    "trashed = false and '1abcdefghijk' in parents and mimeType = 'application/vnd.google-apps.folder' and appProperties has { key='name' and value='O\\'Brien\\\\' }",
  );
});

test('tests cannot send requests to other machines', async () => {
  // An address reserved for documentation (RFC 5737).
  await expect(fetch('http://192.0.2.1/')).rejects.toMatchObject({
    cause: { message: 'a test may not connect to 192.0.2.1' },
  });
});
