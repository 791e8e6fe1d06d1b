import { existsSync, mkdirSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import type { Browser, BrowserContext, CDPSession, Locator, Page, Route } from 'playwright-core';
import { expect, test } from 'vitest';
import { adminSchoolKey } from '#features/schools/web/admin-school-filter.tsx';
import { launchChromium } from '../../scripts/chromium.ts';
import { atEnd } from '../after-each-file.ts';
import { runningClock, startApp, type TestApp, type TestClock } from '../harness.ts';
import { BROWSER_WAIT_MS, IS_FULL } from '../test-level.ts';
import { SPOKEN, words } from './spoken-language.ts';

const ROOT = join(import.meta.dirname, '../..');
/** The built pages. */
export const PAGES = join(ROOT, 'dist');
const SCREENSHOTS = join(ROOT, '.cache/e2e');

/** A device and its color scheme. */
export type Look = Readonly<{ device: 'phone' | 'desktop'; scheme: 'light' | 'dark' }>;

/** For `describe.each`. Behavior depends only on the device and appearance only on the scheme, so two looks cover both. */
export const LOOKS: readonly Look[] = [
  { device: 'phone', scheme: 'light' },
  { device: 'desktop', scheme: 'dark' },
];

export const PHONE: Look = { device: 'phone', scheme: 'light' };
export const DESKTOP: Look = { device: 'desktop', scheme: 'light' };

/** For `describe.each`: one look in the gate, and both in `npm run test:full`. */
export const looks = (look: Look): readonly Look[] => (IS_FULL ? LOOKS : [look]);

const SIZES = { phone: { width: 390, height: 844 }, desktop: { width: 1280, height: 900 } } as const;

/** Adds a test that does not depend on the layout to a suite that runs on both devices. It runs only on the desktop. */
export function testOnDesktop({ device }: Look, name: string, run: () => Promise<unknown>): void {
  if (device === 'desktop') test(name, run);
}

/** The product with its pages, listening on the loopback interface. */
export type District = TestApp & Readonly<{ origin: string }>;

/**
 * Starts the product with its pages, at its `PUBLIC_URL` if it has one. Its time zone is UTC, so that the browser and the
 * district have the same date. The service worker is off, so that tests share no cached pages.
 */
export async function openDistrict(
  settings: Record<string, string> = {},
  clock: TestClock = runningClock(),
  pages: string = PAGES,
): Promise<District> {
  if (!existsSync(join(pages, 'index.html'))) throw new Error('dist/ is missing: npm test -- build');
  const app = await startApp({ TIME_ZONE: 'UTC', SERVICE_WORKER: 'off', ...settings }, { clock, pages });
  const port = Number(new URL(settings['PUBLIC_URL'] ?? 'http://127.0.0.1:0').port);
  const origin = await app.app.listen({ host: '127.0.0.1', port });
  // An unused connection of the browser would delay the shutdown for a minute.
  atEnd(() => app.app.server.closeAllConnections());
  return { ...app, origin };
}

/** A free port, for a `PUBLIC_URL` that must be known before the start. */
export function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo;
      server.close(() => resolve(port));
    });
  });
}

export type VisitOptions = Readonly<{
  look?: Look;
  /** The signed-in user. */
  as?: { token: string; id?: number };
  /** The school that this administrator has selected in this browser. */
  school?: { id: number };
  /** Content of local storage besides the token. */
  stored?: Readonly<Record<string, string>>;
  path?: string;
  /** The width, if not the device's. */
  width?: number;
  /** The browser's language, if not the tests'. */
  locale?: string;
  /** Whether animations run; tests are faster without them. */
  motion?: boolean;
  /** Runs before the page loads, for example to break the network. */
  before?: (page: Page) => Promise<unknown>;
  /** Keeps the browser open until the end of the file, for several tests on one page. */
  stays?: boolean;
}>;

/** A browser page that visits use one after the other, because opening one takes longer than most tests. */
type Tab = Readonly<{ kind: string; context: BrowserContext; page: Page; history: CDPSession }>;

/** How many tabs stay open for later visits. */
const MAX_IDLE = 4;

/** A browser with the product. */
export type Visit = Readonly<{
  page: Page;
  context: BrowserContext;
  look: Look;
  /** Taps or clicks, depending on the device, and counts it. */
  press: (what: Locator) => Promise<void>;
  presses: () => number;
  button: (name: string | RegExp) => Locator;
  /** Waits until an element has exactly this text. */
  sees: (words: string) => Promise<void>;
  /** Waits until no element has exactly this text. */
  misses: (words: string) => Promise<void>;
  /**
   * Declares that a request will fail: '401 GET /api/profile', 'no answer POST /api/time-entries'. The test fails if
   * it does not.
   */
  expectFailure: (request: string | RegExp) => void;
  /** Breaks a request: no reply, or a gateway's error page. */
  breakAt: (request: string, how: 'no answer' | 503) => Promise<void>;
  /** Never replies to a URL, so that the screen keeps its loading state. */
  holdAt: (address: string | RegExp) => Promise<void>;
  /** Removes all broken and held requests. */
  mend: () => Promise<void>;
  /** Returns an item of local storage. */
  stored: (name: string) => Promise<string | null>;
  /** All unexpected errors so far. */
  faults: () => readonly string[];
  /** Clears the recorded errors, for a test that provokes some. */
  forgetFaults: () => void;
}>;

/** Opens the Admin Panel from the header, or on phones from its menu. Staff without a school start in it. */
export async function toAdminPanel({ look, press, button, page }: Visit): Promise<void> {
  const title = page.getByRole('heading', { name: words.web.adminTitle });
  const opener = button(look.device === 'phone' ? words.web.menu : words.web.admin);
  await title.or(opener).first().waitFor();
  if (await title.isVisible()) return;
  await press(opener);
  if (look.device === 'phone') await press(page.getByRole('menuitem', { name: words.web.admin }));
  await title.waitFor();
}

/** Presses an action of a list, which phones have in a menu: in Recent Activity behind `words.web.more`. */
export async function pressAction(
  { look, press, button, page }: Visit,
  name: string,
  menu: string = words.web.menu,
): Promise<void> {
  if (look.device !== 'phone') return press(button(name));
  await press(button(menu));
  await press(page.getByRole('menuitem', { name }));
}

/**
 * Selects an activity by the beginning of its name in Log Time. Waits for the list first, because the card next to it also has
 * activities.
 */
export async function pickActivity({ page, press }: Visit, name: string): Promise<void> {
  await page.getByRole('searchbox').waitFor();
  const row = page.getByRole('button', { name: new RegExp(`^${name}`) }).first();
  // A group shows only its first eight.
  const all = page.getByRole('button', { name: /^(Show all|Ver todas) / }).first();
  if ((await row.count()) === 0 && (await all.count()) > 0) await press(all);
  await press(row);
}

/**
 * The number of history entries that the page added. It removes one asynchronously, and a reload or navigation before that is
 * lost.
 */
export function stepsToGoBack(page: Page): Promise<number> {
  return page.evaluate(() => Number(history.state?.depth ?? 0));
}

let launched: Promise<Browser> | undefined;
let idle: readonly Tab[] = [];
let visits: {
  visit: Visit;
  stays: boolean;
  settle: () => string[];
  abortHeld: () => Promise<void>;
  leave: (hasFailed: boolean) => Promise<unknown>;
}[] = [];
let visitCount = 0;

/** Runs after each test; fails it if a page had an unexpected error. */
export async function settleVisits(task: { name: string; result?: { state: string } }): Promise<void> {
  const open = visits;
  visits = open.filter(({ stays }) => stays);
  const hasFailed = task.result?.state === 'fail';
  const problems: string[] = [];
  for (const [at, { visit, stays, settle, abortHeld, leave }] of open.entries()) {
    if (hasFailed) await takeScreenshot(visit.page, `${task.name} ${at}`);
    await abortHeld();
    problems.push(...settle());
    await (stays ? visit.page.unrouteAll({ behavior: 'ignoreErrors' }) : leave(hasFailed));
  }
  expect(problems).toEqual([]);
}

/** Opens the product in a browser without data of earlier visits. */
export async function open(district: District, options: VisitOptions = {}): Promise<Visit> {
  const { look = DESKTOP, as, school, stored = {}, path = '/', before, stays = false } = options;
  const isPhone = look.device === 'phone';
  // Handlers that `before` installs may last as long as the page.
  const isAlone = stays || before !== undefined;
  const tab = await takeTab(district, options, isAlone);
  const { context, page } = tab;
  const watch = await watchFor(page, district.origin);
  const storageScript = await setStorage(page, {
    ...(as === undefined ? {} : { token: as.token }),
    ...(as?.id === undefined || school === undefined ? {} : { [adminSchoolKey(as.id)]: String(school.id) }),
    ...stored,
  });
  let presses = 0;
  const textOn = (words: string) =>
    page.getByText(words, { exact: true }).and(page.locator(':not(.sr-only)')).first();
  const unanswered: Route[] = [];
  // Aborts held requests before their route is removed, or they would reach the server during the next test.
  const abortHeld = async () => {
    for (const route of unanswered.splice(0)) await route.abort('aborted').catch(() => undefined);
  };
  const visit: Visit = {
    page,
    context,
    look,
    press: async (what) => {
      presses += 1;
      if (isPhone) await what.tap();
      else await what.click();
    },
    presses: () => presses,
    button: (name) => page.getByRole('button', { name, exact: true }),
    sees: (words) => textOn(words).waitFor(),
    misses: (words) => textOn(words).waitFor({ state: 'hidden' }),
    expectFailure: watch.expect,
    breakAt: async (request, how) => {
      watch.expect(`${how} ${request}`);
      const [method, path] = request.split(' ');
      await page.route(
        (url) => url.pathname === path,
        (route) => {
          if (route.request().method() !== method) return route.fallback();
          if (how === 'no answer') return route.abort('connectionrefused');
          return route.fulfill({ status: how, contentType: 'text/html', body: '<h1>Bad gateway</h1>' });
        },
      );
    },
    holdAt: async (address) => {
      await page.route(address, (route) => {
        unanswered.push(route);
      });
    },
    mend: () => page.unrouteAll({ behavior: 'wait' }),
    stored: (name) => page.evaluate((key) => localStorage.getItem(key), name),
    faults: watch.faults,
    forgetFaults: watch.forget,
  };
  const leave = async (hasFailed: boolean) => {
    if (isAlone || hasFailed) return context.close();
    await storageScript.dispose();
    await watch.end();
    await releaseTab(tab, look);
  };
  visits.push({ visit, stays, settle: watch.settle, abortHeld, leave });
  if (stays) {
    // Otherwise its later requests would affect the tests of the next file.
    atEnd(() => {
      visits = visits.filter((one) => one.visit !== visit);
      return context.close();
    });
  }
  await before?.(page);
  await page.goto(path);
  return visit;
}

// Takes an idle tab of the same kind, or opens a new one.
async function takeTab(
  district: District,
  { look = DESKTOP, width = SIZES[look.device].width, motion = false, locale = `${SPOKEN}-US` }: VisitOptions,
  isAlone: boolean,
): Promise<Tab> {
  const kind = [district.origin, look.device, look.scheme, width, motion, locale].join(' ');
  const viewport = { ...SIZES[look.device], width };
  const reusable = isAlone ? undefined : idle.find((one) => one.kind === kind);
  if (reusable !== undefined) {
    idle = idle.filter((one) => one !== reusable);
    // The previous visit may have changed the size.
    await reusable.page.setViewportSize(viewport);
    return reusable;
  }
  const browser = await sharedBrowser();
  const isPhone = look.device === 'phone';
  const context = await browser.newContext({
    baseURL: district.origin,
    viewport,
    isMobile: isPhone,
    hasTouch: isPhone,
    colorScheme: look.scheme,
    locale,
    timezoneId: 'America/Chicago',
    reducedMotion: motion ? 'no-preference' : 'reduce',
  });
  context.setDefaultTimeout(BROWSER_WAIT_MS);
  await context.addInitScript(removeNewerBuiltIns);
  const page = await context.newPage();
  return { kind, context, page, history: await context.newCDPSession(page) };
}

// The oldest browsers that README.md names lack these functions, which dependencies may call as well.
function removeNewerBuiltIns(): void {
  const removed = [
    ...[Map, Object].map((owner) => [owner, 'groupBy'] as const),
    ...['canParse', 'parse'].map((name) => [URL, name] as const),
    ...['withResolvers', 'try'].map((name) => [Promise, name] as const),
    [AbortSignal, 'any'] as const,
    [Array, 'fromAsync'] as const,
  ];
  for (const [owner, name] of removed) Reflect.deleteProperty(owner, name);
}

// Resets a tab for its next visit. Its storage is replaced when that visit loads its first page.
async function releaseTab(tab: Tab, look: Look): Promise<void> {
  const { context, page, history } = tab;
  for (const other of context.pages()) if (other !== page) await other.close();
  page.removeAllListeners();
  await page.unrouteAll({ behavior: 'ignoreErrors' });
  // An unfinished form asks whether to leave it.
  page.once('dialog', (dialog) => dialog.accept());
  await page.goto('about:blank');
  page.removeAllListeners();
  await page.emulateMedia({ media: null, colorScheme: look.scheme, forcedColors: null });
  await page.mouse.move(0, 0);
  await context.clearCookies();
  await history.send('Storage.clearDataForOrigin', {
    origin: new URL(tab.kind.split(' ')[0] ?? '').origin,
    storageTypes: 'indexeddb',
  });
  await history.send('Page.resetNavigationHistory');
  idle = [...idle, tab];
  const surplus = idle.slice(0, -MAX_IDLE);
  idle = idle.slice(-MAX_IDLE);
  for (const { context: old } of surplus) await old.close();
}

// Sets local storage when the first page of a visit loads; later pages find what the visit stored.
function setStorage(page: Page, items: Readonly<Record<string, string>>) {
  return page.addInitScript(
    ([visit, stored]) => {
      if (!location.protocol.startsWith('http') || localStorage.getItem('visit') === visit) return;
      sessionStorage.clear();
      localStorage.clear();
      // In local storage, because a sign-out clears the session storage.
      localStorage.setItem('visit', visit);
      for (const [name, value] of Object.entries(stored)) localStorage.setItem(name, value);
      // The session of a shared computer is one of this tab.
      if ('sharedComputer' in stored) sessionStorage.setItem('sharedLeft', String(Date.now()));
    },
    [String(++visitCount), items] as const,
  );
}

// One browser for all files of a process; it ends with the process.
function sharedBrowser(): Promise<Browser> {
  launched ??= launchChromium();
  return launched;
}

async function watchFor(page: Page, origin: string) {
  let messages: string[] = [];
  let failures: string[] = [];
  let expected: (string | RegExp)[] = [];
  const script = await page.addInitScript(() => {
    document.addEventListener('securitypolicyviolation', (violation) => {
      console.error(`policy: ${violation.effectiveDirective} ${violation.blockedURI} ${violation.sample}`);
    });
  });
  page.on('console', (message) => {
    // Failed requests are recorded below, where a test can declare them.
    if (message.type() === 'error' && !message.text().startsWith('Failed to load resource')) {
      messages.push(`console: ${message.text()}`);
    }
    if (message.type() === 'warning') messages.push(`console: ${message.text()}`);
  });
  page.on('pageerror', (error) => messages.push(`error: ${error.stack ?? error.message}`));
  page.on('response', (response) => {
    if (response.status() >= 400) failures.push(`${response.status()} ${named(response.request())}`);
  });
  page.on('requestfailed', (request) => {
    // The page aborts requests of a screen that is closed.
    if (request.failure()?.errorText !== 'net::ERR_ABORTED') failures.push(`no answer ${named(request)}`);
  });
  const named = (request: { method: () => string; url: () => string }) =>
    `${request.method()} ${request.url().replace(origin, '').replace(/\?.*$/, '')}`;
  const matches = (one: string | RegExp) => (failure: string) =>
    typeof one === 'string' ? one === failure : one.test(failure);
  const faults = () => [
    ...messages,
    ...failures.filter((failure) => !expected.some((one) => matches(one)(failure))),
  ];
  const forget = () => {
    messages = [];
    failures = [];
    expected = [];
  };
  return {
    expect: (request: string | RegExp) => {
      expected.push(request);
    },
    faults,
    forget,
    end: () => script.dispose(),
    /** Errors since the last check, and declared failures that did not happen. */
    settle: () => {
      const absent = expected.filter((one) => !failures.some(matches(one)));
      const problems = [...faults(), ...absent.map((one) => `did not happen: ${one}`)];
      forget();
      return problems;
    },
  };
}

// Saves a screenshot of a failed test.
async function takeScreenshot(page: Page, name: string): Promise<void> {
  mkdirSync(SCREENSHOTS, { recursive: true });
  const path = join(SCREENSHOTS, `${name.replaceAll(/[^a-z0-9]+/gi, '-').slice(0, 80)}.png`);
  await page.screenshot({ path, timeout: 3_000 }).catch(() => undefined);
}
