import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { anActivity, anAdministrator, anEntry, aPerson, aSchool } from '../builders.ts';
import { readPdf } from '../pdf.ts';
import { DESKTOP, type District, looks, open, openDistrict, pressAction, type Visit } from './browser.ts';
import { misfits } from './check-screens.ts';
import { expectAccessible, expectNoBarriers, inFull } from './expect-accessible.ts';
import { words } from './spoken-language.ts';

let district: District;
let lincoln: Awaited<ReturnType<typeof aSchool>>;
let ana: Awaited<ReturnType<typeof aPerson>>;
let visit: Visit;

beforeAll(async () => {
  district = await openDistrict();
  await anAdministrator(district);
  lincoln = await aSchool(district, { name: 'Lincoln Elementary' });
  ana = await aPerson(district, { schools: [lincoln], firstName: 'Ana', lastName: 'Núñez' });
  const activity = await anActivity(district, { school: lincoln, name: 'Book fair' });
  await anEntry(district, { by: ana, activity, hours: 2 });
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

describe.each(looks(DESKTOP))('service letters on a $device', (look) => {
  test('are verified without an account, by keyboard, in English or Spanish', async () => {
    const code = await aLetter();
    visit = await open(district, { look, path: `/?letter=${code}` });
    const { page } = visit;
    await page.getByRole('heading', { name: 'Check a service letter' }).waitFor();
    expect(await page.getByLabel('Code').inputValue()).toBe(code);
    await page.getByLabel('last name').focus();
    await page.keyboard.press('Enter');
    await visit.sees('Enter the last name from the letter');
    await expectAccessible(page);
    await page.keyboard.type('Lee');
    visit.expectFailure('404 POST /api/letters/check');
    await page.keyboard.press('Enter');
    await visit.sees('No letter matches this code and last name. Check both and try again.');
    await visit.press(visit.button('Español'));
    await visit.sees(
      'Ninguna carta coincide con este código y apellido. Revise los dos e inténtelo de nuevo.',
    );
    await page.getByLabel('Apellido').fill('nunez');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Válida' }).waitFor();
    for (const said of ['Ana Núñez', 'Lincoln Elementary', '3.5']) await visit.sees(said);
    await inFull(async () => {
      await expectNoBarriers(page);
      expect(await misfits(visit)).toEqual([]);
    });
    await visit.press(visit.button('English'));
    await page.getByRole('heading', { name: 'Valid' }).waitFor();
    await visit.press(visit.button('Go to the start page'));
    await visit.button('Sign in').first().waitFor();
  });

  test('are created, downloaded and withdrawn by a volunteer', async () => {
    visit = await open(district, { look, as: ana });
    const { page } = visit;
    await visit.press(page.getByRole('tab', { name: words.web.recentActivity }));
    await pressAction(visit, words['time-entries'].letters, words.web.more);
    await page.getByRole('heading', { name: words['service-letters'].title }).waitFor();
    // The school that issues the letter, not all schools.
    const school = page.getByLabel(words['service-letters'].school);
    await expect.poll(() => school.inputValue()).toBe(String(lincoln.id));
    await school.selectOption('');
    await visit.sees(words['service-letters'].allSchoolsHint);
    await school.selectOption('Lincoln Elementary');
    await page.getByLabel(words['service-letters'].startDate).fill('2020-01-01');
    await page.getByLabel(words['service-letters'].language).selectOption('es');
    const [saved] = await Promise.all([
      page.waitForEvent('download'),
      visit.press(visit.button(words['service-letters'].make)),
    ]);
    expect(readPdf(await bytesOf(saved)).text).toContain('Carta de servicio voluntario');
    await page
      .getByText(words['service-letters'].rowHours_other.replace('{{hours}}', '3.5'))
      .first()
      .waitFor();
    await expectAccessible(page);
    await inFull(async () => expect(await misfits(visit)).toEqual([]));
    await visit.press(visit.button(/^Withdraw letter/).first());
    await page
      .getByRole('alertdialog')
      .getByRole('button', { name: words['service-letters'].withdraw })
      .press('Enter');
    await visit.sees(words['service-letters'].withdrawn);
    await page.getByText(words['service-letters'].badgeWithdrawn, { exact: true }).first().waitFor();
  });
});

async function bytesOf(saved: { createReadStream: () => Promise<AsyncIterable<Buffer>> }): Promise<Buffer> {
  const pieces: Buffer[] = [];
  for await (const piece of await saved.createReadStream()) pieces.push(piece);
  return Buffer.concat(pieces);
}
