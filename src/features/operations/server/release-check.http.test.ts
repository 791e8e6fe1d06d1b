import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, test } from 'vitest';
import { VERSION } from '#server/version.ts';
import { anAdministrator } from '#test/builders.ts';
import { atEnd, startApp } from '#test/harness.ts';
import type { Release } from '../contract.ts';
import {
  checkForRelease,
  fetchLatestRelease,
  fetchRelease,
  isNewer,
  releaseNotesOf,
} from './release-check.ts';

type Answer = (response: ServerResponse, request: IncomingMessage) => void;

/** A feed that answers so, and what it was asked. */
async function aFeed(answer: Answer) {
  const asked: IncomingMessage[] = [];
  const feed = { answer };
  const server = createServer((request, response) => {
    asked.push(request);
    feed.answer(response, request);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  atEnd(() => {
    server.closeAllConnections();
    server.close();
  });
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/latest`;
  return { address, asked, feed };
}

const saying =
  (body: unknown): Answer =>
  (response) =>
    response.end(typeof body === 'string' ? body : JSON.stringify(body));

describe('fetching a release', () => {
  test.each([
    [
      { version: '1.2.3', notes: 'Plums\r\nand\u0000 pears\ud800' },
      { version: '1.2.3', notes: 'Plums\nand pears' },
    ],
    [
      { tag_name: 'v10.0.1', body: null, assets: [] },
      { version: '10.0.1', notes: '' },
    ],
    [
      { version: '1.2.3', notes: 'x'.repeat(9_000) },
      { version: '1.2.3', notes: 'x'.repeat(5_000) },
    ],
    [{ version: 'latest' }, 'unreadable'],
    [{ version: '<b>1.2.3</b>' }, 'unreadable'],
    [{ notes: 'plum' }, 'unreadable'],
    ['', 'unreadable'],
    ['[', 'unreadable'],
    ['null', 'unreadable'],
    ['x'.repeat(200_001), 'large'],
  ])('validates the reply %j', async (body, found) => {
    const { address } = await aFeed(saying(body));
    const read = await fetchRelease(address);
    // What is no character of its own is replaced.
    expect(typeof read === 'string' ? read : { ...read, notes: read.notes.replace('\ufffd', '') }).toEqual(
      found,
    );
  });

  test('does not follow redirects, and returns a code for each kind of failure', async () => {
    const other = await aFeed(saying({ version: '9.9.9' }));
    const moved = await aFeed((response) => response.writeHead(302, { location: other.address }).end());
    expect([await fetchRelease(moved.address), other.asked]).toEqual(['moved', []]);
    const refusing = await aFeed((response) => response.writeHead(503).end());
    expect(await fetchRelease(refusing.address)).toBe('refused');
    const hanging = await aFeed(() => undefined);
    expect(await fetchRelease(hanging.address, 200)).toBe('slow');
    const dripping = await aFeed((response) => {
      response.write('{"version":"1.2.3",');
      const timer = setInterval(() => response.write(' '), 20);
      response.once('close', () => clearInterval(timer));
    });
    expect(await fetchRelease(dripping.address, 300)).toBe('slow');
    const endless = await aFeed((response) => {
      const timer = setInterval(() => response.write('x'.repeat(60_000)), 1);
      response.once('close', () => clearInterval(timer));
    });
    expect(await fetchRelease(endless.address)).toBe('large');
    const cut = await aFeed((response) => response.destroy());
    expect(await fetchRelease(cut.address)).toBe('unreachable');
    expect(await fetchRelease('http://127.0.0.1:1/')).toBe('unreachable');
  });

  test('sends no data about the server', async () => {
    const { address, asked } = await aFeed(saying({ version: '1.2.3' }));
    await fetchRelease(address);
    const [{ method, url, headers } = expect.fail('it was asked')] = asked;
    expect([method, url, headers['user-agent']]).toEqual(['GET', '/latest', 'volunteer-time-tracker']);
    expect(JSON.stringify(headers)).not.toContain(VERSION);
    expect([headers.cookie, headers.authorization, headers.referer]).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
  });
});

test("without a feed, the System screen shows this version's changes and does not check for newer ones", async () => {
  const app = await startApp();
  const { token } = await anAdministrator(app);
  await checkForRelease(app.deps);
  const { release } = (await app.call('GET /api/admin/system', { token })).body;
  expect(release).toEqual({
    notes: expect.stringContaining('BACKUP_TO'),
    isWatched: false,
    newest: null,
    checkedAt: null,
    error: null,
  });
});

test('the server requests the release feed once a day, and keeps the newest release if the feed fails', async () => {
  const { address, asked, feed } = await aFeed(saying({ version: '999.0.0', notes: 'Plums' }));
  const app = await startApp({ RELEASE_FEED_URL: address });
  const shown = async () => {
    const { token } = await anAdministrator(app);
    return (await app.call('GET /api/admin/system', { token })).body.release as Release;
  };
  expect(await shown()).toMatchObject({ isWatched: true, newest: null, checkedAt: null, error: null });
  const first = app.clock.now();
  for (let hour = 0; hour < 24; hour += 1) {
    await checkForRelease(app.deps);
    app.clock.advance(3_600_000);
  }
  expect(asked).toHaveLength(1);
  expect(await shown()).toMatchObject({ newest: { version: '999.0.0', notes: 'Plums' }, checkedAt: first });
  feed.answer = (response) => response.writeHead(500).end();
  await checkForRelease(app.deps);
  await checkForRelease(app.deps);
  expect(asked).toHaveLength(2);
  expect(await shown()).toMatchObject({ newest: { version: '999.0.0' }, error: 'the request was rejected' });
  feed.answer = saying({ tag_name: `v${VERSION}`, body: 'This one' });
  await fetchLatestRelease(app.deps);
  expect(await shown()).toMatchObject({ newest: null, checkedAt: app.clock.now(), error: null });
});

test('isNewer compares version numbers part by part', () => {
  const pairs = [
    ['0.2.0', '0.1.9'],
    ['0.10.0', '0.9.0'],
    ['1.0.0', '0.99.99'],
  ] as const;
  for (const [newer, older] of pairs) {
    expect([isNewer(newer, older), isNewer(older, newer), isNewer(newer, newer)]).toEqual([
      true,
      false,
      false,
    ]);
  }
});

test("releaseNotesOf returns only the notes below a version's own heading", () => {
  const list = '# Releases\n\n## 0.2.0\n\nTwo\n### More\n\n## 0.1.0\nOne\n';
  expect([
    releaseNotesOf(list, '0.2.0'),
    releaseNotesOf(list, '0.1.0'),
    releaseNotesOf(list, '0.1'),
    releaseNotesOf('', '0.1.0'),
  ]).toEqual(['Two\n### More', 'One', null, null]);
});
