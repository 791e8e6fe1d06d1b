import { beforeAll, test } from 'vitest';
import { ACCOUNT_SCREENS } from './account-screens.ts';
import { PHONE } from './browser.ts';
import { expectNoBarriers } from './expect-accessible.ts';
import { PHOTO_SCREENS } from './photo-screens.ts';
import { openWorld, SCREENS, type World } from './screens.ts';
import { SYSTEM_SCREENS } from './system-screens.ts';

// Every state of these screens, in each width, is checked by full/screens-phone.spec.ts and its siblings.
const GROUPS = {
  'before sign-in': [
    'sign in',
    'register with schools chosen',
    'a reset link that is wrong',
    'a new password with faults',
    'a forgotten password',
    'an invitation',
    'an address that is confirmed',
  ],
  'where hours are logged': [
    'the page without a network',
    'Log Time with every group open',
    'a picked activity with hours chosen',
    'an entry with faults',
    'the question before more hours of a day',
    'several days at once, one to look at again',
    'logged hours with Undo',
  ],
  'of Recent Activity': [
    'Recent Activity',
    'a household with a code',
    'the calendar of Recent Activity',
    'an entry to edit',
    'the question before deleting',
    'a deleted entry',
  ],
  'of suggestions, shortcuts, and the account': [
    'the list of shortcuts',
    'My Suggestions in every status',
    'a new suggestion with faults and something like it',
    'a school that waits for approval',
    'account settings',
    'the question about being deleted',
  ],
  'of photos': ['whose photos to look at', 'a gallery', 'the viewer', 'a photo to take down'],
  'of an installation without schools': ['a district without schools', 'the System screen'],
};

const ALL = [...SCREENS, ...ACCOUNT_SCREENS, ...PHOTO_SCREENS, ...SYSTEM_SCREENS];

let world: World;
beforeAll(async () => {
  world = await openWorld(PHONE);
});

test.each(Object.entries(GROUPS))('axe finds no violations on the screens %s', async (_, names) => {
  for (const name of names) {
    const screen = ALL.find(([one]) => one === name);
    if (screen === undefined) throw new Error(`No screen '${name}'`);
    const [, who, reach] = screen;
    await reach(world[who], world);
    await expectNoBarriers(world[who].page, name);
    await world[who].page.unrouteAll({ behavior: 'ignoreErrors' });
  }
});
