import { beforeEach, describe, expect, test } from 'vitest';
import { dayIn } from '#shared/calendar-date.ts';
import { aCategory, anActivity, anAdministrator, anEntry, aPerson, aSchool } from '../../builders.ts';
import {
  DESKTOP,
  type District,
  type Look,
  open,
  openDistrict,
  PHONE,
  pressAction,
  stepsToGoBack,
  toAdminPanel,
  type Visit,
} from '../browser.ts';
import { asPerson, printEffort } from '../count-interactions.ts';
import { expectAccessible, expectNoSideways } from '../expect-accessible.ts';
import { words } from '../spoken-language.ts';

const PAPER = [
  ['Ann', 'Lee'],
  ['Ben', 'Okafor'],
  ['Carla', 'Diaz'],
  ['Devon', 'Smith'],
  ['Elif', 'Kaya'],
  ['Femi', 'Ade'],
  ['Grace', 'Hill'],
  ['Hugo', 'Roy'],
  ['Ines', 'Paz'],
  ['Jon', 'Berg'],
] as const;

let district: District;
let visit: Visit;
let school: Awaited<ReturnType<typeof aSchool>>;
let ada: Awaited<ReturnType<typeof anAdministrator>>;

beforeEach(async () => {
  district = await openDistrict();
  ada = await anAdministrator(district);
  school = await aSchool(district, { name: 'Lincoln Elementary' });
  const events = await aCategory(district, { school, name: 'Events' });
  const fair = await anActivity(district, { school, category: events, name: 'Book fair' });
  for (const [firstName, lastName] of PAPER) {
    const person = await aPerson(district, { firstName, lastName, schools: [school] });
    const date = dayIn('UTC', district.clock.now());
    if (firstName === 'Ann') await anEntry(district, { by: person, activity: fair, hours: 2, date });
  }
  await aPerson(district, { firstName: 'Ben', lastName: 'Oakes', schools: [school] });
});

const text = words['time-entries'];
const dialog = () => visit.page.getByRole('dialog');
const names = () => dialog().getByRole('searchbox', { name: text.sheetName });
const lines = () => dialog().getByRole('list').first().getByRole('listitem');
const stored = async () =>
  (
    await district.deps.database.db
      .selectFrom('time_entries')
      .innerJoin('users', 'users.id', 'time_entries.user_id')
      .select(['users.last_name as name', 'users.is_walk_in as isWalkIn', 'hours_hundredths as hours'])
      .where('time_entries.deleted_at', 'is', null)
      .orderBy('time_entries.id')
      .execute()
  ).slice(1);

async function toEntries(look: Look) {
  visit = await open(district, { look, as: ada, school });
  await toAdminPanel(visit);
  await visit.press(visit.page.getByRole('tab', { name: 'Time Entries' }));
  await visit.page.getByRole('row').filter({ hasText: 'Ann Lee' }).first().waitFor();
}

async function toSheet(look: Look) {
  await toEntries(look);
  await pressAction(visit, text.roster);
  await names().waitFor();
}

async function paste(pasted: string) {
  await names().evaluate((box, content) => {
    const clipboardData = new DataTransfer();
    clipboardData.setData('text', content);
    box.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }));
  }, pasted);
}

test('entering a paper sheet of 11 people, one of them new, takes at most 12 clicks and 60 keys', async () => {
  await toEntries(DESKTOP);
  const { click, type, key, effort } = asPerson(visit);
  await click(visit.button(text.roster));
  await names().waitFor();
  await expect.poll(() => visit.page.evaluate(() => document.activeElement?.tagName)).toBe('SELECT');
  await type('b');
  await click(names());
  for (const [firstName, lastName] of PAPER) {
    await type(firstName === 'Ben' ? 'ben ok' : lastName.slice(0, 3));
    await key('Enter');
  }
  await type('Kim Ode');
  await key('Enter');
  await expect
    .poll(() => visit.page.evaluate(() => document.activeElement?.textContent))
    .toBe('Add Kim Ode as a guest');
  await key('Enter');
  await click(visit.button('Log for 11 volunteers'));
  // Ann already has hours for it, so the sheet shows that in her line, and asks once.
  await dialog().getByText('Already has 2 h', { exact: true }).waitFor();
  await click(visit.button(text.logAllTheSame));
  await dialog().waitFor({ state: 'hidden' });
  const spent = effort();
  printEffort('paper sheet', spent);
  expect(spent.clicks).toBeLessThanOrEqual(12);
  expect(spent.keys).toBeLessThanOrEqual(60);
  const all = await stored();
  expect(all.map(({ name }) => name)).toEqual([...PAPER.map(([, lastName]) => lastName), 'Ode']);
  expect(all.map(({ isWalkIn }) => isWalkIn)).toEqual([...PAPER.map(() => 0), 1]);
});

describe.each<Look>([DESKTOP, PHONE])('sign-in sheet entry on a $device', (look) => {
  test('accepts pasted lines, and asks about names with no match or several', async () => {
    await toSheet(look);
    await dialog().getByLabel(text.activity).selectOption('Book fair');
    await paste('Lee, Ann, 2.5\nBen O\nZed Foo\t3\r\n\ncarla diaz');
    await expect.poll(() => lines().count()).toBe(4);
    await dialog().getByText("Which 'Ben O'?").waitFor();
    await expectAccessible(visit.page);
    if (look.device === 'phone') await expectNoSideways(visit.page);
    await visit.press(
      dialog()
        .getByRole('group')
        .getByRole('button', { name: /^Ben Oakes/ }),
    );
    await visit.press(visit.button('Add Zed Foo as a guest'));
    await expectAccessible(visit.page);
    await visit.press(visit.button('Log for 4 volunteers'));
    await visit.press(visit.button(text.logAllTheSame));
    await dialog().waitFor({ state: 'hidden' });
    expect(await stored()).toEqual([
      { name: 'Lee', isWalkIn: 0, hours: 250 },
      { name: 'Oakes', isWalkIn: 0, hours: 100 },
      { name: 'Foo', isWalkIn: 1, hours: 300 },
      { name: 'Diaz', isWalkIn: 0, hours: 100 },
    ]);
  });

  test('rejects unresolved names before it asks about hours already logged', async () => {
    await toSheet(look);
    await dialog().getByLabel(text.activity).selectOption('Book fair');
    await paste('Ben O\nLee, Ann\nOmar Said\nGrace Hill');
    await dialog().getByText('Already has 2 h', { exact: true }).waitFor();
    await visit.press(visit.button('Log for 2 volunteers'));
    await dialog().getByText('Omar Said: add as a guest, or remove the line').waitFor();
    await dialog().getByText('Ben O: choose the right person, or remove the line').waitFor();
    const focused = () => visit.page.evaluate(() => document.activeElement?.textContent);
    expect(await focused()).toBe('Add Omar Said as a guest');
    expect(await dialog().locator('[aria-invalid]').count()).toBe(0);
    expect(await visit.button(text.logAllTheSame).count()).toBe(0);
    await expectAccessible(visit.page);
    await visit.press(visit.button('Add Omar Said as a guest'));
    await visit.press(visit.button('Log for 3 volunteers'));
    expect(await focused()).toMatch(/^Ben Oakes|^Ben Okafor/);
    await visit.press(visit.button('Remove Ben O'));
    await visit.press(visit.button('Log for 3 volunteers'));
    await visit.press(visit.button(text.logAllTheSame));
    await dialog().waitFor({ state: 'hidden' });
    expect((await stored()).map(({ name }) => name)).toEqual(['Lee', 'Said', 'Hill']);
  });

  test('survives Escape, Back and a reload until it is cleared', async () => {
    await toSheet(look);
    await dialog().getByLabel(text.activity).selectOption('Book fair');
    await names().fill('grace');
    await names().press('Enter');
    await names().fill('nobody');
    await names().press('Enter');
    await expect.poll(() => lines().count()).toBe(2);
    const again = async () => {
      await pressAction(visit, text.roster);
      await expect.poll(() => lines().count()).toBe(2);
      await dialog().getByText("No match for 'nobody'.").waitFor();
    };
    await names().press('Escape');
    await dialog().waitFor({ state: 'hidden' });
    await again();
    await visit.page.goBack();
    await dialog().waitFor({ state: 'hidden' });
    await again();
    await visit.page.reload();
    await visit.page.getByRole('row').filter({ hasText: 'Ann Lee' }).first().waitFor();
    await again();
    expect(
      await dialog()
        .getByLabel(text.activity)
        .evaluate((one: HTMLSelectElement) => one.selectedOptions[0]?.text),
    ).toBe('Book fair');
    await visit.press(visit.button(text.sheetClear));
    await dialog().getByText('Not added yet (11)').waitFor();
    expect(await stored()).toEqual([]);
  });

  test('is undone as a whole, also after a reload', async () => {
    await toEntries(look);
    const steps = await stepsToGoBack(visit.page);
    await pressAction(visit, text.roster);
    await names().waitFor();
    await dialog().getByLabel(text.activity).selectOption('Book fair');
    await paste('Grace Hill\nZed Foo');
    await visit.press(visit.button('Add Zed Foo as a guest'));
    await visit.press(visit.button('Log for 2 volunteers'));
    await dialog().waitFor({ state: 'hidden' });
    expect(await stored()).toHaveLength(2);
    await expect.poll(() => stepsToGoBack(visit.page)).toBe(steps);
    await visit.page.reload();
    await visit.page.getByRole('row').filter({ hasText: 'Ann Lee' }).first().waitFor();
    await pressAction(visit, text.roster);
    await visit.press(visit.button(text.sheetUndo));
    await visit.sees('Undone: hours of 2 volunteers removed');
    expect(await stored()).toEqual([]);
    const walkIns = district.deps.database.db.selectFrom('users').select('id').where('is_walk_in', '=', 1);
    expect(await walkIns.execute()).toEqual([]);
  });
});
