import { expect, test } from 'vitest';
import { ensureAdministrator } from '#features/auth/server/first-administrator.ts';
import { DESKTOP, open, openDistrict } from '../browser.ts';
import { asPerson, printEffort } from '../count-interactions.ts';
import { words } from '../spoken-language.ts';

const ADMIN = { ADMIN_EMAIL: 'ada@maple.example', ADMIN_PASSWORD: 'maple-lantern-42' };
const MOST_CLICKS = 25;
const MOST_SECONDS = 180;

test('setting up an empty district and logging the first hour takes at most 25 clicks and 3 minutes', async () => {
  const district = await openDistrict({ DISTRICT_NAME: '', SUPPORT_EMAIL: '', ...ADMIN });
  await ensureAdministrator(district.deps);
  const visit = await open(district, { look: DESKTOP });
  const { page, button } = visit;
  const { click, type, key, effort } = asPerson(visit);
  const field = (name: string) => page.getByLabel(name, { exact: true });
  const within = page.getByRole('dialog');

  await click(field(words.users.email));
  await type(ADMIN.ADMIN_EMAIL);
  await key('Tab');
  await type(ADMIN.ADMIN_PASSWORD);
  await key('Enter');
  await click(button(words.web.admin));
  await page.getByRole('heading', { name: words.operations.firstTitle }).waitFor();

  // The district's name and address.
  await click(button('Open: Name and support email of the district'));
  await click(field(words['district-settings'].settingsName));
  await key('Control+a');
  await type('Maple Grove');
  await key('Tab');
  await key('Control+a');
  await type('help@maple.example');
  await key('Enter');
  await visit.sees(words.retention.saved);

  // The first school.
  await click(page.getByRole('tab', { name: words.schools.title }));
  await click(button(words.schools.add));
  await type('Lincoln Elementary');
  await key('Enter');
  await within.waitFor({ state: 'detached' });

  // A category and an activity.
  await click(page.getByRole('tab', { name: words.categories.title }));
  await click(field(words.schools.filter));
  await field(words.schools.filter).selectOption('Lincoln Elementary');
  await click(button(words.categories.addFirst));
  await type('Events');
  await key('Enter');
  await within.waitFor({ state: 'detached' });
  await click(page.getByRole('tab', { name: words.activities.title, exact: true }));
  await click(button(words.activities.addFirst));
  await type('Book fair');
  await key('Tab');
  // The list of options is visible while typing.
  await within.getByRole('option', { name: 'Events' }).waitFor({ state: 'attached' });
  await type('E');
  await click(within.getByRole('checkbox', { name: words.activities.yearLong }));
  await click(within.getByRole('button', { name: words.activities.create }));
  await within.waitFor({ state: 'detached' });

  // A volunteer registers and logs an hour.
  const volunteer = await open(district, { look: DESKTOP });
  const person = asPerson(volunteer);
  const theirs = (name: string) => volunteer.page.getByLabel(name, { exact: true });
  await person.click(volunteer.button(words.users.toRegister));
  await person.click(theirs(words.users.firstName));
  for (const text of ['Vera', 'Volt', 'vera@maple.example', 'sunny-meadow-17']) {
    await person.type(text);
    await person.key('Tab');
  }
  await person.click(theirs(words.users.confirmPassword));
  await person.type('sunny-meadow-17');
  const school = volunteer.page.getByRole('checkbox', { name: 'Lincoln Elementary' });
  if (!(await school.isChecked())) await person.click(school);
  await person.click(volunteer.button(words.users.register));
  await person.click(volunteer.page.getByRole('button', { name: /^Book fair/ }).first());
  await person.click(volunteer.page.getByRole('radio', { name: /^1 h/ }));
  await person.click(volunteer.button('Log 1 hour'));
  await volunteer.sees('1h logged for Book fair today!');

  const [admin, parent] = [effort(), person.effort()];
  const all = {
    clicks: admin.clicks + parent.clicks,
    keys: admin.keys + parent.keys,
    seconds: admin.seconds,
  };
  printEffort('from an empty district to the first hour', all);
  const { total } = (
    await district.call('GET /api/admin/time-entries', { token: (await visit.stored('token')) ?? '' })
  ).body;
  expect(total).toBe(1);
  expect(all.clicks).toBeLessThanOrEqual(MOST_CLICKS);
  expect(all.seconds).toBeLessThan(MOST_SECONDS);
});
