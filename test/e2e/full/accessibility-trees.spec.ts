import { beforeAll, describe, test } from 'vitest';
import { runningClock } from '../../harness.ts';
import { IS_FULL } from '../../test-level.ts';
import {
  administrationTrees,
  atTreeTime,
  expectTrees,
  TREE_TIME,
  treeOf,
  treesOf,
} from '../accessibility-trees.ts';
import { ACCOUNT_SCREENS } from '../account-screens.ts';
import {
  ADMIN_SCREENS,
  type Administration,
  MORE_ADMIN_SCREENS,
  openAdministration,
} from '../admin-screens.ts';
import { DESKTOP, open } from '../browser.ts';
import { PHOTO_SCREENS } from '../photo-screens.ts';
import { openWorld, SCREENS } from '../screens.ts';

/**
 * Accessibility trees of the main flows, recorded as text in `trees/` and reviewed when they change. `npm run test:full
 * -- accessibility -u` updates them.
 */
const FLOWS: Readonly<Record<string, readonly string[]>> = {
  'sign-in': ['sign in', 'sign in with faults', 'a forgotten password'],
  register: ['register with schools chosen', 'register with faults'],
  'log-time': [
    'Log Time',
    'a search that finds something',
    'a picked activity with hours chosen',
    'an entry with faults',
    'logged hours with Undo',
  ],
  'edit-and-delete': [
    'Recent Activity',
    'an entry to edit',
    'an edited entry with faults',
    'the question before deleting',
    'a deleted entry',
  ],
  photos: [
    'whose photos to look at',
    'files that wait for their upload',
    'a gallery',
    'the viewer',
    'a photo to take down',
  ],
  suggestions: ['My Suggestions in every status', 'a new suggestion with faults and something like it'],
  settings: ['account settings'],
};

/** The flows that `npm test` checks; `npm run test:full -- accessibility` checks all. */
const SOME = ['sign-in', 'log-time', 'photos', 'admin-users'];
const isIncluded = (flow: string) => IS_FULL || SOME.includes(flow);

const ADMINISTRATION: Readonly<Record<string, readonly string[]>> = {
  'admin-users': ['the list of users', 'a user', 'a new user with faults'],
  'admin-time-entries': ['the time entries', 'hours to verify'],
  'admin-reports': ['the figures of the district'],
};

function clockAtTreeTime() {
  const clock = runningClock();
  clock.set(TREE_TIME);
  return clock;
}

describe("the accessibility trees of a volunteer's screens", () => {
  test.each(Object.keys(FLOWS).filter(isIncluded))('match the recorded ones: %s', async (flow) => {
    const all = [...SCREENS, ...ACCOUNT_SCREENS, ...PHOTO_SCREENS];
    const screens = (FLOWS[flow] ?? []).flatMap((name) => all.filter(([own]) => own === name));
    // A separate world for each flow, because data of one flow would appear in the next, and in a retry.
    const world = await openWorld(DESKTOP, clockAtTreeTime(), atTreeTime);
    await expectTrees(flow, await treesOf(([, who]) => world[who], world, screens));
  });
});

describe('the accessibility trees', () => {
  let world: Administration;
  beforeAll(async () => {
    world = await openAdministration(clockAtTreeTime());
  });

  test.each(Object.keys(ADMINISTRATION).filter(isIncluded))(
    'of the Admin Panel match the recorded ones: %s',
    async (flow) => {
      const all = [...ADMIN_SCREENS, ...MORE_ADMIN_SCREENS];
      const steps = (ADMINISTRATION[flow] ?? []).flatMap((name) => all.filter(([own]) => own === name));
      await expectTrees(flow, await administrationTrees(world, steps));
    },
  );

  test('of the pages without an account match the recorded ones', async () => {
    const visit = await open(world.district, { look: DESKTOP, before: atTreeTime });
    const { page } = visit;
    const trees: string[] = [];
    for (const [name, path] of [
      ['the page about accessibility', '/accessibility'],
      ['the page of a supervisor', `/?verify=${world.letter.token}`],
      ['the check of a letter', '/?letter=K7QM'],
    ] as const) {
      await page.goto(path);
      await page.getByRole('button').first().waitFor();
      trees.push(`# ${name}\n\n${await treeOf(visit)}`);
    }
    await expectTrees('without-an-account', trees.join('\n'));
  });
});
