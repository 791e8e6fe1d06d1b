import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { prepare } from '#app/server/start.ts';
import { startDriveSync } from '#features/photos/google-drive/server/worker.ts';
import { readConfig } from '#server/config.ts';
import { systemClock } from '#server/deps.ts';
import type { Instant } from '#shared/calendar-date.ts';
import { type Google, startGoogle } from '#test/google/fake-google.ts';
import { launchChromium } from './chromium.ts';
import { fillDemo } from './demo/fill-demo.ts';
import { addPhotos } from './demo/images.ts';
import { MAIL_DOMAIN, SCHOOL_NAMES } from './demo/names.ts';
import { SIGN_INS } from './demo/people.ts';
import { addRecentDays } from './demo/recent-days.ts';
import { verifyDemoHours } from './demo/verified-hours.ts';

const ROOT = resolve(import.meta.dirname, '..');
const TIME_ZONE = 'America/Chicago';
/** Noon of a school day, so that the screenshots are always the same. */
const NOW = '2026-03-04T18:00:00.000Z' as Instant;

const SIZES = { phone: { width: 390, height: 844 }, desktop: { width: 1280, height: 900 } } as const;
/** A school of the demo that does not verify hours, and one that does. */
const [SCHOOL, VERIFYING_SCHOOL] = SCHOOL_NAMES;
type Device = keyof typeof SIZES;
type Scheme = 'light' | 'dark';
type Screen = keyof typeof SCREENS;
type Prepared = Awaited<ReturnType<typeof prepare>>;

/** The screenshots of the docs. `npm run screenshots -- analytics in-kind` takes only those of the named screens. */
const IN_DOCS: readonly (readonly [Screen, Device, Scheme])[] = [
  ['log-time', 'phone', 'light'],
  ['recent', 'phone', 'dark'],
  ['edit', 'desktop', 'dark'],
  ['photos', 'desktop', 'light'],
  ['admin-users', 'phone', 'dark'],
  ['admin-activities', 'desktop', 'dark'],
  ['admin-entries', 'desktop', 'light'],
  ['verifier-desk', 'desktop', 'light'],
  ['verifier-desk', 'phone', 'dark'],
  ['letters', 'phone', 'light'],
  ['duplicates', 'desktop', 'light'],
  ['analytics', 'desktop', 'light'],
  ['photo-sync', 'desktop', 'light'],
  ['system', 'desktop', 'light'],
  ['system', 'phone', 'dark'],
  ['in-kind', 'desktop', 'light'],
  ['statement', 'phone', 'light'],
];

const SCREENS = {
  'log-time': async (page: Page) => {
    await signIn(page);
  },
  selected: async (page: Page) => {
    await signIn(page);
    await page.getByRole('list', { name: 'Log again' }).getByRole('button').first().click();
    await page.getByRole('radio', { name: /^2 h/ }).click();
  },
  recent: async (page: Page) => {
    await signIn(page);
    await openRecent(page);
  },
  edit: async (page: Page) => {
    await signIn(page);
    await openRecent(page);
    await page
      .getByRole('button', { name: /^Edit / })
      .first()
      .click();
    await page.getByRole('dialog').waitFor();
  },
  photos: async (page: Page) => {
    await signIn(page);
    await page.getByRole('tab', { name: 'Manage Photos' }).click();
    await page.getByRole('button', { name: 'View All Photos' }).click();
    await page.getByRole('img').first().waitFor();
    await page.waitForLoadState('networkidle');
  },
  'admin-users': async (page: Page) => {
    await openAdmin(page);
    await page.getByText(/\d+ users/).waitFor();
  },
  'admin-activities': async (page: Page) => {
    await openAdmin(page);
    await page.getByRole('tab', { name: 'Activities' }).click();
    await page.getByLabel('Filter by School').selectOption(SCHOOL);
    await page.getByText(/\d+ activities/).waitFor();
  },
  'admin-entries': async (page: Page) => {
    await openAdmin(page);
    await page.getByRole('tab', { name: 'Time Entries' }).click();
    await page.getByLabel('Filter by School').selectOption(SCHOOL);
    await page.getByText('Avg Hours/Entry').waitFor();
    await page.locator('dd').filter({ hasText: /\d/ }).nth(3).waitFor();
    await page.waitForLoadState('networkidle');
  },
  'verifier-desk': async (page: Page) => {
    await openAdmin(page);
    await page.getByRole('tab', { name: 'Time Entries' }).click();
    await page.getByLabel('Filter by School').selectOption(VERIFYING_SCHOOL);
    await page.getByText('Avg Hours/Entry').waitFor();
    const more = page.getByRole('button', { name: 'Menu', exact: true }).locator('visible=true');
    if ((await more.count()) > 0) await more.first().click();
    await page.getByText('Verify hours', { exact: true }).locator('visible=true').click();
    await page.getByText(/entries are waiting/).waitFor();
    await page.waitForLoadState('networkidle');
  },
  duplicates: async (page: Page) => {
    await openAdmin(page);
    await page.getByRole('button', { name: 'Find duplicates' }).locator('visible=true').click();
    await page.getByText('Marisol Nunez').first().waitFor();
    await page.waitForLoadState('networkidle');
  },
  letters: async (page: Page) => {
    await signIn(page);
    await openRecent(page);
    await pressAction(page, 'Service letter');
    await page.getByRole('button', { name: 'Create letter' }).waitFor();
  },
  analytics: async (page: Page) => {
    await openAnalytics(page, VERIFYING_SCHOOL);
  },
  'in-kind': async (page: Page) => {
    await openAnalytics(page, 'Whole district');
    await page.getByRole('heading', { name: 'Summary for the board' }).scrollIntoViewIfNeeded();
    await page.mouse.wheel(0, 2000);
    await page.waitForTimeout(200);
  },
  statement: async (page: Page) => {
    await signIn(page);
    await openRecent(page);
    await pressAction(page, 'Hours report');
    await page.getByText(/ volunteered .* h in /).waitFor();
  },
  system: async (page: Page) => {
    await openAdmin(page);
    await page.getByRole('button', { name: 'System', exact: true }).locator('visible=true').click();
    await page.getByText('No errors.').waitFor();
    await page.waitForLoadState('networkidle');
  },
  'photo-sync': async (page: Page) => {
    await openAdmin(page);
    await page.getByRole('tab', { name: 'Photo Sync' }).click();
    await page.getByLabel('Filter by School').selectOption(SCHOOL);
    await page
      .getByRole('link', { name: /^View in Drive/ })
      .first()
      .waitFor();
  },
};

async function openAnalytics(page: Page, school: string) {
  await openAdmin(page);
  await page.getByRole('tab', { name: 'Analytics' }).click();
  await page.getByLabel('School', { exact: true }).selectOption(school);
  await page.getByLabel('Sort by').waitFor();
  await page.waitForLoadState('networkidle');
}

async function openAdmin(page: Page) {
  await signIn(page, SIGN_INS.administrator);
  await page.keyboard.press('g');
  await page.keyboard.press('a');
  await page.getByRole('tab', { name: 'Users' }).waitFor();
}

async function signIn(page: Page, email: string = SIGN_INS.volunteer) {
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(SIGN_INS.password);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('list', { name: 'Log again' }).waitFor();
  await page.getByText('hours this school year').waitFor();
}

/** Clicks an action, which a phone has in the menu next to the title. */
async function pressAction(page: Page, name: string): Promise<void> {
  const more = page.getByRole('button', { name: 'More', exact: true }).locator('visible=true');
  if ((await more.count()) > 0) await more.click();
  await page.getByText(name, { exact: true }).locator('visible=true').click();
}

async function openRecent(page: Page) {
  await page.getByRole('tab', { name: 'Recent Activity' }).click();
  await page
    .getByRole('button', { name: /^Edit / })
    .first()
    .waitFor();
}

await takeScreenshots(process.argv.slice(2));

async function takeScreenshots(named: readonly string[]): Promise<void> {
  const dataDir = mkdtempSync(join(tmpdir(), 'volunteer-time-pictures-'));
  const google = await startGoogle({ account: `photos@${MAIL_DOMAIN}` });
  const config = readConfig({
    ...google.settings,
    DATA_DIR: dataDir,
    TIME_ZONE,
    DISTRICT_NAME: 'Cedar Creek School District',
    LOG_LEVEL: 'silent',
  });
  const { app, deps } = await prepare(config, {
    pages: join(ROOT, 'dist'),
    clock: { ...systemClock, now: () => NOW },
  });
  const browser = await launchChromium();
  try {
    await fillDemo(deps.database, { now: NOW, timeZone: TIME_ZONE });
    await verifyDemoHours(deps.database, { now: NOW, timeZone: TIME_ZONE });
    await addRecentDays(deps);
    await addPhotos(deps);
    await syncPhotos(app, deps, google);
    const origin = await app.listen({ host: '127.0.0.1', port: 0 });
    const folder = join(ROOT, 'docs/screenshots');
    mkdirSync(folder, { recursive: true });
    for (const [screen, device, scheme] of IN_DOCS) {
      if (named.length > 0 && !named.includes(screen)) continue;
      const image = await takeOne(browser, origin, screen, device, scheme);
      writeFileSync(join(folder, `${screen}-${device}-${scheme}.png`), image);
    }
    if (named.length === 0) await takeReadme(browser, origin, join(folder, 'readme.png'));
  } finally {
    await browser.close();
    await app.close();
    await google.close();
    rmSync(dataDir, { recursive: true, force: true });
  }
}

/** Connects the fake Google Drive and syncs the photos, as an administrator would. */
async function syncPhotos(app: Prepared['app'], deps: Prepared['deps'], google: Google): Promise<void> {
  const syncing = startDriveSync(deps);
  const credentials = { email: SIGN_INS.administrator, password: SIGN_INS.password };
  const signedIn = await app.inject({ method: 'POST', url: '/api/auth/login', body: credentials });
  const { token } = signedIn.json();
  const headers = { authorization: `Bearer ${token}` };
  const started = await app.inject({ url: '/api/admin/google-drive/auth-url', headers });
  const back = new URL(await google.consent(started.json().authUrl));
  // The window must be in the browser that started it, which a cookie proves.
  const cookies = Object.fromEntries(started.cookies.map(({ name, value }) => [name, value]));
  await app.inject({ url: `${back.pathname}${back.search}`, cookies });
  const withPhotos = await deps.database.db.selectFrom('photos').select('activity_id').distinct().execute();
  const body = { activityIds: withPhotos.map((row) => row.activity_id) };
  await app.inject({ method: 'POST', url: '/api/admin/google-drive/sync-activities', headers, body });
  await syncing.stop();
}

async function takeOne(browser: Browser, origin: string, screen: Screen, device: Device, scheme: Scheme) {
  const context = await browser.newContext({
    viewport: SIZES[device],
    isMobile: device === 'phone',
    hasTouch: device === 'phone',
    colorScheme: scheme,
    locale: 'en-US',
    timezoneId: TIME_ZONE,
    reducedMotion: 'reduce',
  });
  const page = await context.newPage();
  await page.clock.setFixedTime(NOW);
  await page.goto(origin);
  await SCREENS[screen](page);
  // Hover styles must not be in the screenshot.
  await page.mouse.move(0, 0);
  // Logos load after the screen.
  await page.waitForFunction('[...document.images].every((one) => one.complete)');
  const bytes = await page.screenshot();
  await context.close();
  return bytes;
}

/** Log Time on a desktop, overlaid with a selected activity on a phone. */
async function takeReadme(browser: Browser, origin: string, path: string): Promise<void> {
  const desktop = await takeOne(browser, origin, 'log-time', 'desktop', 'light');
  const phone = await takeOne(browser, origin, 'selected', 'phone', 'light');
  const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
  const source = (bytes: Buffer) => `data:image/png;base64,${bytes.toString('base64')}`;
  await page.setContent(`<body style="margin:0;height:800px;background:#dfe4e0;position:relative;overflow:hidden">
    <img style="position:absolute;left:40px;top:48px;width:1000px;border-radius:12px" src="${source(desktop)}">
    <img style="position:absolute;right:48px;top:112px;height:640px;border-radius:28px;border:6px solid #18211d" src="${source(phone)}">
  </body>`);
  await page.screenshot({ path });
  await page.close();
}
