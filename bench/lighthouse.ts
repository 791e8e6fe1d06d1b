/**
 * npm run test:full -- lighthouse
 *
 * Lighthouse on its own phone, with its own settings (150 ms round trip, 1.6 Mbit/s, a processor 4 times slower than
 * this machine's): the sign-in, the volunteer's screen, a list of the Admin Panel. Fails below what must be.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type BrowserContext, chromium } from 'playwright-core';
import { FLAGS } from '../scripts/chromium.ts';
import { freePorts } from '../scripts/cluster/local-processes.ts';
import { SIGN_INS } from '../scripts/demo/people.ts';
import { findChromium } from '../scripts/programs.mjs';
import { installed } from './install.ts';
import { serveDemo, session } from './page-load.ts';
import { at, say } from './paired-rounds.ts';

const MUST = { performance: 90, accessibility: 100, 'best-practices': 100 } as const;
const SCREENS = [
  { name: 'sign-in', path: '/', email: undefined },
  { name: "volunteer's screen", path: '/', email: SIGN_INS.volunteer },
  { name: 'hours to verify, Admin Panel', path: '/?desk=2', email: SIGN_INS.administrator },
] as const;
/** How often each screen is looked at; the middle score counts. */
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

const packages = await installed('lighthouse', { lighthouse: '13.5.0' });
const { default: lighthouse } = (await import(join(packages, 'lighthouse/core/index.js'))) as {
  default: (url: string, flags: object) => Promise<Result>;
};
const executablePath = findChromium();
if (executablePath === undefined) throw new Error('There is no Chromium on this machine');
const { origin, stop } = await serveDemo('dist');
const profile = mkdtempSync(join(tmpdir(), 'volunteer-time-profile-'));
try {
  for (const screen of SCREENS) await look(screen, executablePath);
} finally {
  await stop();
  rmSync(profile, { recursive: true, force: true });
}

async function look({ name, path, email }: (typeof SCREENS)[number], executablePath: string): Promise<void> {
  const { browser: port } = await freePorts(['browser']);
  const args = [...FLAGS, `--remote-debugging-port=${port}`];
  const context = await chromium.launchPersistentContext(join(profile, name), { executablePath, args });
  const onlyCategories = Object.keys(MUST);
  try {
    const stored = email === undefined ? {} : await session(origin, email);
    const results: Result['lhr'][] = [];
    while (results.length < TIMES) {
      await makeFirstVisit(context, stored);
      const flags = { port, disableStorageReset: true, onlyCategories, logLevel: 'error' };
      results.push((await lighthouse(`${origin}${path}`, flags)).lhr);
    }
    const indexes = results.map(({ environment }) => environment.benchmarkIndex.toFixed(0));
    console.log(`\n${name}: how fast this machine was: ${indexes.join(', ')}`);
    for (const [category, must] of Object.entries(MUST)) report(category, must, results);
  } finally {
    await context.close();
  }
}

// Signed in, with nothing kept of an earlier visit.
async function makeFirstVisit(context: BrowserContext, stored: Record<string, string>): Promise<void> {
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

function report(category: string, must: number, results: readonly Result['lhr'][]): void {
  const scoreOf = ({ categories }: Result['lhr']) => Math.round((categories[category]?.score ?? 0) * 100);
  const score = at(results.map(scoreOf), 0.5);
  if (score < must) process.exitCode = 1;
  say(category, `${score}, must ${must}`, score < must);
  const middle = results.find((result) => scoreOf(result) === score);
  for (const { id, weight } of middle?.categories[category]?.auditRefs ?? []) {
    const audit = middle?.audits[id];
    if (weight === 0 || audit === undefined || audit.score === null) continue;
    if (category === 'performance' || audit.score < 1)
      console.log(`        ${audit.title}: ${audit.displayValue ?? audit.score}`);
  }
}
