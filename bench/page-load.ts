/** Bench lines of how soon the built pages can be used on a slow phone. */
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
import { at, say } from './paired-rounds.ts';

/** The phone that Lighthouse takes: 150 ms round trip, 1.6 Mbit/s, and a processor 4 times slower than this machine's. */
const NETWORK = {
  offline: false,
  latency: 150,
  downloadThroughput: 200_000,
  uploadThroughput: 93_750,
} as const;
const SLOWER = 4;
const SCREEN = { width: 412, height: 823 } as const;
const LONGEST_MS = 60_000;
const ENTRIES = 4_000;

/** What is waited for: a form that can be filled in and sent, a row of Log Time or of the desk; and how soon it must be there. */
const FORM = 'form:has(input[type=email]:enabled) button[type=submit]:enabled';
const ROW = '[aria-label="Log again"] button';
const VISITS = [
  { name: 'sign-in, first visit', path: '/', ready: FORM, mustMs: 2_200 },
  { name: "volunteer's list, empty cache", path: '/', ready: ROW, mustMs: 2_500 },
  { name: "volunteer's list, second visit", path: '/', ready: ROW, mustMs: 1_200 },
  { name: 'hours to verify, empty cache', path: '/?desk=2', ready: '[data-desk-row]', mustMs: Number.NaN },
] as const;
type Visit = (typeof VISITS)[number];
type Taken = Readonly<{ ms: number; requests: number; kilobytes: number; scripts: number }>;

/** Measures the pages of each folder, in turns, every time in a new browser profile. */
export async function benchWeb(folders: readonly string[], rounds: number): Promise<void> {
  const browser = await launchChromium();
  const builds: (Awaited<ReturnType<typeof serveDemo>> & { name: string; taken: Taken[][] })[] = [];
  try {
    for (const name of folders) builds.push({ name, taken: [], ...(await serveDemo(name)) });
    // The first round warms up.
    for (let round = 0; round <= rounds; round++) {
      for (const { origin, taken } of round % 2 === 0 ? builds : builds.toReversed()) {
        const found = await visitAll(browser, origin);
        if (round > 0) taken.push(found);
      }
    }
    for (const [index, { name: visit, mustMs }] of VISITS.entries()) {
      for (const { name, taken } of builds) {
        const of = (key: keyof Taken) => taken.map((all) => all[index]?.[key] ?? Number.NaN);
        const [middle, fastest, slowest] = [0.5, 0, 1].map((share) => at(of('ms'), share).toFixed(0));
        const [requests, kilobytes, scripts] = (['requests', 'kilobytes', 'scripts'] as const).map((key) =>
          at(of(key), 0.5).toFixed(0),
        );
        const sent = `${requests} requests, ${kilobytes} kB, ${scripts} of them scripts`;
        const must = Number.isNaN(mustMs) ? '' : `, must ${mustMs}`;
        const text = `${middle} ms (${fastest} to ${slowest})${must}; ${sent}`;
        say(`${name}: ${visit}`, text, at(of('ms'), 0.5) > mustMs);
      }
    }
  } finally {
    await browser.close();
    for (const build of builds) await build.stop();
  }
}

/** The product with a demo district and the pages of a folder, in this process, on a free port of the loopback interface. */
export async function serveDemo(folder: string): Promise<{ origin: string; stop: () => Promise<void> }> {
  if (!existsSync(join(folder, 'index.html'))) throw new Error(`${folder} holds no built pages`);
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

/** What a browser keeps of somebody who has signed in. */
export async function session(origin: string, email: string): Promise<Record<string, string>> {
  const body = JSON.stringify({ email, password: SIGN_INS.password });
  const headers = { 'content-type': 'application/json' };
  const reply = await fetch(`${origin}/api/auth/login`, { method: 'POST', headers, body });
  const { token, user } = (await reply.json()) as { token: string; user: { schools: { id: number }[] } };
  return { token, selectedSchoolId: String(user.schools[0]?.id ?? 1) };
}

async function visitAll(browser: Browser, origin: string): Promise<Taken[]> {
  const [signIn, cold, warm, desk] = VISITS;
  const stranger = await newProfile(browser, origin);
  const first = await open(stranger, signIn);
  await stranger.close();
  const person = await newProfile(browser, origin, await session(origin, SIGN_INS.volunteer));
  const taken = [first, await open(person, cold), await open(person, warm)];
  await person.close();
  const staff = await newProfile(browser, origin, await session(origin, SIGN_INS.administrator));
  taken.push(await open(staff, desk));
  await staff.close();
  return taken;
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

async function open(context: BrowserContext, { path, ready }: Visit): Promise<Taken> {
  const page = await context.newPage();
  const devtools = await context.newCDPSession(page);
  await devtools.send('Network.enable');
  await devtools.send('Network.emulateNetworkConditions', NETWORK);
  await devtools.send('Emulation.setCPUThrottlingRate', { rate: SLOWER });
  const sent = countSent(devtools);
  const isReady = await noteWhen(page, devtools, ready);
  await page.goto(path, { waitUntil: 'commit' });
  const taken = { ms: await isReady(), ...sent() };
  await devtools.send('Emulation.setCPUThrottlingRate', { rate: 1 });
  const fast = { latency: 0, downloadThroughput: -1, uploadThroughput: -1 };
  await devtools.send('Network.emulateNetworkConditions', { ...NETWORK, ...fast });
  if (ready === FORM) await requireUsable(page);
  // What a first visit leaves behind is there for the second.
  else await page.waitForTimeout(5_000);
  await page.close();
  return taken;
}

/**
 * When the next picture with what is waited for has been drawn, in milliseconds. The page says so itself: to ask it would
 * load code into it that takes as long as a part of the product.
 */
async function noteWhen(page: Page, devtools: CDPSession, selector: string): Promise<() => Promise<number>> {
  const told = Promise.withResolvers<number>();
  const late = setTimeout(() => told.reject(new Error(`${selector} did not come`)), LONGEST_MS);
  devtools.on('Runtime.bindingCalled', ({ payload }) => {
    clearTimeout(late);
    told.resolve(Number(payload));
  });
  await devtools.send('Runtime.enable');
  await devtools.send('Runtime.addBinding', { name: 'tellReady' });
  // As a text, since this side knows no page. A look at each frame would have the page draw frames that it does not need.
  await page.addInitScript(`{
    const isThere = () => document.querySelector(${JSON.stringify(selector)}) !== null;
    new MutationObserver((_, observer) => {
      if (!isThere()) return;
      observer.disconnect();
      requestAnimationFrame(() => setTimeout(() => tellReady(String(performance.now()))));
    }).observe(document, { subtree: true, childList: true, attributes: true });
  }`);
  return () => told.promise;
}

function countSent(devtools: CDPSession): () => Omit<Taken, 'ms'> {
  const own = new Map<string, string>();
  const bytes = { all: 0, scripts: 0 };
  devtools.on('Network.responseReceived', ({ requestId, response, type }) => {
    if (!response.fromDiskCache && response.fromServiceWorker !== true) own.set(requestId, type);
  });
  devtools.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    if (!own.has(requestId)) return;
    bytes.all += encodedDataLength;
    if (own.get(requestId) === 'Script') bytes.scripts += encodedDataLength;
  });
  return () => ({ requests: own.size, kilobytes: bytes.all / 1000, scripts: bytes.scripts / 1000 });
}

async function requireUsable(page: Page): Promise<void> {
  await page.locator('input[type=email]').fill('nobody@example.org');
  await page.locator('input[type=password]').fill('not-the-password');
  await page.locator('button[type=submit]').click();
  const answers = page.getByRole('alert').filter({ hasText: /\w/ });
  await page.getByText('Invalid').or(answers).first().waitFor();
}
