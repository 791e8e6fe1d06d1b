import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import type { Administration, Step } from './admin-screens.ts';
import { DESKTOP, open, toAdminPanel, type Visit } from './browser.ts';
import type { Screen, World } from './screens.ts';

/** The moment that the trees are of: a school day, for the server and for the browser. */
export const TREE_TIME = '2026-03-04T18:00:00.000Z';

/** The browser's day is that of `TREE_TIME` too. Its timers run as ever, and it still tells a reload from a visit. */
export const atTreeTime = (page: Page) =>
  page.addInitScript((at) => {
    const RealDate = Date;
    const now = RealDate.parse(at);
    globalThis.Date = class extends RealDate {
      constructor(...given: unknown[]) {
        if (given.length === 0) super(now);
        else super(...(given as [number]));
      }
      static override now() {
        return now;
      }
    } as DateConstructor;
  }, TREE_TIME);

/** Reaches each screen in turn, and returns all that a screen reader is given of it, in its order. */
export async function treesOf(
  visitOf: (screen: Screen) => Visit,
  world: World,
  screens: readonly Screen[],
): Promise<string> {
  const trees: string[] = [];
  for (const screen of screens) {
    const [name, , reach] = screen;
    const visit = visitOf(screen);
    await reach(visit, world);
    trees.push(`# ${name}\n\n${await treeOf(visit)}`);
    await visit.page.unrouteAll({ behavior: 'ignoreErrors' });
  }
  return trees.join('\n');
}

/** The same of states of the Admin Panel. */
export async function administrationTrees(world: Administration, steps: readonly Step[]): Promise<string> {
  const visit = await open(world.district, { look: DESKTOP, as: world.ada, before: atTreeTime });
  const trees: string[] = [];
  for (const [name, reach] of steps) {
    await visit.page.goto('/');
    await toAdminPanel(visit);
    await reach(visit);
    trees.push(`# ${name}\n\n${await treeOf(visit)}`);
  }
  return trees.join('\n');
}

/** All that a screen reader is given of what is shown. Once it stays the same: lists load, dialogs open. */
export async function treeOf({ page }: Visit): Promise<string> {
  let before = '';
  for (let look = 0; look < 20; look++) {
    const tree = steady(await page.locator('body').ariaSnapshot());
    if (tree === before) return `${tree}\n`;
    before = tree;
    await page.waitForTimeout(250);
  }
  throw new Error('The page does not come to rest');
}

// People and categories without a name of their own are numbered through all files of a process, and so are links.
function steady(tree: string): string {
  return (
    tree
      .replaceAll(/\b(Category|Person|Activity|Suggestion) \d+/g, '$1 N')
      .replaceAll(/\bperson\d+@/g, 'personN@')
      .replaceAll(/hours-x+\d+/g, 'hours-N')
      // Photos are sent at once, and either may arrive first.
      .replaceAll(/make them \d+\.png/g, 'make them N.png')
  );
}

/** Compares what a screen reader gets on a journey with its snapshot; `-u` writes the file again. */
export async function expectTrees(file: string, trees: string): Promise<void> {
  await expect(trees).toMatchFileSnapshot(`trees/${file}.txt`);
}
