import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import * as z from 'zod/mini';
import { endpoint } from '#shared/endpoint.ts';
import { CallError } from './call.ts';
import { download } from './download.ts';
import { endSession, startSession } from './session.ts';

const getFile = endpoint('GET', '/file', {
  query: z.object({ format: z.optional(z.string()) }),
  file: true,
});

const fetched = vi.fn<typeof fetch>();
let saved: { href: string; download: string }[];

beforeEach(() => {
  saved = [];
  vi.stubGlobal('fetch', fetched);
  fetched.mockReset();
  URL.createObjectURL = () => 'blob:made';
  URL.revokeObjectURL = () => {};
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (this: HTMLAnchorElement) {
    saved.push({ href: this.href, download: this.download });
  });
  startSession('abc');
});
afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
  endSession();
});

test("a download sends the token in a header, not in the URL, and uses the server's file name", async () => {
  fetched.mockResolvedValueOnce(
    new Response('a,b', { headers: { 'content-disposition': 'attachment; filename="hours.csv"' } }),
  );
  await download('data.csv', getFile, { query: { format: 'csv' } });
  const [url, request] = fetched.mock.calls[0] ?? [];
  expect(url).toBe('/api/file?format=csv');
  expect(new Headers(request?.headers).get('authorization')).toBe('Bearer abc');
  expect(saved).toEqual([{ href: 'blob:made', download: 'hours.csv' }]);
});

test('a download falls back to the given file name', async () => {
  fetched.mockResolvedValueOnce(new Response('{}'));
  await download('data.json', getFile, { query: {} });
  expect(saved[0]?.download).toBe('data.json');
});

test('a download saves nothing after an error', async () => {
  fetched.mockResolvedValueOnce(Response.json({ error: 'No' }, { status: 429 }));
  await expect(download('data.json', getFile, { query: {} })).rejects.toThrow(CallError);
  expect(saved).toEqual([]);
});
