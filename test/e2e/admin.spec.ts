import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { day } from '#shared/calendar-date.ts';
import { aCategory, anActivity, anAdministrator, anEntry, aPerson, aSchool } from '../builders.ts';
import {
  DESKTOP,
  type District,
  type Look,
  looks,
  open,
  openDistrict,
  testOnDesktop,
  toAdminPanel,
  type Visit,
} from './browser.ts';
import { hasFocus } from './keyboard.ts';
import { words } from './spoken-language.ts';

let district: District;
let ada: Awaited<ReturnType<typeof anAdministrator>>;
let lincoln: Awaited<ReturnType<typeof aSchool>>;
let visit: Visit;

beforeAll(async () => {
  district = await openDistrict();
  ada = await anAdministrator(district);
  lincoln = await aSchool(district, { name: 'Lincoln Elementary' });
  await aSchool(district, { name: 'Oak Middle School' });
  const events = await aCategory(district, { school: lincoln, name: 'Events', color: '#e67e22' });
  await aCategory(district, { school: lincoln, name: 'Garden', kind: 'other', color: '#27ae60' });
  const fair = await anActivity(district, {
    school: lincoln,
    category: events,
    name: 'Book fair 2026',
    activeFrom: day('2026-03-06'),
  });
  await anActivity(district, { school: lincoln, category: events, name: 'Bake sale' });
  const maria = await aPerson(district, { firstName: 'Maria', schools: [lincoln] });
  await anEntry(district, { by: maria, activity: fair, hours: 2, date: '2026-03-06' });
});

const dialog = () => visit.page.getByRole('dialog');
const question = () => visit.page.getByRole('alertdialog');
const row = (name: string) => visit.page.getByRole('row').filter({ hasText: name });
const field = (label: string) => visit.page.getByLabel(label, { exact: true });
/** Opens a tab of the Admin Panel on this device. */
async function openAdmin(look: Look, tab = 'Schools', width?: number) {
  visit = await open(district, { look, as: ada, ...(width === undefined ? {} : { width }) });
  await toAdminPanel(visit);
  await show(tab);
}

async function show(tab: string) {
  await visit.press(visit.page.getByRole('tab', { name: tab }));
  await visit.page.getByRole('heading', { name: tab, exact: true }).waitFor();
}

async function chooseSchool(name = 'Lincoln Elementary') {
  await field(words.schools.filter).selectOption(name);
  await visit.page.getByRole('table').waitFor();
}

describe('the Admin Panel', () => {
  test('is available to administrators only', async () => {
    const maria = await aPerson(district, { schools: [lincoln] });
    visit = await open(district, { as: maria });
    await visit.button(words.auth.logout).waitFor();
    expect(await visit.button(words.web.admin).count()).toBe(0);
    await visit.page.keyboard.press('g');
    await visit.page.keyboard.press('a');
    expect(await visit.page.getByRole('heading', { name: words.web.adminTitle }).count()).toBe(0);
  });

  test('loads nothing before a school is selected, except on the Schools tab', async () => {
    const asked: string[] = [];
    await openAdmin(DESKTOP);
    visit.page.on('request', (request) => asked.push(new URL(request.url()).pathname));
    for (const tab of ['Categories', 'Activities']) {
      await show(tab);
      await visit.sees(words.schools.selectOne);
    }
    expect(asked.filter((path) => /^\/api\/.*(categories|activities)/.test(path))).toEqual([]);
    await field(words.schools.filter).focus();
    await chooseSchool();
    await row('Bake sale').waitFor();
    // The school select has moved next to the title. Keyboard users continue from there.
    await expect.poll(() => hasFocus(field(words.schools.filter))).toBe(true);
    await show('Categories');
    await row('Garden').waitFor();
    await field(words.schools.filter).selectOption('Choose a school');
    await visit.sees(words.schools.selectOne);
  });

  test('shows a banner for a failed request, and recovers with Try again', async () => {
    await openAdmin(DESKTOP, 'Categories');
    await visit.breakAt('GET /api/admin/categories', 'no answer');
    await field(words.schools.filter).selectOption('Lincoln Elementary');
    await visit.sees(words.categories.failedToLoad);
    await visit.sees(words.shared.networkError);
    await visit.mend();
    await visit.press(visit.button(words.web.tryAgain));
    await row('Garden').waitFor();
    await visit.misses(words.categories.failedToLoad);
  });
});

describe.each(looks(DESKTOP))('the Schools tab on a $device', (look) => {
  test('creates, finds, renames and deletes a school', async () => {
    await openAdmin(look);
    await visit.press(visit.button(words.schools.add));
    await visit.press(visit.button(words.schools.create));
    await dialog().getByText(words.schools.nameRequired).and(visit.page.locator(':not(.sr-only)')).waitFor();
    await field(words.schools.name).fill('Maple School');
    await visit.press(visit.button(words.schools.create));
    await visit.sees(words.schools.created);
    await row('Maple School').waitFor();

    await visit.page.getByRole('searchbox').fill('maple');
    await row('Oak Middle School').waitFor({ state: 'hidden' });
    await visit.press(visit.button('Maple School'));
    await field(words.schools.name).fill('Maple Grove School');
    await visit.press(visit.button(words.web.save));
    await visit.sees(words.schools.updated);
    await row('Maple Grove School').waitFor();

    await visit.press(visit.button('Maple Grove School'));
    await visit.press(visit.button(words.schools.deleteTitle));
    await question()
      .getByText('Are you sure you want to delete "Maple Grove School"? This action cannot be undone.')
      .waitFor();
    await visit.press(question().getByRole('button', { name: words.web.delete }));
    await visit.sees(words.schools.deleted);
    await visit.sees('No results for “maple”.');
    await visit.press(visit.button(words.web.clearSearch).last());
    await row('Oak Middle School').waitFor();
  });
});

test('an edit of an outdated version is rejected with an explanation and a Reload button', async () => {
  await openAdmin(DESKTOP);
  const stale = await aSchool(district, { name: 'Elm School' });
  await visit.page.getByRole('searchbox').fill('elm');
  await visit.press(visit.button('Elm School'));
  await district.call(`PUT /api/admin/schools/${stale.id}`, {
    token: ada.token,
    body: { name: 'Elm Street School' },
  });
  await field(words.schools.name).fill('Elm Academy');
  visit.expectFailure(/^409 PUT/);
  await visit.press(visit.button(words.web.save));
  await dialog().getByText(words.shared.changedElsewhere).and(visit.page.locator(':not(.sr-only)')).waitFor();
  await visit.press(visit.button(words.web.reload));
  await expect.poll(() => field(words.schools.name).inputValue()).toBe('Elm Street School');
  await field(words.schools.name).fill('Elm Academy');
  await visit.press(visit.button(words.web.save));
  await visit.sees(words.schools.updated);
});

describe.each(looks(DESKTOP))('the Categories tab on a $device', (look) => {
  test('creates a category with a custom color, edits it and deletes it', async () => {
    await openAdmin(look, 'Categories');
    await chooseSchool();
    await visit.press(visit.button(words.categories.add));
    expect(await field(words.categories.colorField).inputValue()).toBe('#3498db');
    await field(words.schools.name).fill('Classroom');
    expect(await field(words.categories.kindShort).inputValue()).toBe('classroom');
    await field(words.categories.colorField).fill('no-color');
    await visit.press(visit.button(words.categories.create));
    await dialog()
      .getByText(words.categories.color)
      .and(visit.page.locator(':not(.sr-only)'))
      .first()
      .waitFor();
    await field(words.categories.colorField).fill('#e5801f');
    await dialog().getByText(words.categories.alike).waitFor();
    await dialog().getByRole('status').getByText(words.activities.groupEvents).waitFor();
    await field(words.web.pickColor).fill('#8e44ad');
    expect(await field(words.categories.colorField).inputValue()).toBe('#8e44ad');
    await dialog().getByText(words.categories.alike).waitFor({ state: 'hidden' });
    await visit.press(visit.button(words.categories.create));
    await visit.sees(words.categories.created);

    await visit.press(row(words.categories.classroom).getByRole('button'));
    await field(words.schools.name).fill('Reading room');
    expect(await field(words.categories.kindShort).inputValue()).toBe('classroom');
    await visit.press(visit.button(words.web.save));
    await visit.sees(words.categories.updated);

    await visit.press(row('Reading room').getByRole('button'));
    await visit.press(visit.button(words.categories.deleteTitle));
    await visit.press(question().getByRole('button', { name: words.web.delete }));
    await visit.sees(words.categories.deleted);
    await row('Reading room').waitFor({ state: 'hidden' });
  });
});

describe.each(looks(DESKTOP))('the Activities tab on a $device', (look) => {
  beforeEach(async () => {
    await openAdmin(look, 'Activities');
    await chooseSchool();
  });

  test('creates an activity with valid dates, edits it and deletes it', async () => {
    await visit.press(visit.button(words.activities.add));
    await field(words.schools.name).fill('Spring concert');
    await field(words.categories.previewName).selectOption('Events');
    expect(await field(words.activities.endDate).isDisabled()).toBe(true);
    await field(words.activities.startDate).fill('2026-05-08');
    await field(words.activities.endDate).fill('2026-05-07');
    expect(await field(words.activities.endDate).getAttribute('min')).toBe('2026-05-08');
    await visit.press(visit.button(words.activities.create));
    await dialog()
      .getByText(words.activities.endBeforeStart)
      .and(visit.page.locator(':not(.sr-only)'))
      .first()
      .waitFor();
    await visit.press(field(words.activities.yearLong));
    expect(await field(words.activities.startDate).inputValue()).toBe('');
    expect(await field(words.activities.startDate).isDisabled()).toBe(true);
    await visit.press(field(words.activities.yearLong));
    await field(words.activities.startDate).fill('2026-05-08');

    await visit.press(field(words.activities.requiresDescription));
    expect(await visit.button(words.activities.create).isDisabled()).toBe(true);
    await field(words.activities.prompt).fill('what you sang');
    expect(await visit.button(words.activities.create).isDisabled()).toBe(false);
    await visit.press(field(words.activities.requiresDescription));
    await visit.press(field(words.activities.requiresDescription));
    expect(await field(words.activities.prompt).inputValue()).toBe('');
    await field(words.activities.prompt).fill('your part');
    await visit.press(visit.button(words.activities.create));
    await visit.sees(words.activities.created);

    await visit.press(visit.button('Spring concert'));
    expect(await field(words.activities.prompt).inputValue()).toBe('your part');
    await visit.press(field(words.activities.isActive));
    await visit.press(visit.button(words.web.save));
    await visit.sees(words.activities.updated);
    await row('Spring concert').getByText(words.activities.inactive).waitFor();

    await visit.press(visit.button('Spring concert'));
    await visit.press(visit.button(words.activities.deleteTitle));
    await visit.press(question().getByRole('button', { name: words.web.delete }));
    await visit.sees(words.activities.deleted);
  });

  testOnDesktop(look, 'deactivates selected activities, with Undo', async () => {
    await visit.press(field('Select Bake sale'));
    await visit.press(field('Select Book fair 2026'));
    await visit.sees('2 selected');
    await visit.press(visit.button('Deactivate 2'));
    await visit.sees('2 activities deactivated');
    await visit.button(words.web.undo).focus();
    await expect.poll(() => visit.page.getByText(words.activities.inactive, { exact: true }).count()).toBe(2);
    await visit.press(visit.button(words.web.undo));
    await expect.poll(() => visit.page.getByText(words.activities.inactive, { exact: true }).count()).toBe(0);
  });
});
