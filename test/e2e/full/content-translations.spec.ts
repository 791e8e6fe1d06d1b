import { beforeAll, expect, test } from 'vitest';
import { loadMessages } from '#server/i18n/translator.ts';
import type { en } from '#shared/i18n/english-messages.ts';
import { aCategory, anActivity, anAdministrator, anEntry, aPerson, aSchool } from '../../builders.ts';
import {
  type District,
  LOOKS,
  open,
  openDistrict,
  PHONE,
  pressAction,
  toAdminPanel,
  type Visit,
} from '../browser.ts';
import { misfits } from '../check-screens.ts';
import { expectNoBarriers } from '../expect-accessible.ts';

const english = loadMessages('en') as typeof en;
const spanish = loadMessages('es') as typeof en;

let district: District;
let ada: Awaited<ReturnType<typeof anAdministrator>>;
let lincoln: Awaited<ReturnType<typeof aSchool>>;
let made = 0;
let events: Awaited<ReturnType<typeof aCategory>>;

beforeAll(async () => {
  district = await openDistrict();
  ada = await anAdministrator(district);
  lincoln = await aSchool(district, { name: 'Lincoln Elementary' });
  await aSchool(district, { name: 'Elm' });
  events = await aCategory(district, { school: lincoln, name: 'Events' });
});

const field = ({ page }: Visit, label: string) => page.getByLabel(label, { exact: true });
const unfold = (visit: Visit) => visit.press(visit.page.getByRole('button', { name: /^In Spanish/ }));

async function show(visit: Visit, tab: string) {
  await toAdminPanel(visit);
  await visit.press(visit.page.getByRole('tab', { name: tab }));
  await visit.page.getByRole('heading', { name: tab, exact: true }).waitFor();
  if (tab === english.schools.title) return;
  await visit.page.getByLabel(english.schools.filter).selectOption(String(lincoln.id));
}

test.each(LOOKS)(
  'an administrator adds a Spanish name on a $device, and a Spanish-speaking volunteer sees it',
  async (look) => {
    // A retry would find the activity of the first attempt.
    made += 1;
    const name = `Book fair ${made}`;
    const otherName = `Feria del libro ${made}`;
    const fair = await anActivity(district, { school: lincoln, category: events, name });
    const maria = await aPerson(district, { schools: [lincoln], firstName: 'Maria' });
    const { today } = (await district.call('GET /api/config')).body;
    await anEntry(district, { by: maria, activity: fair, hours: 2, date: today });
    const visit = await open(district, { look, as: ada });
    await show(visit, english.activities.title);
    await visit.press(visit.button(name));
    await unfold(visit);
    const other = field(visit, 'Name in Spanish');
    expect(await other.getAttribute('lang')).toBe('es');
    await other.fill(otherName);
    await field(visit, 'Description in Spanish').fill('Traiga una bolsa.');
    expect(await misfits(visit)).toEqual([]);
    // A button that the scrolled form partly hides would count as too small.
    await visit.page.evaluate(() => {
      for (const part of document.querySelectorAll('[role=dialog], [role=dialog] *')) part.scrollTop = 0;
    });
    await expectNoBarriers(visit.page);
    await visit.press(visit.button(english.web.save));
    await visit.page.locator('span[lang=es]', { hasText: otherName }).waitFor();

    const hers = await open(district, { look, as: maria, locale: 'es-US' });
    await hers.page.locator('html[lang=es] h1').first().waitFor();
    const search = hers.page.getByRole('searchbox');
    await search.fill(name);
    await hers.press(hers.page.getByRole('button', { name: new RegExp(`^${otherName}`) }).first());
    await hers.page.getByText('Traiga una bolsa.').waitFor();
    expect(await hers.page.getByText(name, { exact: true }).count()).toBe(0);
    await hers.press(hers.button(spanish.activities.cancel));
    await hers.press(hers.page.getByRole('tab', { name: spanish.web.recentActivity }));
    await pressAction(hers, spanish['time-entries'].statement, spanish.web.more);
    await hers.page.getByRole('rowheader', { name: otherName }).waitFor();
  },
);

test.each(LOOKS)(
  'on a $device, missing Spanish names are counted, listed, and imported from a pasted list',
  async (look) => {
    made += 1;
    const oak = await aSchool(district, { name: `Oak ${made}` });
    const category = await aCategory(district, { school: oak, name: 'Events' });
    for (const name of ['Book fair', 'Recess, lunch', 'Science evening']) {
      await anActivity(district, { school: oak, category, name });
    }
    const visit = await open(district, { look, as: ada });
    const { page } = visit;
    const texts = english['district-settings'];
    await show(visit, english.activities.title);
    await page.getByLabel(english.schools.filter).selectOption(String(oak.id));
    await visit.sees('3 without a name in Spanish');
    await expectNoBarriers(page);
    expect(await misfits(visit)).toEqual([]);

    await visit.press(visit.button('Add names in Spanish'));
    const list = page.getByLabel(texts.namesPaste);
    await visit.press(visit.button(texts.namesFill));
    await expect.poll(() => list.inputValue()).toBe('Book fair\t\nRecess, lunch\t\nScience evening\t');
    await list.fill('Name\tSpanish\nbook FAIR\tFeria del libro\nBook fare\tFería\nRecess, lunch\tRecreo');
    // The pasted list survives Back and a reload.
    await page.goBack();
    await visit.press(visit.button('Add names in Spanish'));
    await page.reload();
    await expect.poll(() => list.inputValue()).toContain('Book fare');
    await visit.press(visit.button(texts.namesCheck));
    await page.getByRole('heading', { name: texts.namesPreview }).waitFor();
    await visit.press(visit.button('Save 2 names'));
    await visit.sees('2 names saved');
    await visit.sees("1 line wasn't saved. It's still in the list below.");
    expect(await list.inputValue()).toBe('Book fare\tFería');
    await expectNoBarriers(page);
    expect(await misfits(visit)).toEqual([]);
    await visit.press(visit.button(texts.namesCheck));
    await visit.sees(texts.namesUnknown);
    expect(await visit.button(texts.namesNothing).isDisabled()).toBe(true);
    await expectNoBarriers(page);
    expect(await misfits(visit)).toEqual([]);
    await visit.press(visit.button(texts.namesBack));

    await visit.sees('1 without a name in Spanish');
    await page.locator('span[lang=es]', { hasText: 'Feria del libro' }).waitFor();
    await visit.press(visit.button(texts.namesShowMissing));
    await visit.misses('Book fair');
    await visit.button('Science evening').waitFor();
    await visit.press(visit.button(texts.namesShowAll));
    await visit.button('Book fair').waitFor();
  },
);

test('schools and categories can have Spanish names too, unless the district offers only English', async () => {
  for (const [tab, name] of [
    [english.schools.title, lincoln.name],
    [english.categories.title, events.name],
  ] as const) {
    const visit = await open(district, { look: PHONE, as: ada });
    await show(visit, tab);
    await visit.press(visit.button(name));
    await unfold(visit);
    await visit.page
      .getByRole('textbox', { name: / in Spanish$/ })
      .first()
      .fill(`${name} (es)`);
    await visit.press(visit.button(english.web.save));
    await visit.page.locator('span[lang=es]', { hasText: `${name} (es)` }).waitFor();
    await visit.press(visit.button('Add names in Spanish'));
    await visit.page.getByLabel(english['district-settings'].namesPaste).fill(`${name}\t${name} (dos)`);
    await visit.press(visit.button(english['district-settings'].namesCheck));
    await visit.sees(`Replaces “${name} (es)”`);
    await visit.press(visit.button('Save 1 name'));
    await visit.page.locator('span[lang=es]', { hasText: `${name} (dos)` }).waitFor();
  }
  const offer = (languages: string[]) =>
    district.call('PUT /api/admin/settings', { token: ada.token, body: { languages } });
  await offer(['en']);
  try {
    const alone = await open(district, { look: PHONE, as: ada });
    await show(alone, english.categories.title);
    await alone.press(alone.button(events.name));
    await field(alone, english.categories.name).waitFor();
    expect(await alone.page.getByRole('button', { name: /^In Spanish/ }).count()).toBe(0);
    expect(await alone.page.locator('span[lang=es]').count()).toBe(0);
  } finally {
    await offer(['en', 'es']);
  }
});
