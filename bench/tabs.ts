import type { BrowserContext, CDPSession } from 'playwright-core';
import { launchChromium } from '../scripts/chromium.ts';
import { SIGN_INS } from '../scripts/demo/people.ts';
import { serveDemo, session } from './demo-server.ts';
import { newProfile, SLOWER } from './web.ts';

/** What a change of tab may take of the page's own thread for scripts, on the slow phone. */
const MUST_MS = 50;
/** Time for what is loaded ahead, and for a change to end. */
const SETTLE_MS = 6_000;
const CHANGE_MS = 2_000;

const PEOPLE = [
  { name: 'volunteer', email: SIGN_INS.volunteer, path: '/' },
  { name: 'administrator', email: SIGN_INS.administrator, path: '/?desk=2' },
] as const;

/** Prints what scripts, and the page's thread in all, take for each change of tab: on the first visit of it, and again. */
export async function benchTabs(folder: string, rounds: number): Promise<void> {
  const { origin, stop } = await serveDemo(folder);
  const browser = await launchChromium();
  try {
    for (const { name, email, path } of PEOPLE) {
      const taken = new Map<string, Taken[]>();
      for (let round = 0; round < rounds; round++) {
        const context = await newProfile(browser, origin, await session(origin, email));
        for (const [change, cost] of await walkTabs(context, path)) {
          taken.set(change, [...(taken.get(change) ?? []), cost]);
        }
        await context.close();
      }
      print(name, taken);
    }
  } finally {
    await browser.close();
    await stop();
  }
}

type Taken = Readonly<{ scripts: number; all: number }>;

async function walkTabs(context: BrowserContext, path: string): Promise<[string, Taken][]> {
  const page = await context.newPage();
  const devtools = await context.newCDPSession(page);
  // Time of the processor, not of the clock: what else the machine does at the time does not count.
  await devtools.send('Performance.enable', { timeDomain: 'threadTicks' });
  await devtools.send('Emulation.setCPUThrottlingRate', { rate: SLOWER });
  await page.goto(path);
  const list = page.getByRole('tablist').first();
  await list.getByRole('tab').first().waitFor();
  await page.waitForTimeout(SETTLE_MS);
  const tabs = await list.getByRole('tab').allInnerTexts();
  // Not to Analytics, which is a page without tabs. The tab that is open comes last, so that each is gone to.
  const places = tabs.map((tab, at) => ({ tab, at })).filter(({ tab }) => tab !== 'Analytics');
  const order = [...places.slice(1), ...places.slice(0, 1)];
  const found: [string, Taken][] = [];
  for (const visit of ['first', 'again']) {
    for (const { tab, at } of order) {
      found.push([`${tab.replaceAll('\n', ' ')}, ${visit}`, await change(devtools, at)]);
    }
  }
  return found;
}

// Pressed by the browser itself: a press by the library would run scripts of its own in the page.
async function change(devtools: CDPSession, at: number): Promise<Taken> {
  const expression = `{
    const tab = document.querySelector('[role=tablist]').querySelectorAll('[role=tab]')[${at}];
    tab.scrollIntoView({ block: 'nearest', inline: 'nearest' });
    const { x, y, width, height } = tab.getBoundingClientRect();
    JSON.stringify({ x: x + width / 2, y: y + height / 2 });
  }`;
  const { result } = await devtools.send('Runtime.evaluate', { expression });
  const place = JSON.parse(result.value) as { x: number; y: number };
  await pause(200);
  const before = await spent(devtools);
  const press = { ...place, button: 'left', clickCount: 1 } as const;
  await devtools.send('Input.dispatchMouseEvent', { type: 'mousePressed', ...press });
  await devtools.send('Input.dispatchMouseEvent', { type: 'mouseReleased', ...press });
  await pause(CHANGE_MS);
  const after = await spent(devtools);
  return { scripts: after.scripts - before.scripts, all: after.all - before.all };
}

async function spent(devtools: CDPSession): Promise<Taken> {
  const { metrics } = await devtools.send('Performance.getMetrics');
  const of = (name: string) => (metrics.find((metric) => metric.name === name)?.value ?? 0) * 1_000;
  return { scripts: of('ScriptDuration'), all: of('TaskDuration') };
}

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

function print(name: string, taken: ReadonlyMap<string, readonly Taken[]>): void {
  console.log(`\n${name}: scripts (must ${MUST_MS} ms), and all that the thread did`);
  for (const [change, costs] of taken) {
    const middle = (key: keyof Taken) => {
      const sorted = costs.map((cost) => cost[key]).toSorted((a, b) => a - b);
      return (sorted[Math.floor(sorted.length / 2)] ?? Number.NaN).toFixed(0).padStart(5);
    };
    console.log(`  ${change.padEnd(40)} ${middle('scripts')} ms ${middle('all')} ms`);
  }
}
