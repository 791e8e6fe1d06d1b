import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { addDays, dayIn } from '#shared/calendar-date.ts';
import { aCategory, anActivity, anAdministrator, anEntry, aPerson, aSchool } from '../builders.ts';
import { fullTest } from '../full-test.ts';
import { IS_FULL } from '../test-level.ts';
import {
  DESKTOP,
  type District,
  type Look,
  looks,
  open,
  openDistrict,
  PHONE,
  pressAction,
  toAdminPanel,
  type Visit,
} from './browser.ts';
import { expectAccessible, expectNoSideways } from './expect-accessible.ts';
import { words } from './spoken-language.ts';

let district: District;

let ada: Awaited<ReturnType<typeof anAdministrator>>;

let visit: Visit;

const MANY = 130;

beforeAll(async () => {
  district = await openDistrict();
  ada = await anAdministrator(district);
  const lincoln = await aSchool(district, { name: 'Lincoln Elementary' });
  await aSchool(district, { name: 'Oak Middle School' });
  const events = await aCategory(district, { school: lincoln, name: 'Events' });
  const fair = await anActivity(district, { school: lincoln, category: events, name: 'Book fair' });
  const garden = await anActivity(district, { school: lincoln, category: events, name: 'Garden club' });
  const maria = await aPerson(district, { firstName: 'Maria', lastName: 'Ruiz', schools: [lincoln] });
  const ben = await aPerson(district, { firstName: 'Ben', lastName: 'Okafor', schools: [lincoln] });
  for (let at = 0; at < MANY; at += 1) {
    await anEntry(district, { by: maria, activity: fair, hours: 1, date: addDays(today(), -at) });
  }
  await anEntry(district, {
    by: ben,
    activity: garden,
    hours: 2.5,
    date: today(),
    notes: 'Watered the beans',
  });
});

const today = () => dayIn('UTC', district.clock.now());

const dialog = () => visit.page.getByRole('dialog');

const question = () => visit.page.getByRole('alertdialog');

const row = (name: string) => visit.page.getByRole('row').filter({ hasText: name });

const field = (label: string) => visit.page.getByLabel(label, { exact: true });

const figure = async (name: string) =>
  visit.page.locator('dl[aria-label="Summary"] > div').filter({ hasText: name }).locator('dd').textContent();

async function openAdmin(look: Look, tab: string, width?: number) {
  visit = await open(district, { look, as: ada, ...(width === undefined ? {} : { width }) });
  await toAdminPanel(visit);
  await visit.press(visit.page.getByRole('tab', { name: tab }));
  await visit.page.getByRole('heading', { name: tab, exact: true }).waitFor();
}

async function openEntries(look: Look, width?: number) {
  await openAdmin(look, 'Time Entries', width);
  await field(words.schools.filter).selectOption('Lincoln Elementary');
  await row('Book fair').first().waitFor();
}

async function unfold(look: Look) {
  if (look.device === 'phone') await visit.press(visit.button(/^Filters/));
}

describe.each(looks(DESKTOP))('the Users tab on a $device', (look) => {
  test('creates, finds, edits, deactivates and deletes a user', async () => {
    await openAdmin(look, 'Users');
    await visit.press(visit.button(words.users.add));
    await visit.press(visit.button(words.users.create));
    await dialog()
      .getByText(words.users.userSchoolRequired)
      .and(visit.page.locator(':not(.sr-only)'))
      .waitFor();
    await field(words.users.firstName).fill('Zoë');
    await field(words.users.lastName).fill('Nguyen');
    await field(words.users.email).fill('zoe@maplegrove.example');
    await visit.press(field('Lincoln Elementary'));
    await visit.press(visit.button(words.users.create));
    await visit.sees(words.users.userCreated);
    // Without a mail server, the password link is shown, so the administrator can pass it on.
    const ready = visit.page.getByRole('dialog', { name: words.users.accountReady });
    expect(await field('Link for zoe@maplegrove.example').inputValue()).toContain('?token=');
    const copying = ready.getByRole('button', { name: 'Copy Link for zoe@maplegrove.example' });
    expect(await copying.boundingBox()).toMatchObject({ width: 44, height: 44 });
    await visit.press(ready.getByRole('button', { name: words.web.close }));
    await dialog().first().waitFor({ state: 'hidden' });

    await visit.page.getByRole('searchbox').fill('zoe ng');
    await row('Maria Ruiz').waitFor({ state: 'hidden' });
    await visit.press(visit.button('Zoë Nguyen'));
    expect(await field(words.users.password).inputValue()).toBe('');
    await field(words.users.lastName).fill('Nguyen-Hall');
    await visit.press(field(words.users.isActive));
    await visit.press(visit.button(words.users.profileSave));
    await visit.sees(words.users.userUpdated);
    await row('Zoë Nguyen-Hall').getByText(words.users.inactive).waitFor();

    await visit.press(visit.button('Zoë Nguyen-Hall'));
    await visit.press(visit.button(words.users.deleteTitle));
    await question()
      .getByText('Are you sure you want to delete "Zoë Nguyen-Hall"? This action cannot be undone.')
      .waitFor();
    await visit.press(question().getByRole('button', { name: words['time-entries'].deleteAction }));
    await visit.sees(words.users.userDeleted);
  });
});

describe.each(looks(DESKTOP))('the Time Entries tab on a $device', (look) => {
  beforeEach(() => openEntries(look));

  test('shows totals that match the filters, and sorts the entries', async () => {
    await expect.poll(() => figure('Total Entries')).toBe('131');
    expect(await figure('Total Hours')).toBe('132.5');
    expect(await figure('Active Users')).toBe('2');
    expect(await figure('Avg Hours/Entry')).toBe('1.01');
    await unfold(look);
    await field(words['time-entries'].activity).selectOption('Garden club');
    await expect.poll(() => figure('Total Entries')).toBe('1');
    await row('Watered the beans').waitFor();
    await visit.press(visit.button('Clear Activity'));
    await expect.poll(() => figure('Total Entries')).toBe('131');

    await field(words.web.startDate).fill(addDays(today(), -4));
    expect(await field(words.web.endDate).getAttribute('min')).toBe(addDays(today(), -4));
    await field(words.web.endDate).fill(addDays(today(), -1));
    await expect.poll(() => figure('Total Entries')).toBe('4');
    await visit.press(visit.button(words.web.resetAll));
    await expect.poll(() => figure('Total Entries')).toBe('131');

    await visit.press(visit.button('User: All users'));
    await dialog().getByRole('searchbox').fill('okaf');
    await visit.press(dialog().getByRole('button', { name: /^Ben Okafor/ }));
    await expect.poll(() => figure('Total Hours')).toBe('2.5');
    await visit.press(visit.button(words.web.resetAll));
    await field(words['time-entries'].sortBy).selectOption('Hours');
    await expect.poll(() => visit.page.locator('tbody tr').first().textContent()).toContain('Garden club');
    await field(words['time-entries'].sortOrder).selectOption('Ascending');
    await expect.poll(() => visit.page.locator('tbody tr').first().textContent()).toContain('Book fair');
  });

  test('edits, deletes and restores an entry in place', async () => {
    await visit.press(row('Garden club').getByRole('button', { name: 'Garden club', exact: true }));
    await dialog()
      .getByText(/^Ben Okafor · Garden club · .+ · 2.5 h$/)
      .waitFor();
    await dialog().getByLabel(words['time-entries'].hoursField, { exact: true }).fill('3');
    await visit.press(visit.button(words.users.profileSave));
    await visit.sees(words['time-entries'].updated);
    await row('Garden club').getByText('3 h', { exact: true }).waitFor();

    await visit.press(row('Garden club').getByRole('button', { name: /^Delete/ }));
    await question().getByText(words['time-entries'].confirmDelete).waitFor();
    await question()
      .getByText(/^Ben Okafor · Garden club · .+ · 3 h$/)
      .waitFor();
    await visit.press(question().getByRole('button', { name: words['time-entries'].deleteAction }));
    await visit.sees(words['time-entries'].deleted);
    await expect.poll(() => figure('Total Entries')).toBe('130');
    await visit.press(visit.button(/^Undo: restore Garden club/));
    await visit.sees(words['time-entries'].restored);
    await expect.poll(() => figure('Total Entries')).toBe('131');
    await visit.press(row('Garden club').getByRole('button', { name: 'Garden club', exact: true }));
    await dialog().getByLabel(words['time-entries'].hoursField, { exact: true }).fill('2.5');
    await visit.press(visit.button(words.users.profileSave));
    await visit.sees(words['time-entries'].updated);
  });

  test('logs hours for one volunteer, or for many at once', async () => {
    await visit.press(visit.button(words['time-entries'].logFor));
    await visit.press(visit.button(words['time-entries'].logHours));
    await dialog()
      .getByText(words['time-entries'].volunteerRequired)
      .and(visit.page.locator(':not(.sr-only)'))
      .waitFor();
    await visit.press(dialog().getByRole('button', { name: /^Ben Okafor/ }));
    await dialog().getByLabel(words['time-entries'].activity).selectOption('Book fair');
    await dialog().getByLabel(words['time-entries'].hoursField, { exact: true }).fill('1.5');
    await visit.press(visit.button(words['time-entries'].logHours));
    await visit.sees('1.5h logged for Book fair today, for Ben Okafor!');
    await expect.poll(() => figure('Total Entries')).toBe('132');
    await dialog().waitFor({ state: 'hidden' });

    // Logging more for the same day asks first, and asks again if the hours change.
    await visit.press(visit.button(words['time-entries'].logFor));
    await visit.press(dialog().getByRole('button', { name: /^Ben Okafor/ }));
    await dialog().getByLabel(words['time-entries'].activity).selectOption('Book fair');
    await dialog().getByLabel(words['time-entries'].hoursField, { exact: true }).fill('2');
    await visit.press(visit.button(words['time-entries'].logHours));
    await visit.sees('Ben Okafor already has 1.5 h for Book fair today. Log 2 h more?');
    await expectAccessible(visit.page);
    await dialog().getByLabel(words['time-entries'].hoursField, { exact: true }).fill('1');
    await visit.press(visit.button(words['time-entries'].logHours));
    await visit.sees('Ben Okafor already has 1.5 h for Book fair today. Log 1 h more?');
    await visit.press(visit.button('Log 1 h more'));
    await expect.poll(() => figure('Total Entries')).toBe('133');
    await dialog().waitFor({ state: 'hidden' });

    await pressAction(visit, words['time-entries'].roster);
    await dialog().getByLabel(words['time-entries'].activity).selectOption('Book fair');
    await visit.press(dialog().getByRole('button', { name: /^Ben Okafor/ }));
    await visit.press(dialog().getByRole('button', { name: /^Maria Ruiz/ }));
    await visit.press(visit.button('Log for 2 volunteers'));
    await visit.sees(
      'Some people already have hours for Book fair today: Ben Okafor (2.5 h), Maria Ruiz (1 h). Log more for them?',
    );
    await dialog().getByLabel(words['time-entries'].activity).selectOption('Garden club');
    await visit.press(visit.button('Log for 2 volunteers'));
    await visit.sees('Ben Okafor already has 2.5 h for Garden club today. Log 1 h more?');
    await visit.press(dialog().getByRole('button', { name: words.web.close, exact: true }).last());
    await dialog().waitFor({ state: 'hidden' });

    // The unfinished input is still there.
    await pressAction(visit, words['time-entries'].roster);
    await dialog().getByLabel('Hours for Maria Ruiz').fill('2');
    await visit.press(visit.button('Log for 2 volunteers'));
    await visit.press(visit.button(words['time-entries'].logAllTheSame));
    await visit.page
      .getByText(/^Logged 3 h for 2 volunteers: Garden club, /)
      .first()
      .waitFor();
    await expect.poll(() => figure('Total Entries')).toBe('135');
    await district.deps.database.db
      .deleteFrom('time_entries')
      .where('id', '>', MANY + 1)
      .execute();
  });
});

describe.runIf(IS_FULL)('the Users tab on a desktop', () => {
  test("does not delete users with hours, nor the administrator's own account", async () => {
    await openAdmin(DESKTOP, 'Users');
    await visit.press(visit.button('Maria Ruiz'));
    await visit.press(visit.button(words.users.deleteTitle));
    visit.expectFailure(/^409 DELETE/);
    await visit.press(question().getByRole('button', { name: words['time-entries'].deleteAction }));
    await question()
      .getByText(/^Cannot delete Maria Ruiz: it still has 1\d\d time entries/)
      .waitFor();
    await visit.press(question().getByRole('button', { name: words.web.cancel }));
    await question().waitFor({ state: 'hidden' });
    await visit.press(dialog().getByRole('button', { name: words.web.cancel }));
    await dialog().waitFor({ state: 'hidden' });
    await visit.press(row('Ada').getByRole('button'));
    await dialog().waitFor();
    expect(await visit.button(words.users.deleteTitle).count()).toBe(0);
    expect(await dialog().getByLabel(words.users.role, { exact: true }).count()).toBe(0);
  });
});

describe.runIf(IS_FULL)('the Time Entries tab on a desktop', () => {
  beforeEach(() => openEntries(DESKTOP));

  test('loads page by page while scrolling', async () => {
    await visit.sees('100 of 131 entries');
    await visit.page.getByText('100 of 131 entries').scrollIntoViewIfNeeded();
    await visit.sees('131 of 131 entries');
  });

  for (const how of [503, 'no answer'] as const)
    test(`shows a banner if the entries fail to load: ${how}`, async () => {
      await visit.breakAt('GET /api/admin/time-entries', how);
      await unfold(DESKTOP);
      await field(words['time-entries'].activity).selectOption('Garden club');
      await visit.sees(words['time-entries'].failedToFetch);
      if (how === 'no answer') await visit.sees(words.shared.networkError);
      await visit.mend();
      await visit.press(visit.button(words.web.tryAgain));
      await row('Watered the beans').waitFor();
      await visit.misses(words['time-entries'].failedToFetch);
    });
});

fullTest('time entries are printed as a plain table with a signature line', async () => {
  await openEntries(DESKTOP);
  await visit.page.evaluate(() => {
    window.print = () => {
      window.dispatchEvent(new Event('beforeprint'));
    };
  });
  await visit.press(visit.button(words['time-entries'].print));
  await visit.page.emulateMedia({ media: 'print' });
  await visit.page.getByRole('heading', { name: words['time-entries'].printTitle }).waitFor();
  // The last row is the total.
  expect(await visit.page.locator('main table:visible tbody tr').count()).toBe(MANY + 2);
  await visit.page.getByText(words['time-entries'].printSignature, { exact: true }).waitFor();
});

describe.runIf(IS_FULL).each<Look>([DESKTOP, PHONE])(
  'the Users and Time Entries tabs on a $device',
  (look) => {
    test('have no axe violations', async () => {
      await openAdmin(look, 'Users');
      await row('Maria Ruiz').waitFor();
      await expectAccessible(visit.page);
      await visit.press(visit.button('Maria Ruiz'));
      await dialog().getByText('Lincoln Elementary').first().waitFor();
      await expectAccessible(visit.page);
      await visit.press(dialog().getByRole('button', { name: words.web.cancel }));
      await dialog().waitFor({ state: 'hidden' });
      await visit.press(visit.page.getByRole('tab', { name: words['time-entries'].title }));
      await field(words.schools.filter).selectOption('Lincoln Elementary');
      await row('Garden club').waitFor();
      await unfold(look);
      // A few rows are enough, because they are all alike.
      await field(words.web.startDate).fill(addDays(today(), -3));
      await expect.poll(() => figure('Total Entries')).toBe('5');
      await expectAccessible(visit.page);
      await visit.press(visit.button(words['time-entries'].logFor));
      await visit.press(dialog().getByRole('button', { name: /^Ben Okafor/ }));
      await visit.press(visit.button(words['time-entries'].logHours));
      await dialog().getByLabel(words['time-entries'].activity).waitFor();
      await expectAccessible(visit.page);
      await visit.press(dialog().getByRole('button', { name: words.web.cancel }));
      await dialog().waitFor({ state: 'hidden' });
      await pressAction(visit, words['time-entries'].roster);
      await dialog()
        .getByRole('button', { name: /^Ben Okafor/ })
        .click();
      await expectAccessible(visit.page);
    });
  },
);

fullTest('Users and Time Entries do not scroll sideways at 320 px', async () => {
  await openEntries(PHONE, 320);
  await unfold(PHONE);
  await expectNoSideways(visit.page);
  await pressAction(visit, words['time-entries'].roster);
  await dialog()
    .getByRole('button', { name: /^Ben Okafor/ })
    .click();
  await expectNoSideways(visit.page);
  await visit.press(dialog().getByRole('button', { name: words.web.close, exact: true }).last());
  await dialog().waitFor({ state: 'hidden' });
  await visit.press(visit.page.getByRole('tab', { name: words.users.title }));
  await row('Maria Ruiz').waitFor();
  await expectNoSideways(visit.page);
});
