/**
 * npm run test:full -- lighthouse
 *
 * Lighthouse on its own phone, as whoever runs it gets it (150 ms round trip, 1.6 Mbit/s, a processor 4 times slower than
 * this machine's): the sign-in, the volunteer's screen, a list of the Admin Panel. Fails below what must be.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { type BrowserContext, chromium } from 'playwright-core';
import { FLAGS } from '../scripts/chromium.ts';
import { freePorts } from '../scripts/cluster/machine.ts';
import { SIGN_INS } from '../scripts/demo/people.ts';
import { findChromium } from '../scripts/programs.mjs';
import { serveDemo, session } from './demo-server.ts';

/** Where scripts/lighthouse.mjs installs it. */
const PLACE = resolve('.cache/lighthouse/node_modules/lighthouse/core/index.js');
const MUST = { performance: 95, accessibility: 100, 'best-practices': 100 } as const;
const SCREENS = [
  { name: 'sign-in', path: '/', email: undefined },
  { name: "volunteer's screen", path: '/', email: SIGN_INS.volunteer },
  { name: 'hours to verify, Admin Panel', path: '/?desk=2', email: SIGN_INS.administrator },
] as const;
/** Each screen is looked at so often; the middle figure counts. */
const TIMES = 5;

type Lighthouse = (url: string, flags: object) => Promise<Result>;
type Audit = Readonly<{ id: string; title: string; score: number | null; displayValue?: string }>;
type Category = Readonly<{
  score: number | null;
  auditRefs: readonly { id: string; weight: number }[];
}>;
type Result = Readonly<{
  lhr: {
    categories: Record<string, Category>;
    audits: Record<string, Audit>;
    environment: { benchmarkIndex: number };
  };
}>;

const { default: lighthouse } = (await import(PLACE)) as { default: Lighthouse };
const { origin, stop } = await serveDemo('dist');
const profile = mkdtempSync(join(tmpdir(), 'volunteer-time-profile-'));
try {
  for (const screen of SCREENS) await look(screen);
} finally {
  await stop();
  rmSync(profile, { recursive: true, force: true });
}

async function look({ name, path, email }: (typeof SCREENS)[number]): Promise<void> {
  const { browser: port } = await freePorts(['browser']);
  const executablePath = findChromium();
  if (executablePath === undefined) throw new Error('There is no Chromium on this machine');
  const args = [...FLAGS, `--remote-debugging-port=${port}`];
  const context = await chromium.launchPersistentContext(join(profile, name), { executablePath, args });
  try {
    if (email !== undefined) await keep(context, await session(origin, email));
    const flags = {
      port,
      disableStorageReset: true,
      onlyCategories: Object.keys(MUST),
      logLevel: 'error',
    };
    const results: Result[] = [];
    for (let time = 0; time < TIMES; time++) {
      await forgetWorker(context);
      results.push(await lighthouse(`${origin}${path}`, flags));
    }
    const indexes = results.map(({ lhr }) => lhr.environment.benchmarkIndex.toFixed(0));
    console.log(`${name}: how fast this machine was: ${indexes.join(', ')}`);
    report(name, results);
  } finally {
    await context.close();
  }
}

async function keep(context: BrowserContext, stored: Record<string, string>): Promise<void> {
  const page = await context.newPage();
  await page.goto(`${origin}/manifest.webmanifest`);
  await page.evaluate((items) => {
    for (const [key, value] of Object.entries(items)) localStorage.setItem(key, value);
  }, stored);
  await page.close();
}

// Every look is a first visit.
async function forgetWorker(context: BrowserContext): Promise<void> {
  const page = await context.newPage();
  const devtools = await context.newCDPSession(page);
  await devtools.send('Network.clearBrowserCache');
  await devtools.send('Storage.clearDataForOrigin', {
    origin,
    storageTypes: 'service_workers,cache_storage',
  });
  await page.close();
}

function report(name: string, results: readonly Result[]): void {
  for (const [category, must] of Object.entries(MUST)) {
    const ordered = results.toSorted((a, b) => scoreOf(a, category) - scoreOf(b, category));
    const middle = ordered[Math.floor(ordered.length / 2)];
    if (middle === undefined) continue;
    const score = scoreOf(middle, category);
    const isEnough = score >= must;
    if (!isEnough) process.exitCode = 1;
    console.log(`${isEnough ? 'ok    ' : 'failed'}  ${name}: ${category} ${score} (must ${must})`);
    const { categories, audits } = middle.lhr;
    for (const { id, weight } of categories[category]?.auditRefs ?? []) {
      const audit = audits[id];
      if (weight === 0 || audit === undefined || audit.score === null) continue;
      const isFigure = category === 'performance';
      if (isFigure || audit.score < 1)
        console.log(`        ${audit.title}: ${audit.displayValue ?? audit.score}`);
    }
  }
}

function scoreOf({ lhr }: Result, category: string): number {
  return Math.round((lhr.categories[category]?.score ?? 0) * 100);
}
