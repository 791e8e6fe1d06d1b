/**
 * npm run test:full -- lighthouse
 *
 * Runs Lighthouse with its default phone (150 ms round trip, 1.6 Mbit/s, a CPU 4 times slower than this machine's) on the
 * sign-in, the volunteer's screen and a list of the Admin Panel. The exit code is 1 when a score is below its limit.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type BrowserContext, chromium } from 'playwright-core';
import { FLAGS } from '../scripts/chromium.ts';
import { freePorts } from '../scripts/cluster/local-processes.ts';
import { SIGN_INS } from '../scripts/demo/people.ts';
import { findChromium } from '../scripts/programs.mjs';
import { installPackages } from './install.ts';
import { serveDemo, signInToStorage } from './page-load.ts';
import { at, printFigure } from './paired-rounds.ts';

const LIMITS = { performance: 90, accessibility: 100, 'best-practices': 100 } as const;
const SCREENS = [
  { name: 'sign-in', path: '/', email: undefined },
  { name: "volunteer's screen", path: '/', email: SIGN_INS.volunteer },
  { name: 'hours to verify, Admin Panel', path: '/?desk=2', email: SIGN_INS.administrator },
] as const;
/** The number of measurements of each screen, of which the median counts. */
const TIMES = 5;

type Audit = Readonly<{ title: string; score: number | null; displayValue?: string }>;
type Category = Readonly<{ score: number | null; auditRefs: readonly { id: string; weight: number }[] }>;
type Result = Readonly<{
  lhr: {
    categories: Record<string, Category>;
    audits: Record<string, Audit>;
    environment: { benchmarkIndex: number };
  };
}>;

const packages = await installPackages('lighthouse', { lighthouse: '13.5.0' });
const { default: lighthouse } = (await import(join(packages, 'lighthouse/core/index.js'))) as {
  default: (url: string, flags: object) => Promise<Result>;
};
const executablePath = findChromium();
if (executablePath === undefined) throw new Error('There is no Chromium on this machine');
const { origin, stop } = await serveDemo('dist');
const profile = mkdtempSync(join(tmpdir(), 'volunteer-time-profile-'));
try {
  for (const screen of SCREENS) await measureScreen(screen, executablePath);
} finally {
  await stop();
  rmSync(profile, { recursive: true, force: true });
}

async function measureScreen(
  { name, path, email }: (typeof SCREENS)[number],
  executablePath: string,
): Promise<void> {
  const { browser: port } = await freePorts(['browser']);
  const args = [...FLAGS, `--remote-debugging-port=${port}`];
  const context = await chromium.launchPersistentContext(join(profile, name), { executablePath, args });
  const onlyCategories = Object.keys(LIMITS);
  try {
    const stored = email === undefined ? {} : await signInToStorage(origin, email);
    const results: Result['lhr'][] = [];
    while (results.length < TIMES) {
      await prepareFirstVisit(context, stored);
      const flags = { port, disableStorageReset: true, onlyCategories, logLevel: 'error' };
      results.push((await lighthouse(`${origin}${path}`, flags)).lhr);
    }
    const indexes = results.map(({ environment }) => environment.benchmarkIndex.toFixed(0));
    console.log(`\n${name}: benchmark index of this machine ${indexes.join(', ')}`);
    for (const [category, limit] of Object.entries(LIMITS)) report(category, limit, results);
  } finally {
    await context.close();
  }
}

// Clears the data of an earlier visit, and signs in.
async function prepareFirstVisit(context: BrowserContext, stored: Record<string, string>): Promise<void> {
  const page = await context.newPage();
  const devtools = await context.newCDPSession(page);
  await devtools.send('Network.clearBrowserCache');
  const storageTypes = 'service_workers,cache_storage';
  await devtools.send('Storage.clearDataForOrigin', { origin, storageTypes });
  await page.goto(`${origin}/manifest.webmanifest`);
  await page.evaluate((items) => {
    for (const [key, value] of Object.entries(items)) localStorage.setItem(key, value);
  }, stored);
  await page.close();
}

function report(category: string, limit: number, results: readonly Result['lhr'][]): void {
  const scoreOf = ({ categories }: Result['lhr']) => Math.round((categories[category]?.score ?? 0) * 100);
  const score = at(results.map(scoreOf), 0.5);
  if (score < limit) process.exitCode = 1;
  printFigure(category, `${score}, limit ${limit}`, score < limit);
  const median = results.find((result) => scoreOf(result) === score);
  for (const { id, weight } of median?.categories[category]?.auditRefs ?? []) {
    const audit = median?.audits[id];
    if (weight === 0 || audit === undefined || audit.score === null) continue;
    if (category === 'performance' || audit.score < 1)
      console.log(`        ${audit.title}: ${audit.displayValue ?? audit.score}`);
  }
}
