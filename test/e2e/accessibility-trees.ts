import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import type { Administration, Step } from './admin-screens.ts';
import { DESKTOP, open, toAdminPanel, type Visit } from './browser.ts';
import type { Screen, World } from './screens.ts';

/** The time of the snapshots, a school day, on the server and in the browser. */
export const TREE_TIME = '2026-03-04T18:00:00.000Z';

/** Sets the browser's date to `TREE_TIME`, without changing its timers and performance entries. */
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

/** Opens each screen in turn; returns their accessibility trees. */
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

/** Returns the accessibility trees of states of the Admin Panel. */
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

/** Returns the page's accessibility tree, once it no longer changes. */
export async function treeOf({ page }: Visit): Promise<string> {
  let before = '';
  for (let look = 0; look < 20; look++) {
    const tree = normalize(await page.locator('body').ariaSnapshot());
    if (tree === before) return `${tree}\n`;
    before = tree;
    await page.waitForTimeout(250);
  }
  throw new Error('The page keeps changing');
}

// Replaces numbers of generated names and links, which count through all files of a process.
function normalize(tree: string): string {
  return (
    tree
      .replaceAll(/\b(Category|Person|Activity|Suggestion) \d+/g, '$1 N')
      .replaceAll(/\bperson\d+@/g, 'personN@')
      .replaceAll(/hours-x+\d+/g, 'hours-N')
      // Photos are uploaded concurrently, and either may arrive first.
      .replaceAll(/make them \d+\.png/g, 'make them N.png')
  );
}

/** Compares accessibility trees with their snapshot file; `-u` updates it. */
export async function expectTrees(file: string, trees: string): Promise<void> {
  await expect(trees).toMatchFileSnapshot(`trees/${file}.txt`);
}
