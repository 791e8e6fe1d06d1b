import { beforeAll, test } from 'vitest';
import {
  ADMIN_SCREENS,
  type Administration,
  MORE_ADMIN_SCREENS,
  openAdministration,
} from './admin-screens.ts';
import { DESKTOP, open, toAdminPanel, type Visit } from './browser.ts';
import { expectNoBarriers } from './expect-accessible.ts';
import { words } from './spoken-language.ts';

let world: Administration;
let visit: Visit;

beforeAll(async () => {
  world = await openAdministration();
  visit = await open(world.district, { look: DESKTOP, as: world.ada, stays: true });
});

test.each([
  ['an administrator uses most', ADMIN_SCREENS],
  ['of people, schools, and categories', MORE_ADMIN_SCREENS.slice(0, 9)],
  ['of activities, suggestions, and hours', MORE_ADMIN_SCREENS.slice(9, 16)],
  ['of photos, analytics, the log, and legal holds', MORE_ADMIN_SCREENS.slice(16)],
] as const)('axe finds no violations on the screens %s', async (_, screens) => {
  for (const [name, reach] of screens) {
    await visit.page.goto('/');
    await toAdminPanel(visit);
    await reach(visit);
    await expectNoBarriers(visit.page, name);
  }
});

test('axe finds no violations on the pages for visitors without an account', async () => {
  const { page } = visit;
  await page.goto('/accessibility');
  await page.getByRole('heading', { name: words.accessibility.title }).waitFor();
  await expectNoBarriers(page, 'the page about accessibility');
  await page.goto(`/?verify=${world.letter.token}`);
  await page.getByRole('heading', { name: words.verification.outsideTitle }).waitFor();
  await expectNoBarriers(page, 'the page of an external verifier');
  visit.expectFailure(/^404/);
  await page.goto('/stop-letters?of=x');
  await page.getByRole('heading', { name: words.notifications.stopGoneTitle }).waitFor();
  await expectNoBarriers(page, 'the page that stops emails');
  await page.goto('/?letter=K7QM');
  await page.getByRole('textbox').first().waitFor();
  await expectNoBarriers(page, 'the check of a service letter');
});
