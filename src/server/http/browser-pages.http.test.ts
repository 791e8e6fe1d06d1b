import { mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { atEnd, startApp } from '#test/harness.ts';

test('a page cannot be framed, and loads and runs only files from this server', async () => {
  const pages = mkdtempSync(join(tmpdir(), 'pages-'));
  atEnd(() => rmSync(pages, { recursive: true, force: true }));
  writeFileSync(join(pages, 'index.html'), '<!doctype html>');
  const app = await startApp({}, { pages });
  const { headers } = await app.call('GET /');
  const policy = String(headers['content-security-policy']).split(';');
  expect(policy).toEqual([
    "default-src 'none'",
    "script-src 'self'",
    expect.stringMatching(/^style-src 'self' 'sha256-[\w+/]{43}='$/),
    "font-src 'self'",
    "img-src 'self' blob:",
    "connect-src 'self'",
    "manifest-src 'self'",
    "worker-src 'self'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
    "object-src 'none'",
    "require-trusted-types-for 'script'",
    'trusted-types worker',
  ]);
  expect(headers).toMatchObject({
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    'cross-origin-opener-policy': 'same-origin-allow-popups',
    'cross-origin-resource-policy': 'same-origin',
  });
});

test('with an HTTPS address, HSTS applies to this host, but not to its subdomains', async () => {
  const pages = mkdtempSync(join(tmpdir(), 'pages-'));
  atEnd(() => rmSync(pages, { recursive: true, force: true }));
  writeFileSync(join(pages, 'index.html'), '<!doctype html>');
  const app = await startApp({ PUBLIC_URL: 'https://maplegrove.example' }, { pages });
  for (const path of ['/', '/index.html', '/nothing', '/api/config']) {
    const { headers } = await app.call(`GET ${path}`);
    expect([path, headers['strict-transport-security']]).toEqual([path, 'max-age=31536000']);
  }
});

test('the start page is compressed if the browser accepts that, and always revalidated', async () => {
  const pages = mkdtempSync(join(tmpdir(), 'pages-'));
  atEnd(() => rmSync(pages, { recursive: true, force: true }));
  writeFileSync(join(pages, 'index.html'), '<!doctype html>');
  writeFileSync(join(pages, 'index.html.br'), 'packed');
  const app = await startApp({}, { pages });
  const { headers } = await app.call('GET /', { headers: { 'accept-encoding': 'br' } });
  expect(headers).toMatchObject({ 'content-encoding': 'br', 'cache-control': 'no-cache' });
  expect(headers['content-type']).toMatch(/^text\/html/);
  expect(headers['content-length']).toBe(String('packed'.length));
});

test("each page's service worker is always revalidated, and can be withdrawn", async () => {
  const pages = mkdtempSync(join(tmpdir(), 'pages-'));
  atEnd(() => rmSync(pages, { recursive: true, force: true }));
  for (const name of ['index.html', 'sw.js', 'sw.es.js'])
    writeFileSync(join(pages, name), 'addEventListener');
  const [on, off] = [await startApp({}, { pages }), await startApp({ SERVICE_WORKER: 'off' }, { pages })];
  for (const path of ['/sw.js', '/sw.es.js']) {
    const own = await on.call(`GET ${path}`);
    expect([own.text, own.headers['cache-control']]).toEqual(['addEventListener', 'no-cache']);
    const removal = await off.call(`GET ${path}`);
    expect(removal.headers).toMatchObject({
      'content-type': 'text/javascript; charset=utf-8',
      'cache-control': 'no-cache',
    });
    expect(removal.text).toContain('registration.unregister()');
  }
});

test('revalidation distinguishes pages in two languages of equal length and age', async () => {
  const pages = mkdtempSync(join(tmpdir(), 'pages-'));
  atEnd(() => rmSync(pages, { recursive: true, force: true }));
  for (const language of ['en', 'es']) {
    const name = join(pages, language === 'en' ? 'index.html' : `index.${language}.html`);
    writeFileSync(name, `<!doctype html><html lang="${language}">`);
    utimesSync(name, 1_700_000_000, 1_700_000_000);
  }
  const app = await startApp({}, { pages });
  const inLanguage = (language: string, headers = {}) =>
    app.call('GET /', { headers: { 'accept-language': language, ...headers } });
  const { headers } = await inLanguage('es');
  const { etag, 'last-modified': moment } = headers;
  const reply = await inLanguage('en', {
    ...(etag === undefined ? {} : { 'if-none-match': etag }),
    ...(moment === undefined ? {} : { 'if-modified-since': moment }),
  });
  expect([reply.status, reply.text]).toEqual([200, '<!doctype html><html lang="en">']);
});
