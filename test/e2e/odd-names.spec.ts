import { beforeAll, test } from 'vitest';
import { dayIn } from '#shared/calendar-date.ts';
import { aCategory, anActivity, anEntry, aPerson, aSchool } from '../builders.ts';
import { type District, open, openDistrict } from './browser.ts';

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
