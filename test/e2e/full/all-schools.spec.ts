import { beforeAll, describe, expect, test } from 'vitest';
import {
  aCategory,
  anActivity,
  anAdministrator,
  anEntry,
  aPerson,
  aSchool,
  aSuggestion,
} from '../../builders.ts';
import { drawn } from '../../images/draw-image.ts';
import { upload } from '../../upload.ts';
import { type District, LOOKS, open, openDistrict, toAdminPanel, type Visit } from '../browser.ts';
import { expectAccessible } from '../expect-accessible.ts';
import { words } from '../spoken-language.ts';

let district: District;
let ada: Awaited<ReturnType<typeof anAdministrator>>;
let lincoln: Awaited<ReturnType<typeof aSchool>>;
let cedar: Awaited<ReturnType<typeof aSchool>>;
let visit: Visit;

beforeAll(async () => {
  district = await openDistrict();
  ada = await anAdministrator(district);
  lincoln = await aSchool(district, { name: 'Lincoln Elementary' });
  cedar = await aSchool(district, { name: 'Cedar Ridge' });
  for (const school of [lincoln, cedar]) {
    const category = await aCategory(district, { school, name: `Garden of ${school.name}` });
    const activity = await anActivity(district, { school, category, name: `Weeding at ${school.name}` });
    const by = await aPerson(district, { schools: [school], firstName: 'Vera', lastName: school.name });
    await anEntry(district, { by, activity, hours: 2, date: '2026-03-06' });
    const width = school === lincoln ? 300 : 320;
    const content = await drawn(width, 200).jpeg().toBuffer();
    const { body } = await upload(district, { by, to: activity, files: [{ name: 'a.jpg', content }] });
    await district.call(`POST /api/photos/${body.photos[0].id}/takedown`, { token: by.token, body: {} });
    await upload(district, {
      by,
      to: activity,
      files: [{ name: 'b.jpg', content: await drawn(width, 210).jpeg().toBuffer() }],
    });
    await aSuggestion(district, { by, school, name: `Bike repair at ${school.name}` });
  }
  await aSuggestion(district, {
    by: ada,
    school: cedar,
    name: 'Turned down long ago',
    status: 'rejected',
  });
});

describe.each(LOOKS)('all schools together, on a $device', (look) => {
  const page = () => visit.page;
  const filter = () => page().getByLabel(words.schools.filter, { exact: true });
  const chosen = () => filter().evaluate((select: HTMLSelectElement) => select.selectedOptions[0]?.text);
  const tab = (name: string) => visit.press(page().getByRole('tab', { name: new RegExp(`^${name}`) }));

  async function arrive(stored: Record<string, string> = {}) {
    visit = await open(district, { look, as: ada, stored });
    await toAdminPanel(visit);
  }

  test('the school prompt shows the pending suggestions of all schools, and only those', async () => {
    await arrive();
    await page().getByRole('tab', { name: 'Suggestions 2 pending' }).waitFor();
    await tab('Suggestions');
    await visit.press(visit.button('Show 2 pending at all schools'));
    await visit.sees('Bike repair at Lincoln Elementary');
    await visit.sees('Bike repair at Cedar Ridge');
    expect(await chosen()).toBe(words.schools.all);
    await visit.misses('Turned down long ago');
    await visit.sees('2 pending');
    await expectAccessible(page());
    await page()
      .getByLabel(words.suggestions.shown, { exact: true })
      .selectOption(words.suggestions.shownAll);
    await visit.sees('Turned down long ago');
    // The initial filter of the other lists is unchanged.
    await tab('Categories');
    await visit.sees(words.schools.selectOne);
  });

  test('categories and activities show their school, and a new category asks for it', async () => {
    await arrive();
    await tab('Categories');
    await visit.sees(words.schools.selectOne);
    await filter().selectOption(words.schools.all);
    const row = (name: string) => page().getByRole('row').filter({ hasText: name });
    await row('Garden of Cedar Ridge')
      .getByText('Cedar Ridge', { exact: true })
      .filter({ visible: true })
      .waitFor();
    await row('Garden of Lincoln Elementary').waitFor();
    await visit.press(visit.button(words.categories.add));
    const dialog = page().getByRole('dialog');
    expect(await dialog.getByLabel(words.schools.name, { exact: true }).count()).toBe(0);
    await dialog.getByLabel(words.schools.one, { exact: true }).selectOption('Cedar Ridge');
    await dialog.getByLabel(words.schools.name, { exact: true }).fill(`Kitchen ${look.device}`);
    await expectAccessible(page());
    await visit.press(dialog.getByRole('button', { name: words.categories.create }));
    await row(`Kitchen ${look.device}`)
      .getByText('Cedar Ridge', { exact: true })
      .filter({ visible: true })
      .waitFor();
    await visit.press(visit.button(`Garden of Lincoln Elementary`));
    expect(await dialog.getByLabel(words.schools.name, { exact: true }).inputValue()).toBe(
      'Garden of Lincoln Elementary',
    );
    await visit.press(dialog.getByRole('button', { name: words.web.cancel }));
    await tab('Activities');
    await row('Weeding at Cedar Ridge')
      .getByText('Cedar Ridge', { exact: true })
      .filter({ visible: true })
      .waitFor();
  });

  test('photos are shown as pending, by activity, or all together', async () => {
    await arrive({ [`adminSchool.${ada.id}`]: String(lincoln.id) });
    await page().getByRole('tab', { name: 'Photos 2 to review' }).waitFor();
    await tab('Photos 2');
    await page().getByText('Weeding at Cedar Ridge', { exact: true }).waitFor();
    await page().getByText('Weeding at Lincoln Elementary', { exact: true }).waitFor();
    expect(await chosen()).toBe(words.schools.all);
    await expectAccessible(page());
    await visit.press(visit.button(words.photos.allPhotos));
    await expect.poll(() => page().locator('[data-photo]').count()).toBe(4);
    await visit.press(visit.button(words.photos.byActivity));
    const row = (name: string) => page().getByRole('button', { name: new RegExp(`^${name}`) });
    const image = row('Weeding at Cedar Ridge').locator('img');
    await expect
      .poll(() => image.evaluate((shown: HTMLImageElement) => shown.naturalWidth))
      .toBeGreaterThan(0);
    await expectAccessible(page());
    await filter().selectOption('Lincoln Elementary');
    await row('Weeding at Cedar Ridge').waitFor({ state: 'hidden' });
    await visit.press(row('Weeding at Lincoln Elementary'));
    await expect.poll(() => page().locator('[data-photo]').count()).toBe(2);
    // The button and the browser's Back go to the same place.
    await page().goBack();
    await row('Weeding at Lincoln Elementary').waitFor();
    await visit.press(visit.button(words.photos.trashPart));
    await visit.sees(words.photos.trashEmpty);
  });

  test('users are sorted, deactivated together, and restored with Undo', async () => {
    await arrive();
    const row = (name: string) => page().getByRole('row').filter({ hasText: name });
    await row('Vera Cedar Ridge').first().waitFor();
    if (look.device === 'desktop') {
      const head = page().getByRole('columnheader', { name: words.users.email });
      await visit.press(head.getByRole('button'));
      await expect.poll(() => head.getAttribute('aria-sort')).toBe('ascending');
    }
    for (const name of ['Vera Cedar Ridge', 'Vera Lincoln Elementary']) {
      await visit.press(page().getByRole('checkbox', { name: `Select ${name}` }));
    }
    await visit.sees('2 selected');
    await expectAccessible(page());
    await visit.press(visit.button(words.users.deactivateMany));
    const question = page().getByRole('alertdialog', { name: words.users.deactivateManyTitle });
    await question.getByText(/^2 people will be signed out/).waitFor();
    await expectAccessible(page());
    await visit.press(question.getByRole('button', { name: words.users.deactivateMany }));
    await row('Vera Cedar Ridge').getByText(words.users.inactive, { exact: true }).waitFor();
    await visit.press(visit.button(words.web.undo));
    await visit.sees('2 accounts reactivated');
    await row('Vera Cedar Ridge').getByText(words.users.active, { exact: true }).waitFor();
  });

  test('time entries are sorted and filtered, and the filters survive a reload', async () => {
    await arrive();
    await tab('Time Entries');
    await filter().selectOption(words.schools.all);
    const row = (name: string) => page().getByRole('row').filter({ hasText: name });
    await row('Weeding at Cedar Ridge')
      .getByText('Cedar Ridge', { exact: true })
      .filter({ visible: true })
      .waitFor();
    await row('Weeding at Lincoln Elementary').waitFor();
    await visit.sees('4');
    await expectAccessible(page());
    if (look.device === 'phone') {
      const first = await page().getByRole('row').filter({ hasText: 'Weeding' }).first().boundingBox();
      expect(first?.y).toBeLessThan(420);
      await visit.press(visit.button(words.web.filters));
    } else {
      // Column headings sort, also by keyboard.
      const head = page().getByRole('columnheader', { name: words['time-entries'].user });
      await head.getByRole('button').focus();
      await page().keyboard.press('Enter');
      await expect.poll(() => head.getAttribute('aria-sort')).toBe('ascending');
      await expect
        .poll(() => page().getByRole('row').nth(1).textContent())
        .toContain('Weeding at Cedar Ridge');
      await page().keyboard.press('Enter');
      await expect.poll(() => head.getAttribute('aria-sort')).toBe('descending');
      await expect
        .poll(() => page().getByRole('row').nth(1).textContent())
        .toContain('Weeding at Lincoln Elementary');
    }
    await page()
      .getByLabel(words['time-entries'].period, { exact: true })
      .selectOption(words['time-entries'].lastMonth);
    await visit.sees(words['time-entries'].noneMatch);
    // The filters are restored.
    await page().reload();
    await visit.sees(words['time-entries'].noneMatch);
    await visit.press(visit.button(words['time-entries'].showAll).last());
    await row('Weeding at Cedar Ridge').waitFor();
    expect(await chosen()).toBe(words.schools.all);
    await tab('Photo Sync');
    await visit.sees(words.schools.selectOne);
  });
});
