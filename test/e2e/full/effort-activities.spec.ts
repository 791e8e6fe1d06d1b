import { beforeAll, expect, test } from 'vitest';
import { anActivity, anAdministrator, anEntry, aPerson, aSchool } from '../../builders.ts';
import { DESKTOP, type District, open, openDistrict, PHONE, toAdminPanel, type Visit } from '../browser.ts';
import { asPerson, printEffort } from '../count-interactions.ts';
import { expectAccessible, expectNoSideways } from '../expect-accessible.ts';
import { words } from '../spoken-language.ts';

/** Thirty activities of a school, as an administrator copies them from a spreadsheet. */
const SHEET = [
  'Activity\tCategory\tStart\tEnd',
  ...Array.from({ length: 30 }, (_, at) => {
    const day = (at % 28) + 1;
    return `Activity ${at + 1}\t${['Events', 'Classroom', 'Garden'][at % 3]}\t4/${day}/2026\t4/${day}/2026`;
  }),
].join('\n');

let district: District;
let ada: Awaited<ReturnType<typeof anAdministrator>>;
beforeAll(async () => {
  district = await openDistrict();
  ada = await anAdministrator(district);
});

async function toActivities(look = DESKTOP, school?: { id: number }) {
  const visit = await open(district, { look, as: ada, ...(school && { school }) });
  await toAdminPanel(visit);
  return visit;
}

/** Copies a text to the clipboard. */
async function copied({ page, context }: Visit, text: string) {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.evaluate((content) => navigator.clipboard.writeText(content), text);
}

async function namesAt(school: { id: number }): Promise<string[]> {
  const { body } = await district.call(`GET /api/admin/activities?schoolId=${school.id}&limit=100`, {
    token: ada.token,
  });
  return body.activities.map(({ name }: { name: string }) => name);
}

test('adding 30 activities from a spreadsheet takes at most 4 clicks and 1 key, and one click undoes it', async () => {
  const school = await aSchool(district, { name: 'Lincoln Elementary' });
  const visit = await toActivities(DESKTOP, school);
  await copied(visit, SHEET);
  const person = asPerson(visit);
  await person.click(visit.page.getByRole('tab', { name: words.activities.title }));
  await person.click(visit.button(words.activities.addSeveral));
  const list = visit.page.getByLabel(words.activities.severalPaste);
  await list.waitFor();
  await expect.poll(() => list.evaluate((field) => field === document.activeElement)).toBe(true);
  await person.key('Control+v');
  await person.click(visit.button(words.activities.severalCheck));
  await visit.page.getByText('3 new categories: Events, Classroom, and Garden').waitFor();
  await expectAccessible(visit.page);
  await person.click(visit.button('Add 30 activities'));
  await visit.sees('30 activities added to Lincoln Elementary');
  const effort = person.effort();
  printEffort('30 activities from a spreadsheet', effort);
  expect(effort.clicks).toBeLessThanOrEqual(4);
  expect(effort.keys).toBeLessThanOrEqual(1);
  expect(effort.seconds).toBeLessThan(120);
  expect(await namesAt(school)).toHaveLength(30);
  await visit.press(visit.button(words.activities.severalUndo));
  await visit.sees('30 activities removed');
  expect(await namesAt(school)).toEqual([]);
});

test('pasted rows survive Back and a reload, and a row with an error is corrected in place', async () => {
  const school = await aSchool(district, { name: 'Oak Middle School' });
  const visit = await toActivities(PHONE);
  await visit.press(visit.page.getByRole('tab', { name: words.activities.title }));
  await visit.page.getByLabel('Filter by School').selectOption(String(school.id));
  await visit.press(visit.button(words.activities.addSeveral));
  const list = visit.page.getByLabel(words.activities.severalPaste);
  await list.fill('Fair\tEvents\t13/13/2026\nReading\tClassroom');
  await visit.page.goBack();
  await visit.press(visit.button(words.activities.addSeveral));
  expect(await list.inputValue()).toContain('13/13/2026');
  await visit.page.reload();
  await list.waitFor();
  expect(await list.inputValue()).toContain('Reading');
  await visit.press(visit.button(words.activities.severalCheck));
  await visit.sees('1 row has a problem. Fix it or remove it.');
  await expectNoSideways(visit.page);
  await expectAccessible(visit.page);
  await visit.page.getByLabel('Start date').fill('2026-04-03');
  await visit.press(visit.button('Add 2 activities'));
  await visit.sees('2 activities added to Oak Middle School');
  const search = visit.page.getByLabel(words.activities.search);
  await visit.press(search);
  await visit.page.keyboard.type('Reading');
  expect(await search.inputValue()).toBe('Reading');
  expect(await namesAt(school)).toEqual(['Fair', 'Reading']);
});

test('a school without activities starts with common ones, which can be copied to another school', async () => {
  const school = await aSchool(district, { name: 'Pine School' });
  const other = await aSchool(district, { name: 'Quarry School' });
  const visit = await toActivities();
  await visit.press(visit.page.getByRole('tab', { name: words.activities.title }));
  await visit.page.getByLabel('Filter by School').selectOption(String(school.id));
  await visit.press(visit.button(words.activities.startWithUsual));
  await visit.press(visit.button(words.activities.starterAll));
  await visit.press(visit.button('Review 25 activities'));
  await visit.press(visit.button('Add 25 activities'));
  await visit.sees('25 activities added to Pine School');
  await visit.page.locator('span[lang=es]', { hasText: 'Feria del libro' }).waitFor();
  await visit.press(visit.button(words.web.close));
  await visit.press(visit.page.getByLabel('Select all activities shown'));
  await visit.press(visit.button('Copy 25 to other schools'));
  await visit.press(visit.page.getByRole('dialog').getByLabel('Quarry School'));
  await visit.press(visit.button('Copy to 1 school'));
  await visit.sees('25 activities copied to 1 school');
  expect(await namesAt(other)).toEqual(await namesAt(school));
  // Year-long activities without a year in their names already exist there.
  await visit.press(visit.button('Copy 25 to next year'));
  await visit.sees(words.activities.severalNothing);
});

test('adding another activity keeps the category of the previous one', async () => {
  const school = await aSchool(district, { name: 'Rose School' });
  await district.call('POST /api/admin/categories', {
    token: ada.token,
    body: { schoolId: school.id, name: 'Garden' },
  });
  const visit = await toActivities();
  await visit.press(visit.page.getByRole('tab', { name: words.activities.title }));
  await visit.page.getByLabel('Filter by School').selectOption(String(school.id));
  await visit.press(visit.button(words.activities.add));
  const dialog = visit.page.getByRole('dialog');
  await dialog.getByLabel('Name').fill('Weeding');
  await dialog.getByLabel('Category').selectOption('Garden');
  await visit.press(dialog.getByLabel(words.activities.yearLong));
  await visit.press(visit.button(words.activities.createAnother));
  await expect.poll(() => dialog.getByLabel('Name').inputValue()).toBe('');
  await visit.page.keyboard.type('Watering');
  await visit.page.keyboard.press('Enter');
  await dialog.waitFor({ state: 'detached' });
  expect(await namesAt(school)).toEqual(['Watering', 'Weeding']);
});

test('categories are added as a list and copied to another school, and the copy is undone', async () => {
  const school = await aSchool(district, { name: 'Sumac School' });
  const other = await aSchool(district, { name: 'Tulip School' });
  const categoriesAt = async ({ id }: { id: number }) => {
    const { body } = await district.call(`GET /api/admin/categories?schoolId=${id}`, { token: ada.token });
    return body.categories.map(({ name, color }: Record<string, string>) => [name, color]);
  };
  const visit = await toActivities();
  await visit.press(visit.page.getByRole('tab', { name: words.categories.title }));
  await visit.page.getByLabel('Filter by School').selectOption(String(school.id));
  await visit.press(visit.button(words.categories.addSeveral));
  await visit.page
    .getByLabel(words.categories.severalNames, { exact: true })
    .fill('Events\n\nGarden\nevents');
  await expectAccessible(visit.page);
  await visit.press(visit.button(words.categories.severalAdd));
  await visit.sees('2 categories added');
  const added = await categoriesAt(school);
  expect(added.map(([name]: string[]) => name)).toEqual(['Events', 'Garden']);
  expect(new Set(added.map(([, color]: string[]) => color)).size).toBe(2);
  await visit.press(visit.page.getByLabel(words.categories.selectAll));
  await visit.press(visit.button(words.schools.copyToSchools));
  await visit.press(visit.page.getByRole('dialog').getByLabel('Tulip School'));
  await visit.press(visit.button('Copy to 1 school'));
  await visit.sees('2 categories copied to 1 school');
  expect(await categoriesAt(other)).toEqual(added);
  await visit.press(visit.button(words.web.undo).last());
  await visit.sees('2 categories removed from 1 school.');
  expect(await categoriesAt(other)).toEqual([]);
  await visit.press(visit.button(words.categories.addSeveral));
  await visit.page
    .getByLabel(words.categories.severalNames, { exact: true })
    .fill('Name\tColor\nArts\ttomato\nMusic #2B6CB0');
  await visit.press(visit.button(words.categories.severalAdd));
  // The notice text is the same as before the undo, so wait for the data.
  await expect.poll(() => categoriesAt(school)).toEqual([['Arts', 'tomato'], ...added, ['Music', '#2B6CB0']]);
});

test('one click undoes copying activities to several schools, except copies in use', async () => {
  const from = await aSchool(district, { name: 'Aspen School' });
  const others = [
    await aSchool(district, { name: 'Birch School' }),
    await aSchool(district, { name: 'Cypress School' }),
  ] as const;
  for (const name of ['Book fair', 'Bake sale']) await anActivity(district, { school: from, name });
  const visit = await toActivities();
  await visit.press(visit.page.getByRole('tab', { name: words.activities.title }));
  await visit.page.getByLabel('Filter by School').selectOption(String(from.id));
  await visit.press(visit.page.getByLabel(words.activities.selectAll));
  const copy = async () => {
    await visit.press(visit.button('Copy 2 to other schools'));
    for (const { name } of others) await visit.press(visit.page.getByRole('dialog').getByLabel(name));
    await visit.press(visit.button('Copy to 2 schools'));
    await visit.sees('2 activities copied to 2 schools');
    // The notice stays while it has the focus.
    await visit.button(words.web.undo).last().focus();
  };
  await copy();
  expect(await Promise.all(others.map(namesAt))).toEqual([
    ['Bake sale', 'Book fair'],
    ['Bake sale', 'Book fair'],
  ]);
  await visit.press(visit.button(words.web.undo));
  await visit.sees('2 activities removed from 2 schools.');
  expect(await Promise.all(others.map(namesAt))).toEqual([[], []]);

  // A copy that is already in use is not undone.
  await copy();
  const [birch] = others;
  const { body } = await district.call(`GET /api/admin/activities?schoolId=${birch.id}`, {
    token: ada.token,
  });
  const by = await aPerson(district, { schools: [birch] });
  await anEntry(district, { by, activity: body.activities[0], hours: 1 });
  await visit.press(visit.button(words.web.undo));
  await visit.sees('2 activities removed from 2 schools. 1 copy is already in use and stays.');
  expect(await Promise.all(others.map(namesAt))).toEqual([['Bake sale'], []]);
});
