import { beforeAll, describe, expect, test } from 'vitest';
import { dayIn } from '#shared/calendar-date.ts';
import { aCategory, anActivity, anEntry, aPerson, aSchool } from '../builders.ts';
import { fullTest } from '../full-test.ts';
import { DESKTOP, type District, open, openDistrict, PHONE, type Visit } from './browser.ts';

const LONG = 'W'.repeat(120);

// Names that the message catalog or the page could mistake for its own syntax.
const CODE = '<b>x</b> {{count}} $t(base:notFound) $&';

let district: District;

let volunteer: Awaited<ReturnType<typeof aPerson>>;

beforeAll(async () => {
  district = await openDistrict();
  const today = dayIn('UTC', district.clock.now());
  const school = await aSchool(district, { name: LONG });
  volunteer = await aPerson(district, { schools: [school], firstName: 'W'.repeat(60), lastName: 'Volt' });
  const category = await aCategory(district, { school, name: 'W'.repeat(80), kind: 'other' });
  const long = await anActivity(district, { school, category, name: LONG, activeFrom: today });
  const code = await anActivity(district, {
    school,
    name: CODE,
    descriptionPrompt: 'the {{prompt}} of $t(base:notFound)',
  });
  await anEntry(district, { by: volunteer, activity: long, date: today, notes: 'W'.repeat(500) });
  await anEntry(district, { by: volunteer, activity: code, date: today, notes: CODE });
});

const isWider = (visit: Visit) =>
  visit.page.evaluate(() => {
    const { scrollWidth, clientWidth } = document.documentElement;
    return scrollWidth > clientWidth;
  });

describe('names of the maximum length without a space', () => {
  test.each([
    ['a phone of 320 px', 320, PHONE],
    ['a desktop', 1280, DESKTOP],
  ])('fit %s: list, form, Recent Activity and its dialog', async (_, width, look) => {
    const visit = await open(district, { as: volunteer, look, width });
    await visit.page.getByRole('list', { name: 'Log again' }).waitFor();
    await visit.page.getByRole('button', { name: /^Other Activities/ }).click();
    expect(await isWider(visit)).toBe(false);
    await visit.page
      .getByRole('button', { name: new RegExp(`^${LONG}`) })
      .first()
      .click();
    await visit.page.getByText('How long?').waitFor();
    expect(await isWider(visit)).toBe(false);
    await visit.page.getByRole('tab', { name: 'Recent Activity' }).click();
    await visit.page.getByRole('button', { name: new RegExp(`^Edit ${LONG}`) }).waitFor();
    expect(await isWider(visit)).toBe(false);
    await visit.page.getByRole('button', { name: new RegExp(`^Edit ${LONG}`) }).click();
    await visit.page.getByRole('dialog').waitFor();
    expect(await isWider(visit)).toBe(false);
  });

  test("are shown in full below the title for a user's only school", async () => {
    const visit = await open(district, { as: volunteer, look: PHONE });
    const title = visit.page.getByRole('heading', { level: 1 });
    const school = visit.page.locator('header p').getByText(LONG);
    await school.waitFor();
    const [above, below] = [await title.boundingBox(), await school.boundingBox()];
    expect((below?.y ?? 0) + 1).toBeGreaterThanOrEqual((above?.y ?? 0) + (above?.height ?? 0));
    expect(below?.height ?? 0).toBeGreaterThan(30);
  });

  test('fit the printed page', async () => {
    const visit = await open(district, { as: volunteer, width: 720 });
    await visit.page.getByRole('tab', { name: 'Recent Activity' }).click();
    await visit.page.getByRole('button', { name: new RegExp(`^Edit ${LONG}`) }).waitFor();
    await visit.page.emulateMedia({ media: 'print' });
    await visit.page.evaluate(() => window.dispatchEvent(new Event('beforeprint')));
    await visit.page.getByRole('table').waitFor();
    expect(await isWider(visit)).toBe(false);
  });
});

test('names that look like markup, placeholders or messages are shown as typed', async () => {
  const visit = await open(district, { as: volunteer });
  await visit.page.getByRole('searchbox').fill('count');
  await visit.page.getByRole('button').filter({ hasText: CODE }).first().click();
  await visit.sees('The {{prompt}} of $t(base:notFound)');
  await visit.page.getByRole('radio', { name: /^2 h/ }).click();
  await visit.button('Log 2 hours').click();
  await visit.sees(`You already logged 1 h for ${CODE} today. Log 2 h more?`);
  await visit.button('Log 2 h more').click();
  await visit.sees(`Please enter the {{prompt}} of $t(base:notFound) for ${CODE} activities`);
  await visit.page.getByLabel('The {{prompt}} of $t(base:notFound)').fill('there');
  await visit.button('Log 2 h more').click();
  await visit.sees(`2h logged for ${CODE} today!`);
  await visit.page.getByRole('tab', { name: 'Recent Activity' }).click();
  await visit.page.getByRole('button', { name: `Edit ${CODE}, 2 h, ` }).waitFor();
});

fullTest('the main button has an edge with forced colors', async () => {
  const visit = await open(district);
  await visit.page.emulateMedia({ forcedColors: 'active' });
  const edge = await visit
    .button('Sign in')
    .evaluate((button) => Number.parseFloat(getComputedStyle(button).borderTopWidth));
  expect(edge).toBeGreaterThan(0);
});
