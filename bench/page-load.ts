/** Measures how soon the built pages are usable on a slow phone. */
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { Browser, BrowserContext, CDPSession, Page } from 'playwright-core';
import { prepare } from '#app/server/start.ts';
import { readConfig } from '#server/config.ts';
import { systemClock } from '#server/deps.ts';
import { launchChromium } from '../scripts/chromium.ts';
import { fillDemo } from '../scripts/demo/fill-demo.ts';
import { SIGN_INS } from '../scripts/demo/people.ts';
import { verifyDemoHours } from '../scripts/demo/verified-hours.ts';
import { TIME_ZONE } from './district-data.ts';
import { at, printFigure } from './paired-rounds.ts';

/** Lighthouse's phone: 150 ms round trip, 1.6 Mbit/s, and a CPU 4 times slower than this machine's. */
const SLOW = { offline: false, latency: 150, downloadThroughput: 200_000, uploadThroughput: 93_750 } as const;
const FAST = { offline: false, latency: 0, downloadThroughput: -1, uploadThroughput: -1 } as const;
const CPU_SLOWDOWN = 4;
const SCREEN = { width: 412, height: 823 } as const;
const TIMEOUT_MS = 60_000;
/** How long a first visit can take to store the files that the second visit needs. */
const STORE_MS = 5_000;
const ENTRIES = 4_000;

/** Selectors of what makes a screen usable: an enabled form, or a row of Log Time or of the verification queue. */
const ROW = '[aria-label="Log again"] button';
const FORM = 'form:has(input[type=email]:enabled) button[type=submit]:enabled';
const VISITS = [
  { name: 'sign-in, first visit', path: '/', ready: FORM, limitMs: 2_200 },
  { name: "volunteer's list, empty cache", path: '/', ready: ROW, limitMs: 2_500 },
  { name: "volunteer's list, second visit", path: '/', ready: ROW, limitMs: 1_200 },
  { name: 'hours to verify, empty cache', path: '/?desk=2', ready: '[data-desk-row]', limitMs: undefined },
] as const;
type Visit = (typeof VISITS)[number];

/** Measures the pages of each folder in turn, each time in new browser profiles. */
export async function benchWeb(folders: readonly string[], rounds: number): Promise<void> {
  const browser = await launchChromium();
  const builds: (Awaited<ReturnType<typeof serveDemo>> & { name: string; times: number[][] })[] = [];
  try {
    for (const name of folders) builds.push({ name, times: [], ...(await serveDemo(name)) });
    // The first round warms up.
    for (let round = 0; round <= rounds; round++) {
      for (const { origin, times } of round % 2 === 0 ? builds : builds.toReversed()) {
        const measured = await visitAll(browser, origin);
        if (round > 0) times.push(measured);
      }
    }
    for (const [index, { name: visit, limitMs = Number.POSITIVE_INFINITY }] of VISITS.entries()) {
      for (const { name, times } of builds) {
        const all = times.map((measured) => measured[index] ?? Number.NaN);
        const [median = 0, fastest = 0, slowest = 0] = [0.5, 0, 1].map((share) => at(all, share));
        const range = `${fastest.toFixed(0)} to ${slowest.toFixed(0)}`;
        const limit = Number.isFinite(limitMs) ? `, limit ${limitMs}` : '';
        printFigure(`${name}: ${visit}`, `${median.toFixed(0)} ms (${range})${limit}`, median > limitMs);
      }
    }
  } finally {
    await browser.close();
    for (const build of builds) await build.stop();
  }
}

/** Serves a demo district with the pages of a folder, in this process, on a free port of the loopback interface. */
export async function serveDemo(folder: string): Promise<{ origin: string; stop: () => Promise<void> }> {
  if (!existsSync(join(folder, 'index.html'))) throw new Error(`${folder} has no built pages`);
  const dataDir = mkdtempSync(join(tmpdir(), 'volunteer-time-bench-'));
  const config = readConfig({ DATA_DIR: dataDir, TIME_ZONE, LOG_LEVEL: 'error' });
  const { app, deps } = await prepare(config, { pages: resolve(folder) });
  const today = { now: systemClock.now(), timeZone: TIME_ZONE };
  await fillDemo(deps.database, { ...today, sizes: { entries: ENTRIES } });
  await verifyDemoHours(deps.database, today);
  const origin = await app.listen({ host: '127.0.0.1', port: 0 });
  const stop = async () => {
    app.server.closeAllConnections();
    await app.close();
    rmSync(dataDir, { recursive: true, force: true });
  };
  return { origin, stop };
}

/** Signs in; returns what the pages would put into the browser's storage. */
export async function signInToStorage(origin: string, email: string): Promise<Record<string, string>> {
  const body = JSON.stringify({ email, password: SIGN_INS.password });
  const headers = { 'content-type': 'application/json' };
  const reply = await fetch(`${origin}/api/auth/login`, { method: 'POST', headers, body });
  const { token, user } = (await reply.json()) as { token: string; user: { schools: { id: number }[] } };
  return { token, selectedSchoolId: String(user.schools[0]?.id ?? 1) };
}

/** Returns the milliseconds of each visit. */
async function visitAll(browser: Browser, origin: string): Promise<number[]> {
  const [signIn, cold, warm, queue] = VISITS;
  const anonymous = await newProfile(browser, origin);
  const volunteer = await newProfile(browser, origin, await signInToStorage(origin, SIGN_INS.volunteer));
  const staff = await newProfile(browser, origin, await signInToStorage(origin, SIGN_INS.administrator));
  const times: number[] = [];
  for (const [profile, visits] of [
    [anonymous, [signIn]],
    [volunteer, [cold, warm]],
    [staff, [queue]],
  ] as const) {
    for (const visit of visits) times.push(await timeVisit(profile, visit));
    await profile.close();
  }
  return times;
}

function newProfile(
  browser: Browser,
  origin: string,
  stored: Record<string, string> = {},
): Promise<BrowserContext> {
  const localStorage = Object.entries(stored).map(([name, value]) => ({ name, value }));
  return browser.newContext({
    baseURL: origin,
    viewport: SCREEN,
    isMobile: true,
    hasTouch: true,
    locale: 'en-US',
    storageState: { cookies: [], origins: [{ origin, localStorage }] },
  });
}

async function timeVisit(context: BrowserContext, { path, ready }: Visit): Promise<number> {
  const page = await context.newPage();
  const devtools = await context.newCDPSession(page);
  await devtools.send('Network.enable');
  await devtools.send('Network.emulateNetworkConditions', SLOW);
  await devtools.send('Emulation.setCPUThrottlingRate', { rate: CPU_SLOWDOWN });
  const readyTime = await watchFor(page, devtools, ready);
  await page.goto(path, { waitUntil: 'commit' });
  const ms = await readyTime();
  await devtools.send('Emulation.setCPUThrottlingRate', { rate: 1 });
  await devtools.send('Network.emulateNetworkConditions', FAST);
  if (ready === FORM) await requireUsable(page);
  else await page.waitForTimeout(STORE_MS);
  await page.close();
  return ms;
}

/**
 * Returns a function that resolves to the milliseconds until the first frame with the selected element. The page reports the
 * time itself, because polling would load code into it that takes as long as a part of the product.
 */
async function watchFor(page: Page, devtools: CDPSession, selector: string): Promise<() => Promise<number>> {
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  const timeout = setTimeout(() => reject(new Error(`${selector} did not appear`)), TIMEOUT_MS);
  devtools.on('Runtime.bindingCalled', ({ payload }) => {
    clearTimeout(timeout);
    resolve(Number(payload));
  });
  await devtools.send('Runtime.enable');
  await devtools.send('Runtime.addBinding', { name: 'reportReady' });
  // A string, because this project's types do not include the DOM. Checking in each frame would make the page render more
  // frames.
  await page.addInitScript(`{
    const isThere = () => document.querySelector(${JSON.stringify(selector)}) !== null;
    new MutationObserver((_, observer) => {
      if (!isThere()) return;
      observer.disconnect();
      requestAnimationFrame(() => setTimeout(() => reportReady(String(performance.now()))));
    }).observe(document, { subtree: true, childList: true, attributes: true });
  }`);
  return () => promise;
}

async function requireUsable(page: Page): Promise<void> {
  await page.locator('input[type=email]').fill('nobody@example.org');
  await page.locator('input[type=password]').fill('not-the-password');
  await page.locator('button[type=submit]').click();
  const alerts = page.getByRole('alert').filter({ hasText: /\w/ });
  await page.getByText('Invalid').or(alerts).first().waitFor();
}
