import { cpSync, globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { beforeAll, describe, expect, test } from 'vitest';
import { loadMessages } from '#server/i18n/translator.ts';
import { LANGUAGES } from '#shared/i18n/languages.ts';
import { anAdministrator, PASSWORD } from '../../builders.ts';
import { atEnd, runningClock } from '../../harness.ts';
import { type District, open, openDistrict, PAGES, PHONE, type Visit } from '../browser.ts';
import { misfits } from '../check-screens.ts';
import { expectAccessible } from '../expect-accessible.ts';
import {
  activities,
  aVolunteer,
  readCaches,
  readWorkerState,
  visitIn,
  waitForServiceWorker,
} from '../installed.ts';
import { words } from '../spoken-language.ts';

let district: District;
let volunteer: Awaited<ReturnType<typeof aVolunteer>>;

beforeAll(async () => {
  district = await openDistrict({ SERVICE_WORKER: 'on' });
  volunteer = await aVolunteer(district);
});

describe.each(LANGUAGES)('the offline app in %s', (language) => {
  const texts = loadMessages(language) as typeof words;

  test('shows that there is no signal if the browser has no cached lists, and continues once online', async () => {
    const visit = await visitIn(language, district, { as: volunteer });
    await visit.page.addInitScript(() => {
      indexedDB.open = () => {
        throw new DOMException('no', 'SecurityError');
      };
    });
    await visit.page.reload();
    await activities(visit).waitFor();
    await waitForServiceWorker(visit);
    await visit.context.setOffline(true);
    visit.expectFailure(/^no answer GET \/api\//);
    await visit.page.reload();
    await visit.sees(texts.web.noSignal);
    expect(await visit.page.locator('html').getAttribute('lang')).toBe(language);
    expect(await visit.page.locator('input[type=password]').count()).toBe(0);
    expect(await visit.stored('token')).toBe(volunteer.token);
    await expectAccessible(visit.page);
    expect(await misfits(visit)).toEqual([]);
    await visit.context.setOffline(false);
    await activities(visit).waitFor();
  });

  test('caches the page in its own language, and in the other once it is chosen', async () => {
    const visit = await visitIn(language, district);
    await visit.sees(texts.auth.signInTitle);
    await waitForServiceWorker(visit);
    const [other = language] = LANGUAGES.filter((one) => one !== language);
    const { auth, web } = loadMessages(other) as typeof words;
    await visit.page.getByRole('button', { name: other === 'es' ? 'Español' : 'English' }).tap();
    await visit.sees(auth.signInTitle);
    const script = () =>
      visit.page.evaluate(async () => (await navigator.serviceWorker.getRegistration())?.active?.scriptURL);
    await expect.poll(script).toMatch(other === 'en' ? /\/sw\.js$/ : new RegExp(`/sw\\.${other}\\.js$`));
    await visit.page.reload();
    await visit.sees(auth.signInTitle);
    expect(await visit.page.getByText(web.newVersion).count()).toBe(0);
  });
});

describe("the browser's cache", () => {
  test('excludes the Admin Panel and the page in another language', async () => {
    const visit = await visitIn('en', district, { as: volunteer });
    await waitForServiceWorker(visit);
    const paths = (await readCaches(visit)).map(({ path }) => path);
    expect(paths.filter((path) => /admin|index\.es|latin-ext/.test(path))).toEqual([]);
    expect(paths).toContainEqual(expect.stringMatching(/log-panel/));
  });

  test('is not filled by opening an emailed link', async () => {
    const visit = await visitIn('en', district, { path: '/?token=lantern-plum' });
    visit.expectFailure(/^40\d GET \/api\//);
    await visit.page.getByRole('heading').first().waitFor();
    await visit.page.waitForTimeout(3_500);
    expect(await readWorkerState(visit)).toEqual([false, 0]);
  });

  test("excludes the external verifier's page", async () => {
    const visit = await visitIn('en', district);
    await visit.sees(words.auth.signInTitle);
    await waitForServiceWorker(visit);
    await visit.page.reload();
    const reply = await visit.page.goto('/?verify=hours-made-up');
    visit.expectFailure('404 GET /');
    expect([reply?.status(), reply?.fromServiceWorker()]).toEqual([404, false]);
  });
});

describe('a new version of the app', () => {
  let own: District;
  let pages: string;
  let person: Awaited<ReturnType<typeof aVolunteer>>;

  beforeAll(async () => {
    pages = mkdtempSync(join(tmpdir(), 'pages-'));
    atEnd(() => rmSync(pages, { recursive: true, force: true }));
    cpSync(PAGES, pages, { recursive: true });
    for (const file of globSync(`${pages}/**/*.{br,gz}`)) rmSync(file);
    own = await openDistrict({ SERVICE_WORKER: 'on' }, runningClock(), pages);
    person = await aVolunteer(own);
  });

  let version = 1;

  /** Replaces the served version with a new one, whose page contains its name. */
  function replaceVersion(): string {
    version += 1;
    const name = `Version ${version}`;
    const page = join(pages, 'index.html');
    writeFileSync(
      page,
      readFileSync(page, 'utf8').replace(/<html(?: data-version="[^"]*")?/, `<html data-version="${name}"`),
    );
    const worker = join(pages, 'sw.js');
    const code = readFileSync(worker, 'utf8');
    const renewed = code.replace(
      /(index\.html`,revision:`|index\.html",\s*revision:\s*")[\w-]+/,
      `$1version-${version}`,
    );
    expect(renewed).not.toBe(code);
    writeFileSync(worker, renewed);
    return name;
  }

  const versionShown = ({ page }: Visit) => page.evaluate(() => document.documentElement.dataset['version']);
  const ask = ({ page }: Visit) =>
    page.evaluate(async () => {
      const registration = await navigator.serviceWorker.getRegistration();
      await registration?.update();
    });
  const waits = ({ page }: Visit) =>
    page.evaluate(async () => (await navigator.serviceWorker.getRegistration())?.waiting?.state);

  test('is used automatically after the page was closed', async () => {
    const visit = await visitIn('en', own, { as: person });
    await activities(visit).waitFor();
    await waitForServiceWorker(visit);
    const name = replaceVersion();
    await ask(visit);
    await expect.poll(() => waits(visit)).toBe('installed');
    await visit.page.goto('about:blank');
    await expect
      .poll(async () => {
        await visit.page.goto(`${own.origin}/`);
        const shown = await versionShown(visit);
        if (shown !== name) await visit.page.goto('about:blank');
        return shown;
      })
      .toBe(name);
  });

  test("is loaded by Reload if the old version's screen is gone", async () => {
    const ada = await anAdministrator(own);
    const visit = await visitIn('en', own, { as: ada });
    await visit.button(words.web.menu).waitFor();
    await waitForServiceWorker(visit);
    await visit.page.reload();
    const name = replaceVersion();
    const chunks = JSON.parse(readFileSync(join(pages, '.vite/manifest.json'), 'utf8'));
    const chunk = join(pages, chunks['src/app/web/admin/admin.tsx'].file);
    const code = readFileSync(chunk);
    rmSync(chunk);
    visit.expectFailure(/^404 GET \/assets\/admin-/);
    await visit.press(visit.button(words.web.menu));
    await visit.press(visit.page.getByRole('menuitem', { name: words.web.admin }));
    await visit.button(words.web.reload).waitFor();
    visit.forgetFaults();
    writeFileSync(chunk, code);
    await visit.press(visit.button(words.web.reload));
    await expect.poll(() => versionShown(visit)).toBe(name);
    // The reload stays on the same screen.
    await visit.page.getByRole('heading', { name: words.web.adminTitle }).waitFor();
  });

  test('deletes the cache if it has no service worker', async () => {
    const visit = await visitIn('en', own, { as: person });
    await activities(visit).waitFor();
    await waitForServiceWorker(visit);
    const worker = join(pages, 'sw.js');
    const code = readFileSync(worker);
    rmSync(worker);
    visit.expectFailure(/^404 (GET|HEAD) \/sw\.js/);
    await visit.page.reload();
    await expect.poll(() => readWorkerState(visit)).toEqual([false, 0]);
    visit.forgetFaults();
    writeFileSync(worker, code);
  });
});

test('SERVICE_WORKER=off deletes the service worker and its cache', async () => {
  const first = await openDistrict({ SERVICE_WORKER: 'on' });
  const visit = await visitIn('en', first);
  await visit.sees(words.auth.signInTitle);
  await waitForServiceWorker(visit);
  expect(await readWorkerState(visit)).toEqual([true, 1]);
  first.app.server.closeAllConnections();
  await first.close();
  const second = await openDistrict({ PUBLIC_URL: first.origin, SERVICE_WORKER: 'off' });
  expect(second.origin).toBe(first.origin);
  // Requests of the page while no server was running.
  visit.forgetFaults();
  await visit.page.reload();
  await expect.poll(() => readWorkerState(visit)).toEqual([false, 0]);
  // The page also asks for the worker file; a reload would end that request.
  await visit.page.waitForLoadState('networkidle');
  await visit.page.reload();
  await visit.sees(words.auth.signInTitle);
  expect(await readWorkerState(visit)).toEqual([false, 0]);
});

describe.each(LANGUAGES)('the manifest in %s', (language) => {
  test('is valid, names the district, and has icons of the declared sizes', async () => {
    const visit = await visitIn(language, district);
    await visit.sees((loadMessages(language) as typeof words).auth.signInTitle);
    const devtools = await visit.context.newCDPSession(visit.page);
    const { url, errors } = await devtools.send('Page.getAppManifest');
    expect(errors).toEqual([]);
    const reply = await visit.page.request.get(url);
    expect(reply.headers()['content-type']).toMatch(/^application\/manifest\+json/);
    const manifest = await reply.json();
    expect(manifest).toMatchObject({
      id: '/',
      scope: '/',
      start_url: '/',
      display: 'standalone',
      lang: language,
    });
    expect(manifest.name).toContain('Maple Grove Schools');
    expect(manifest.short_name.length).toBeLessThanOrEqual(12);
    const { web } = loadMessages(language) as typeof words;
    expect(manifest.shortcuts.map(({ name }: { name: string }) => name)).toEqual([
      web.logTime,
      web.recentActivity,
      web.managePhotos,
    ]);
    for (const { src, sizes, type } of manifest.icons) {
      const icon = await visit.page.request.get(src);
      expect(icon.headers()['content-type']).toBe(type);
      const { width, height, format } = await sharp(await icon.body()).metadata();
      expect([`${width}x${height}`, `image/${format}`]).toEqual([sizes, type]);
    }
    for (const path of ['/apple-touch-icon.png', '/favicon.ico']) {
      expect((await visit.page.request.get(path)).status()).toBe(200);
    }
  });
});

describe('an app shortcut', () => {
  const chosen = ({ page }: Visit, name: string) => page.getByRole('tab', { name, selected: true }).waitFor();

  test.each([
    ['recent', words.web.recentActivity],
    ['photos', words.web.managePhotos],
    ['log', words.web.logTime],
    ['users', words.web.logTime],
  ])('to %s opens %s', async (place, tab) => {
    const visit = await open(district, { look: PHONE, as: volunteer, path: `/?open=${place}` });
    await chosen(visit, tab);
    expect(new URL(visit.page.url()).search).toBe('');
  });

  test('waits until the user has signed in, and opens once', async () => {
    const visit = await open(district, { look: PHONE, path: '/?open=recent' });
    await visit.page.reload();
    await visit.page.getByLabel(words.users.email).fill(volunteer.email);
    await visit.page.getByLabel(words.users.password, { exact: true }).fill(PASSWORD);
    await visit.press(visit.button(words.auth.signIn));
    await chosen(visit, words.web.recentActivity);
    await visit.page.goto('/');
    await chosen(visit, words.web.logTime);
  });
});

describe('startup', () => {
  test('sends each API request once', async () => {
    const asked: string[] = [];
    const visit = await open(district, {
      as: volunteer,
      stored: { selectedSchoolId: String(volunteer.schoolId) },
      before: async (page) => {
        page.on('request', (request) => asked.push(new URL(request.url()).pathname));
      },
    });
    await activities(visit).waitFor();
    await visit.sees('hour this school year');
    const calls = asked.filter((path) => path.startsWith('/api/'));
    expect(calls.filter((path, at) => calls.indexOf(path) !== at)).toEqual([]);
    const begun = ['/api/config', '/api/profile', '/api/activities', '/api/time-entries'];
    expect(calls).toEqual(expect.arrayContaining(begun));
  });

  test('shows an error if it fails', async () => {
    const visit = await open(district, {
      before: (page) => page.route(/\/assets\/(index|first)-.*js$/, (route) => route.abort()),
    });
    visit.expectFailure(/^no answer GET \/assets\//);
    expect(await visit.page.getByText(words.web.notStarted).isVisible()).toBe(false);
    await visit.page.evaluate(() => {
      for (const animation of document.getAnimations()) animation.finish();
    });
    await visit.sees(words.web.notStarted);
    expect(await visit.page.getByText(words.web.tooOld).isVisible()).toBe(false);
  });

  test('shows a message in a browser that is too old', async () => {
    const visit = await open(district, {
      before: async (page) => {
        await page.route(/\/assets\/index-.*css$/, async (route) => {
          const response = await route.fetch();
          const body = (await response.text()).replaceAll(/color-mix\(in srgb, ?red, ?blue\)/g, 'unknown()');
          await route.fulfill({ response, body });
        });
        await page.route(/\/assets\/(index|first)-.*js$/, (route) => route.abort());
      },
    });
    visit.expectFailure(/^no answer GET \/assets\//);
    await visit.sees(words.web.tooOld);
  });
});

test('Settings offers installation only if the browser supports it', async () => {
  const visit = await open(district, {
    as: volunteer,
    before: (page) =>
      page.addInitScript(() => {
        Object.assign(globalThis, { asked: 0 });
        const offer = Object.assign(new Event('beforeinstallprompt', { cancelable: true }), {
          prompt: async () => Object.assign(globalThis, { asked: Object(globalThis).asked + 1 }),
        });
        addEventListener('load', () => {
          dispatchEvent(offer);
          Object.assign(globalThis, { isCalm: offer.defaultPrevented });
        });
      }),
  });
  await activities(visit).waitFor();
  expect(await visit.page.evaluate(() => Object(globalThis).isCalm)).toBe(true);
  expect(await visit.page.getByText(words.web.install).count()).toBe(0);
  await visit.press(visit.button(words.users.settings));
  await visit.press(visit.button(words.web.install));
  expect(await visit.page.evaluate(() => Object(globalThis).asked)).toBe(1);
  expect(await visit.button(words.web.install).count()).toBe(0);
});
