import { beforeAll, describe, test } from 'vitest';
import {
  ADMIN_SCREENS,
  type Administration,
  MORE_ADMIN_SCREENS,
  openAdministration,
} from '../admin-screens.ts';
import { DESKTOP, open, PHONE, toAdminPanel, type Visit } from '../browser.ts';
import { inColours } from '../expect-accessible.ts';
import { checkSpokenScreen, IS_WHOLE } from './check-language.ts';
import { IS_MARKED } from './pseudo-language.ts';

let world: Administration;

beforeAll(async () => {
  world = await openAdministration();
});

describe.each(IS_WHOLE ? [PHONE, DESKTOP] : [DESKTOP])('the Admin Panel on a $device', (look) => {
  let visit: Visit;
  beforeAll(async () => {
    visit = await open(world.district, { look, as: world.ada, stays: true });
  });

  test.each(IS_WHOLE ? [...ADMIN_SCREENS, ...MORE_ADMIN_SCREENS] : ADMIN_SCREENS)(
    'is translated on the screen: %s',
    async (_, reach) => {
      await inColours(visit.page, 'light');
      await visit.page.goto('/');
      await toAdminPanel(visit);
      await reach(visit);
      await checkSpokenScreen(visit);
    },
  );
});

// The message catalogs do not have the texts of this page, which are in
// src/features/reports/service-letters/web/letter-check-page.tsx.
describe.skipIf(IS_MARKED).each([PHONE, DESKTOP])('for visitors without an account, on a $device', (look) => {
  test('the letter verification page is translated', async () => {
    const visit = await open(world.district, { look, path: '/?letter=K7QM' });
    await visit.page.getByRole('textbox').first().waitFor();
    await checkSpokenScreen(visit);
  });

  test("the external verifier's page is translated", async () => {
    const visit = await open(world.district, { look, path: `/?verify=${world.letter.token}` });
    await visit.page.getByRole('button').first().waitFor();
    await checkSpokenScreen(visit);
  });
});
