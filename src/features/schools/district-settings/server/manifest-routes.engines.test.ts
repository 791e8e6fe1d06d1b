import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { startApp } from '#test/harness.ts';
import { COLOURS } from './manifest-routes.ts';

const tokens = readFileSync('src/web/ui/tokens.css', 'utf8');

describe('web app manifest', () => {
  test('contains the current district name in the language of the page', async () => {
    const app = await startApp();
    const english = JSON.parse((await app.call('GET /manifest.webmanifest')).text);
    const spanish = JSON.parse((await app.call('GET /manifest.es.webmanifest')).text);
    expect([english.name, spanish.name]).toEqual([
      'Volunteer Time Tracker: Maple Grove Schools',
      'Registro de horas de voluntariado: Maple Grove Schools',
    ]);
    expect([english.lang, spanish.lang]).toEqual(['en', 'es']);
    expect(english.shortcuts.map(({ name, url }: { name: string; url: string }) => [name, url])).toEqual([
      ['Log Time', '/?open=log'],
      ['Recent Activity', '/?open=recent'],
      ['Manage Photos', '/?open=photos'],
    ]);
    expect(spanish.shortcuts[0].name).toBe('Anotar horas');
  });

  test('has its own content type, and is revalidated on every request', async () => {
    const app = await startApp();
    expect((await app.call('GET /manifest.webmanifest')).headers).toMatchObject({
      'content-type': 'application/manifest+json; charset=utf-8',
      'cache-control': 'no-cache',
      'x-content-type-options': 'nosniff',
    });
  });

  test('uses the same colors as the pages', () => {
    const [, page] = /--page: (#\w+);/.exec(tokens) ?? [];
    const [, brand] = /--brand: (#\w+);/.exec(tokens) ?? [];
    expect(COLOURS).toEqual({ background: page, theme: brand });
  });
});

test('the public configuration mentions the service worker only if it is off', async () => {
  const [on, off] = [await startApp(), await startApp({ SERVICE_WORKER: 'off' })];
  expect((await on.call('GET /api/config')).body).not.toHaveProperty('hasNoWorker');
  expect((await off.call('GET /api/config')).body.hasNoWorker).toBe(true);
});
