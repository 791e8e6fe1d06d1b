import { beforeAll, expect, test } from 'vitest';
import { textsIn } from '#server/texts-in.ts';
import type { en } from '#text/en.ts';
import { aCategory, anActivity, anAdministrator, anEntry, aPerson, aSchool } from '../builders.ts';
import { expectNoBarriers } from './accessible.ts';
import { type District, LOOKS, open, openDistrict, PHONE, toAdminPanel, type Visit } from './browser.ts';
import { misfits } from './check-screens.ts';

const english = textsIn('en') as typeof en;
const spanish = textsIn('es') as typeof en;

let district: District;
let ada: Awaited<ReturnType<typeof anAdministrator>>;
let lincoln: Awaited<ReturnType<typeof aSchool>>;
let made = 0;
let events: Awaited<ReturnType<typeof aCategory>>;

beforeAll(async () => {
  district = await openDistrict();
  ada = await anAdministrator(district);
  lincoln = await aSchool(district, { name: 'Lincoln Elementary' });
  events = await aCategory(district, { school: lincoln, name: 'Events' });
});

const field = ({ page }: Visit, label: string) => page.getByLabel(label, { exact: true });
const unfold = (visit: Visit) => visit.press(visit.page.getByRole('button', { name: /^In Spanish/ }));

async function show(visit: Visit, tab: string) {
  await toAdminPanel(visit);
  await visit.press(visit.page.getByRole('tab', { name: tab }));
  await visit.page.getByRole('heading', { name: tab, exact: true }).waitFor();
}

test.each(LOOKS)(
  'an administrator writes the Spanish name on a $device, and a Spanish volunteer reads it',
  async (look) => {
    // A second try finds the activity of the first one.
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
    // A button that the scrolled form hides in part would count as a small one.
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
    await hers.press(hers.button(spanish['time-entries'].statement));
    await hers.page.getByRole('rowheader', { name: otherName }).waitFor();
  },
);

test('schools and categories have the part too, and it goes where the district offers one language', async () => {
  for (const [tab, name] of [
    [english.schools.title, lincoln.name],
    [english.categories.title, events.name],
  ] as const) {
    const visit = await open(district, { look: PHONE, as: ada });
    await show(visit, tab);
    await visit.press(visit.button(name));
    await unfold(visit);
    await visit.page
      .getByLabel(/ in Spanish$/)
      .first()
      .fill(`${name} (es)`);
    await visit.press(visit.button(english.web.save));
    await visit.page.locator('span[lang=es]', { hasText: `${name} (es)` }).waitFor();
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
