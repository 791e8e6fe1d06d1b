import { existsSync, mkdirSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import type { Browser, BrowserContext, CDPSession, Locator, Page, Route } from 'playwright-core';
import { expect, test } from 'vitest';
import { adminSchoolName } from '#features/schools/web/admin-school-filter.tsx';
import { launchChromium } from '../../scripts/chromium.ts';
import { atEnd } from '../after-each-file.ts';
import { runningClock, startApp, type TestApp, type TestClock } from '../harness.ts';
import { BROWSER_WAIT_MS, IS_FULL } from '../test-level.ts';
import { SPOKEN, words } from './spoken-language.ts';

const ROOT = join(import.meta.dirname, '../..');
/** The built pages. */
export const PAGES = join(ROOT, 'dist');
const PICTURES = join(ROOT, '.cache/e2e');

/** A device and the colours it asks for. */
export type Look = Readonly<{ device: 'phone' | 'desktop'; scheme: 'light' | 'dark' }>;

/**
 * Both devices and both colour schemes, for `describe.each`: behaviour depends on the device, appearance on the
 * scheme.
 */
export const LOOKS: readonly Look[] = [
  { device: 'phone', scheme: 'light' },
  { device: 'desktop', scheme: 'dark' },
];

export const PHONE: Look = { device: 'phone', scheme: 'light' };
export const DESKTOP: Look = { device: 'desktop', scheme: 'light' };

/** For `describe.each` in the gate: one look there, and both in `npm run test:full`. */
export const looks = (look: Look): readonly Look[] => (IS_FULL ? LOOKS : [look]);

const SIZES = { phone: { width: 390, height: 844 }, desktop: { width: 1280, height: 900 } } as const;

/** Within a suite that runs on both devices: a test of what the layout has no part in. It runs on a desktop only. */
export function testOnDesktop({ device }: Look, name: string, run: () => Promise<unknown>): void {
  if (device === 'desktop') test(name, run);
}

/** The product with its pages, listening on the loopback interface. */
export type District = TestApp & Readonly<{ origin: string }>;

/**
 * Starts the product with its pages, at its `PUBLIC_URL` if it has one. Its time zone is UTC, so that the browser's
 * and the district's days agree. Browsers do not keep the page, so that a test finds nothing of another one.
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
  // A connection that a browser opened ahead and sent nothing on would hold the end up for a minute.
  atEnd(() => app.app.server.closeAllConnections());
  return { ...app, origin };
}

/** A port that nothing listens on, for a `PUBLIC_URL` that has to be known before the start. */
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
  /** Who is signed in at the start. */
  as?: { token: string; id?: number };
  /** The school that this administrator's lists show, chosen in this browser before. */
  school?: { id: number };
  /** Content of local storage besides the token. */
  stored?: Readonly<Record<string, string>>;
  path?: string;
  /** Any width instead of the device's. */
  width?: number;
  /** The language of the browser instead of the tests'. */
  locale?: string;
  /** With motion, things fade and slide as for most people; without it the tests are faster. */
  motion?: boolean;
  /** Runs before the page loads, for example to make the network fail. */
  before?: (page: Page) => Promise<unknown>;
  /** The browser stays open until the end of the file, for several tests on one page. */
  stays?: boolean;
}>;

/** A page that one visit after the other uses: to start another for each costs more than most tests do. */
type Tab = Readonly<{ kind: string; context: BrowserContext; page: Page; history: CDPSession }>;

/** How many tabs wait for their next visit. */
const MOST_IDLE = 4;

/** Somebody's browser with the product in it. */
export type Visit = Readonly<{
  page: Page;
  context: BrowserContext;
  look: Look;
  /** Presses in the way of this device, a tap or a click, and counts it. */
  press: (what: Locator) => Promise<void>;
  presses: () => number;
  button: (name: string | RegExp) => Locator;
  /** Waits until exactly these words are on the screen. */
  sees: (words: string) => Promise<void>;
  /** Waits until these words are nowhere on the screen. */
  misses: (words: string) => Promise<void>;
  /**
   * Declares that a request will fail: '401 GET /api/profile', 'no answer POST /api/time-entries'. The test fails if
   * it does not.
   */
  expectFailure: (request: string | RegExp) => void;
  /** Breaks an address: no reply at all, or the reply of a gateway, which has none of our messages. */
  breakAt: (request: string, how: 'no answer' | 503) => Promise<void>;
  /** Never replies there, so that the screen stays as it is until then. */
  holdAt: (address: string | RegExp) => Promise<void>;
  /** Makes all addresses work again. */
  mend: () => Promise<void>;
  /** Returns what local storage has under a name. */
  stored: (name: string) => Promise<string | null>;
  /** Everything that went wrong so far unexpectedly. */
  faults: () => readonly string[];
  /** Clears the recorded errors, for a test that provokes some. */
  forgetFaults: () => void;
}>;

/** Opens the Admin Panel from the header, on phones from its menu. Staff without a school begin there. */
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
 * Picks an activity whose name begins like that in Log Time. The card beside the list names activities too, and is there
 * before the list.
 */
export async function pickActivity({ page, press }: Visit, name: string): Promise<void> {
  await page.getByRole('searchbox').waitFor();
  const row = page.getByRole('button', { name: new RegExp(`^${name}`) }).first();
  // A group shows its first eight.
  const all = page.getByRole('button', { name: /^(Show all|Ver todas) / }).first();
  if ((await row.count()) === 0 && (await all.count()) > 0) await press(all);
  await press(row);
}

/**
 * How many steps Back goes within the page. One that was undone leaves a moment later; a reload or another address is
 * lost when it comes before that.
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
  callOff: () => Promise<void>;
  leave: (hasFailed: boolean) => Promise<unknown>;
}[] = [];
let visitCount = 0;

/** Runs after each test: an error on a page fails the test even if the test did not look for it. */
export async function settleVisits(task: { name: string; result?: { state: string } }): Promise<void> {
  const open = visits;
  visits = open.filter(({ stays }) => stays);
  const hasFailed = task.result?.state === 'fail';
  const problems: string[] = [];
  for (const [at, { visit, stays, settle, callOff, leave }] of open.entries()) {
    if (hasFailed) await takePicture(visit.page, `${task.name} ${at}`);
    await callOff();
    problems.push(...settle());
    await (stays ? visit.page.unrouteAll({ behavior: 'ignoreErrors' }) : leave(hasFailed));
  }
  expect(problems).toEqual([]);
}

// Long because it lists all that a test can do with its browser.
/** Opens the product as in a new browser: nothing is left of another visit. */
export async function open(district: District, options: VisitOptions = {}): Promise<Visit> {
  const { look = DESKTOP, as, school, stored = {}, path = '/', before, stays = false } = options;
  const isPhone = look.device === 'phone';
  // What is done before the page loads may last as long as the page.
  const isAlone = stays || before !== undefined;
  const tab = await aTab(district, options, isAlone);
  const { context, page } = tab;
  const watch = await watchFor(page, district.origin);
  const keeps = await keepIn(page, {
    ...(as === undefined ? {} : { token: as.token }),
    ...(as?.id === undefined || school === undefined ? {} : { [adminSchoolName(as.id)]: String(school.id) }),
    ...stored,
  });
  let presses = 0;
  const said = (words: string) =>
    page.getByText(words, { exact: true }).and(page.locator(':not(.sr-only)')).first();
  const unanswered: Route[] = [];
  // Aborted before its route is removed: otherwise it would reach the server during the next test.
  const callOff = async () => {
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
    sees: (words) => said(words).waitFor(),
    misses: (words) => said(words).waitFor({ state: 'hidden' }),
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
    await keeps.dispose();
    await watch.end();
    await giveBack(tab, look);
  };
  visits.push({ visit, stays, settle: watch.settle, callOff, leave });
  if (stays) {
    // What it asks for after that, the tests of the next file would hear.
    atEnd(() => {
      visits = visits.filter((one) => one.visit !== visit);
      return context.close();
    });
  }
  await before?.(page);
  await page.goto(path);
  return visit;
}

// A tab that waits and is of this kind, or a new one.
async function aTab(
  district: District,
  { look = DESKTOP, width = SIZES[look.device].width, motion = false, locale = `${SPOKEN}-US` }: VisitOptions,
  isAlone: boolean,
): Promise<Tab> {
  const kind = [district.origin, look.device, look.scheme, width, motion, locale].join(' ');
  const viewport = { ...SIZES[look.device], width };
  const waiting = isAlone ? undefined : idle.find((one) => one.kind === kind);
  if (waiting !== undefined) {
    idle = idle.filter((one) => one !== waiting);
    // The visit before may have changed it.
    await waiting.page.setViewportSize(viewport);
    return waiting;
  }
  const browser = await theBrowser();
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
  const page = await context.newPage();
  return { kind, context, page, history: await context.newCDPSession(page) };
}

// Empties a tab for its next visit. What it stores is replaced when that visit loads its first page.
async function giveBack(tab: Tab, look: Look): Promise<void> {
  const { context, page, history } = tab;
  for (const other of context.pages()) if (other !== page) await other.close();
  page.removeAllListeners();
  await page.unrouteAll({ behavior: 'ignoreErrors' });
  // A form that was begun asks whether to leave it.
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
  const tooMany = idle.slice(0, -MOST_IDLE);
  idle = idle.slice(-MOST_IDLE);
  for (const { context: old } of tooMany) await old.close();
}

// What local storage holds when the first page of a visit loads; later pages find what the visit left.
function keepIn(page: Page, items: Readonly<Record<string, string>>) {
  return page.addInitScript(
    ([visit, stored]) => {
      if (!location.protocol.startsWith('http') || localStorage.getItem('visit') === visit) return;
      sessionStorage.clear();
      localStorage.clear();
      // Not beside the drafts of the tab, which a sign-out clears.
      localStorage.setItem('visit', visit);
      for (const [name, value] of Object.entries(stored)) localStorage.setItem(name, value);
      // The session of a shared computer is one of this tab.
      if ('sharedComputer' in stored) sessionStorage.setItem('sharedLeft', String(Date.now()));
    },
    [String(++visitCount), items] as const,
  );
}

// One for all files of a process; it ends with that.
function theBrowser(): Promise<Browser> {
  launched ??= launchChromium();
  return launched;
}

async function watchFor(page: Page, origin: string) {
  let said: string[] = [];
  let failures: string[] = [];
  let expected: (string | RegExp)[] = [];
  const script = await page.addInitScript(() => {
    document.addEventListener('securitypolicyviolation', (violation) => {
      console.error(`policy: ${violation.effectiveDirective} ${violation.blockedURI} ${violation.sample}`);
    });
  });
  page.on('console', (message) => {
    // A refused or failed request is recorded below, where a test can declare it.
    if (message.type() === 'error' && !message.text().startsWith('Failed to load resource')) {
      said.push(`console: ${message.text()}`);
    }
    if (message.type() === 'warning') said.push(`console: ${message.text()}`);
  });
  page.on('pageerror', (error) => said.push(`error: ${error.stack ?? error.message}`));
  page.on('response', (response) => {
    if (response.status() >= 400) failures.push(`${response.status()} ${named(response.request())}`);
  });
  page.on('requestfailed', (request) => {
    // The page itself aborts a request when its screen is left.
    if (request.failure()?.errorText !== 'net::ERR_ABORTED') failures.push(`no answer ${named(request)}`);
  });
  const named = (request: { method: () => string; url: () => string }) =>
    `${request.method()} ${request.url().replace(origin, '').replace(/\?.*$/, '')}`;
  const matches = (one: string | RegExp) => (failure: string) =>
    typeof one === 'string' ? one === failure : one.test(failure);
  const faults = () => [
    ...said,
    ...failures.filter((failure) => !expected.some((one) => matches(one)(failure))),
  ];
  const forget = () => {
    said = [];
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

// A screenshot of a failed test, for its report.
async function takePicture(page: Page, name: string): Promise<void> {
  mkdirSync(PICTURES, { recursive: true });
  const path = join(PICTURES, `${name.replaceAll(/[^a-z0-9]+/gi, '-').slice(0, 80)}.png`);
  await page.screenshot({ path, timeout: 3_000 }).catch(() => undefined);
}
