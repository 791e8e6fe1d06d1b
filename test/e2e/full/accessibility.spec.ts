import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { IS_FULL } from '../../test-level.ts';
import { STEPS, walk } from '../accessibility-checks.ts';
import { ACCOUNT_SCREENS } from '../account-screens.ts';
import {
  ADMIN_SCREENS,
  type Administration,
  MORE_ADMIN_SCREENS,
  openAdministration,
} from '../admin-screens.ts';
import { DESKTOP, type Look, open, PHONE, toAdminPanel, type Visit } from '../browser.ts';
import { checkScreen } from '../check-screens.ts';
import { inColours } from '../expect-accessible.ts';
import { PHOTO_SCREENS } from '../photo-screens.ts';
import { openWorld, SCREENS, type World } from '../screens.ts';
import { words } from '../spoken-language.ts';
import { SYSTEM_SCREENS } from '../system-screens.ts';

/** `npm run test:full -- accessibility` checks every state of every screen. */
const IS_WHOLE = IS_FULL;

/** Screens that together have every kind of control. */
const SOME = [
  'register with faults',
  'an entry with faults',
  'several days at once, one to look at again',
  'an edited entry with faults',
  // A notice stays on this screen.
  'pending hours that the server rejected',
  // It replaces the screen that named the page.
  'the page without a network',
];
const SOME_OF_ADMINISTRATORS = ['a user', 'the time entries'];

/** Each list has its own district, because data of one list would disturb the next. */
const LISTS = Object.entries({
  'the main screens': SCREENS,
  'the account screens': ACCOUNT_SCREENS,
  'the photo screens': PHOTO_SCREENS,
  'the system screens': SYSTEM_SCREENS,
}).flatMap(([name, list]) => {
  const screens = list.filter(([screen]) => IS_WHOLE || SOME.includes(screen));
  return screens.length === 0 ? [] : [{ name, screens }];
});
const administration = [...ADMIN_SCREENS, ...MORE_ADMIN_SCREENS].filter(
  ([name]) => IS_WHOLE || SOME_OF_ADMINISTRATORS.includes(name),
);

let walked = 0;
let found = 0;

async function expectNothing(visit: Visit): Promise<void> {
  const faults = await walk(visit);
  walked += 1;
  found += faults.length;
  expect(faults).toEqual([]);
}

afterAll(() => {
  if (IS_WHOLE) console.log(`${walked} states walked, ${STEPS.length} checks each: ${found} faults`);
});

describe.each<Look>(IS_WHOLE ? [PHONE, DESKTOP] : [DESKTOP])('on a $device', (look) => {
  describe.each(LISTS)('$name', ({ screens }) => {
    let world: World;
    beforeAll(async () => {
      world = await openWorld(look);
    });

    test.each(screens)('%s meets the automated checks of WCAG 2.2', async (_, who, reach) => {
      const visit = world[who];
      await inColours(visit.page, 'light');
      await reach(visit, world);
      await expectNothing(visit);
    });
  });
});

describe.each<Look>(IS_WHOLE ? [PHONE, DESKTOP] : [DESKTOP])('the other pages on a $device', (look) => {
  let world: Administration;
  let visit: Visit;
  beforeAll(async () => {
    world = await openAdministration();
    visit = await open(world.district, { look, as: world.ada, stays: true });
  });

  test.each(administration)('%s meets the automated checks of WCAG 2.2', async (_, reach) => {
    await inColours(visit.page, 'light');
    await visit.page.goto('/');
    await toAdminPanel(visit);
    await reach(visit);
    await expectNothing(visit);
  });

  // Pages without sign-in. The server renders the first three, and they run no script.
  type Outside = readonly [name: string, path: () => string, title: string | undefined];
  const OUTSIDE: readonly Outside[] = [
    ['the page about accessibility', () => '/accessibility', words.accessibility.title],
    ["the external verifier's page", () => `/?verify=${world.letter.token}`, words.verification.outsideTitle],
    ['the page that unsubscribes from emails', () => '/stop-letters?of=x', words.notifications.stopGoneTitle],
    ['the service letter check', () => '/?letter=K7QM', undefined],
  ];

  test.each(OUTSIDE)('%s meets the automated checks of WCAG 2.2', async (_, path, title) => {
    if (path().startsWith('/stop')) visit.expectFailure(/^404/);
    await inColours(visit.page, 'light');
    await visit.page.goto(path());
    if (title === undefined) await visit.page.getByRole('textbox').first().waitFor();
    else await visit.page.getByRole('heading', { name: title }).waitFor();
    await expectNothing(visit);
    await checkScreen(visit);
  });

  test('the accessibility report form focuses its errors and meets the automated checks', async () => {
    visit.expectFailure(/^400/);
    await visit.page.goto('/accessibility');
    await visit.press(visit.button(words.accessibility.send));
    await visit.page.getByRole('alert').waitFor();
    expect(await visit.page.getByRole('alert').evaluate((box) => box === document.activeElement)).toBe(true);
    await expectNothing(visit);
    await checkScreen(visit);
  });
});
