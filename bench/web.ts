import type { Browser, BrowserContext, CDPSession, Page } from 'playwright-core';
import { launchChromium } from '../scripts/chromium.ts';
import { SIGN_INS } from '../scripts/demo/people.ts';
import { serveDemo, session } from './demo-server.ts';

/** The phone that Lighthouse takes: 150 ms round trip, 1.6 Mbit/s, and a processor 4 times slower than this machine's. */
export const SLOWER = 4;
const NETWORK = {
  offline: false,
  latency: 150,
  downloadThroughput: 200_000,
  uploadThroughput: 93_750,
} as const;
const SCREEN = { width: 412, height: 823 } as const;
const LONGEST_MS = 60_000;

/** What is waited for, as a selector: a form that can be filled in and sent, and a row of Log Time. */
const READY = {
  'sign-in, first visit': 'form:has(input[type=email]:enabled) button[type=submit]:enabled',
  "volunteer's list, empty cache": '[aria-label="Log again"] button',
  "volunteer's list, second visit": '[aria-label="Log again"] button',
} as const;
type What = keyof typeof READY;
const MUST: Readonly<Record<What, number>> = {
  'sign-in, first visit': 2_000,
  "volunteer's list, empty cache": 2_200,
  "volunteer's list, second visit": 1_000,
};

type Taken = Readonly<{ ms: number; requests: number; kilobytes: number }>;
type Built = Readonly<{
  name: string;
  origin: string;
  taken: Record<What, Taken[]>;
  stop: () => Promise<void>;
}>;

/** Measures how soon the pages of each folder can be used on a slow phone: in turns, every time in a new browser profile. */
export async function benchWeb(folders: readonly string[], rounds: number): Promise<void> {
  const browser = await launchChromium();
  const builds: Built[] = [];
  try {
    for (const folder of folders) builds.push(await serve(folder));
    for (let round = 0; round <= rounds; round++) {
      for (const build of round % 2 === 0 ? builds : builds.toReversed()) {
        const taken = await measure(browser, build.origin);
        // The first round warms up.
        if (round === 0) continue;
        for (const what of Object.keys(READY) as What[]) build.taken[what].push(taken[what]);
      }
    }
    print(builds);
  } finally {
    await browser.close();
    for (const build of builds) await build.stop();
  }
}

async function serve(folder: string): Promise<Built> {
  const { origin, stop } = await serveDemo(folder);
  const taken = Object.fromEntries(Object.keys(READY).map((what) => [what, []])) as unknown as Built['taken'];
  return { name: folder, origin, taken, stop };
}

async function measure(browser: Browser, origin: string): Promise<Record<What, Taken>> {
  const stranger = await newProfile(browser, origin);
  const signIn = await open(stranger, 'sign-in, first visit');
  await stranger.close();
  const person = await newProfile(browser, origin, await session(origin, SIGN_INS.volunteer));
  const cold = await open(person, "volunteer's list, empty cache");
  const warm = await open(person, "volunteer's list, second visit");
  await person.close();
  return {
    'sign-in, first visit': signIn,
    "volunteer's list, empty cache": cold,
    "volunteer's list, second visit": warm,
  };
}

export async function newProfile(
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

async function open(context: BrowserContext, what: What): Promise<Taken> {
  const page = await context.newPage();
  const devtools = await context.newCDPSession(page);
  await devtools.send('Network.enable');
  await devtools.send('Network.emulateNetworkConditions', NETWORK);
  await devtools.send('Emulation.setCPUThrottlingRate', { rate: SLOWER });
  const sent = countSent(devtools);
  const ready = await noteWhen(page, devtools, READY[what]);
  await page.goto('/', { waitUntil: 'commit' });
  const ms = await ready();
  const taken = { ms, ...sent() };
  await devtools.send('Emulation.setCPUThrottlingRate', { rate: 1 });
  await devtools.send('Network.emulateNetworkConditions', {
    ...NETWORK,
    latency: 0,
    downloadThroughput: -1,
    uploadThroughput: -1,
  });
  if (what === 'sign-in, first visit') await requireUsable(page);
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
  devtools.on('Runtime.bindingCalled', ({ payload }) => told.resolve(Number(payload)));
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
  return async () => {
    const late = setTimeout(() => told.reject(new Error(`${selector} did not come`)), LONGEST_MS);
    return told.promise.finally(() => clearTimeout(late));
  };
}

function countSent(devtools: CDPSession): () => Pick<Taken, 'requests' | 'kilobytes'> {
  const own = new Set<string>();
  let bytes = 0;
  devtools.on('Network.responseReceived', ({ requestId, response }) => {
    if (!response.fromDiskCache && response.fromServiceWorker !== true) own.add(requestId);
  });
  devtools.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    if (own.has(requestId)) bytes += encodedDataLength;
  });
  return () => ({ requests: own.size, kilobytes: bytes / 1000 });
}

async function requireUsable(page: Page): Promise<void> {
  const email = page.locator('input[type=email]');
  await email.fill('nobody@example.org');
  await page.locator('input[type=password]').fill('not-the-password');
  await page.locator('button[type=submit]').click();
  await page
    .getByText('Invalid')
    .or(page.getByRole('alert').filter({ hasText: /\w/ }))
    .first()
    .waitFor();
}

function print(builds: readonly Built[]): void {
  for (const what of Object.keys(READY) as What[]) {
    console.log(`\n${what} (must ${MUST[what]} ms)`);
    for (const { name, taken } of builds) {
      const of = (key: keyof Taken) => taken[what].map((one) => one[key]).toSorted((a, b) => a - b);
      const [ms, requests, kilobytes] = [of('ms'), of('requests'), of('kilobytes')];
      const span = `${ms[0]?.toFixed(0)} to ${ms.at(-1)?.toFixed(0)}`;
      console.log(
        `  ${name.padEnd(30)} ${middle(ms).toFixed(0).padStart(6)} ms (${span})` +
          `  ${middle(requests)} requests  ${middle(kilobytes).toFixed(0)} kB`,
      );
    }
  }
}

function middle(sorted: readonly number[]): number {
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}
