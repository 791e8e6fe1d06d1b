import { beforeAll, expect, test } from 'vitest';
import { anAdministrator } from '../builders.ts';
import { type District, open, openDistrict } from './browser.ts';
import { words } from './spoken-language.ts';

let district: District;

beforeAll(async () => {
  district = await openDistrict({ SUPPORT_EMAIL: 'help@maplegrove.example', SMTP_URL: 'smtp://127.0.0.1:9' });
  await anAdministrator(district);
});

test('a visitor reports an accessibility barrier after an error, which links to its field', async () => {
  const visit = await open(district, { path: '/accessibility' });
  const { page } = visit;
  visit.expectFailure('400 POST /accessibility');
  const what = page.getByLabel(words.accessibility.what);
  await page.getByLabel(words.accessibility.where).fill('The menu');
  await visit.press(visit.button(words.accessibility.send));
  await page.getByRole('alert').waitFor();
  expect(await page.getByLabel(words.accessibility.where).inputValue()).toBe('The menu');
  await visit.press(page.getByRole('link', { name: words.accessibility.whatRequired }));
  expect(await what.evaluate((field) => field === document.activeElement)).toBe(true);
  await page.keyboard.type('It does not open');
  await visit.press(visit.button(words.accessibility.send));
  await page.getByRole('heading', { name: words.accessibility.thanks }).waitFor();
  const { db } = district.deps.database;
  const sent = await db.selectFrom('emails').select('id').where('kind', '=', 'accessibility').execute();
  expect(sent).toHaveLength(1);
});
