import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { anActivity, anAdministrator, anEntry, aPerson, aSchool } from '../../builders.ts';
import { readPdf } from '../../pdf.ts';
import {
  DESKTOP,
  type District,
  LOOKS,
  open,
  openDistrict,
  PHONE,
  toAdminPanel,
  type Visit,
} from '../browser.ts';
import { misfits } from '../check-screens.ts';
import { expectAccessible } from '../expect-accessible.ts';
import { words } from '../spoken-language.ts';

let district: District;
let lincoln: Awaited<ReturnType<typeof aSchool>>;
let ana: Awaited<ReturnType<typeof aPerson>>;
let ada: Awaited<ReturnType<typeof anAdministrator>>;
let first: { id: number };
let visit: Visit;

beforeAll(async () => {
  district = await openDistrict();
  ada = await anAdministrator(district);
  lincoln = await aSchool(district, { name: 'Lincoln Elementary' });
  ana = await aPerson(district, { schools: [lincoln], firstName: 'Ana', lastName: 'Núñez' });
  const activity = await anActivity(district, { school: lincoln, name: 'Book fair' });
  first = await anEntry(district, { by: ana, activity, hours: 2 });
  await anEntry(district, { by: ana, activity, hours: 1.5 });
});

beforeEach(() => () => expect(visit.faults()).toEqual([]));

async function aLetter(): Promise<string> {
  const today = new Date(district.clock.now()).toISOString().slice(0, 10);
  const { body } = await district.call('POST /api/reports/letters', {
    token: ana.token,
    body: { schoolId: lincoln.id, startDate: '2020-01-01', endDate: today, withDates: true, language: 'en' },
  });
  return body.letter.code;
}

describe.each(LOOKS)('verifying a service letter on a $device', (look) => {
  test('shows if it was withdrawn or no longer matches the records', async () => {
    const code = await aLetter();
    await district.call(`DELETE /api/time-entries/${first.id}`, { token: ana.token });
    visit = await open(district, { look, path: `/?letter=${code}` });
    const { page } = visit;
    await page.getByLabel('last name').fill('Núñez');
    await visit.press(visit.button('Check'));
    await page.getByRole('heading', { name: 'The record has changed since then: now 1.5 hours' }).waitFor();
    await expectAccessible(page);
    await district.call(`POST /api/time-entries/${first.id}/restore`, { token: ana.token });
    const { body } = await district.call('GET /api/reports/letters', { token: ana.token });
    await district.call(`POST /api/reports/letters/${body.letters[0].id}/withdraw`, { token: ana.token });
    await visit.press(visit.button('Check another letter'));
    await page.getByLabel('Code').fill(code);
    await page.getByLabel('last name').fill('Núñez');
    await visit.press(visit.button('Check'));
    await page.getByRole('heading', { name: 'Withdrawn' }).waitFor();
    await expectAccessible(page);
  });
});

test('an administrator sets the signatory with a preview', async () => {
  visit = await open(district, { look: PHONE, as: ada });
  const { page } = visit;
  await toAdminPanel(visit);
  await page.getByRole('tab', { name: words.users.schools }).press('Enter');
  await visit.press(visit.button('Lincoln Elementary'));
  await visit.press(visit.button(words.schools.letterTemplate));
  const dialog = page.getByRole('dialog').last();
  await dialog.getByLabel(words.schools.letterSigner).fill('Grace Hopper');
  await dialog.getByLabel(words.schools.letterTitle, { exact: true }).fill('Principal');
  await dialog.getByLabel(words.schools.letterWording).fill('Thanks to {name} for {huors}.');
  await visit.press(dialog.getByRole('button', { name: words.web.save }));
  await dialog
    .getByText(/“\{huors\}” can't be used here/)
    .first()
    .waitFor();
  await dialog.getByLabel(words.schools.letterWording).fill('Thanks to {name} for {hours}.');
  await dialog.getByText('Thanks to Maria Lopez for 41.5 hours.').waitFor();
  await expectAccessible(page);
  await visit.press(dialog.getByRole('button', { name: words.web.save }));
  await dialog.getByLabel(words.schools.letterWording).waitFor({ state: 'detached' });
  const { body } = await district.call('GET /api/admin/schools', { token: ada.token });
  expect(body.schools[0].letter).toEqual({
    signerName: 'Grace Hopper',
    signerTitle: 'Principal',
    wording: 'Thanks to {name} for {hours}.',
  });
});

test("an administrator opens a volunteer's letters, and creates letters for many at once", async () => {
  visit = await open(district, { look: DESKTOP, as: ada });
  const { page } = visit;
  await toAdminPanel(visit);
  await visit.press(visit.button(words.users.sectionLetters));
  await visit.press(visit.button(/^Ana Núñez/));
  await page.getByRole('heading', { name: 'Service letters for Ana Núñez' }).waitFor();
  await expectAccessible(page);
  await visit.press(visit.button(words['service-letters'].forMany));
  await page.getByLabel(words['service-letters'].startDate).fill('2020-01-01');
  await visit.press(visit.button(/^Select (all|the)/));
  await expectAccessible(page);
  const [saved] = await Promise.all([
    page.waitForEvent('download'),
    visit.press(visit.button(/^Create \d+ letter/)),
  ]);
  expect(readPdf(await bytesOf(saved)).text).toContain('Letter of volunteer service');
  await visit.sees('1 letter saved');
  expect(await misfits(visit)).toEqual([]);
});

async function bytesOf(saved: { createReadStream: () => Promise<AsyncIterable<Buffer>> }): Promise<Buffer> {
  const pieces: Buffer[] = [];
  for await (const piece of await saved.createReadStream()) pieces.push(piece);
  return Buffer.concat(pieces);
}
