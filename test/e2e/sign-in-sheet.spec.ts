import { readFileSync } from 'node:fs';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { dayIn } from '#shared/calendar-date.ts';
import { anActivity, anAdministrator, anEntry, aPerson, aSchool } from '../builders.ts';
import { fullTest } from '../full-test.ts';
import { readPdf } from '../pdf.ts';
import {
  DESKTOP,
  type District,
  looks,
  open,
  openDistrict,
  PHONE,
  pressAction,
  toAdminPanel,
  type Visit,
} from './browser.ts';
import { misfits } from './check-screens.ts';
import { expectAccessible, inFull } from './expect-accessible.ts';
import { words } from './spoken-language.ts';

let district: District;

let lincoln: Awaited<ReturnType<typeof aSchool>>;

let ada: Awaited<ReturnType<typeof anAdministrator>>;

let maria: Awaited<ReturnType<typeof aPerson>>;

let visit: Visit;

const text = words['time-entries'];

beforeAll(async () => {
  district = await openDistrict();
  lincoln = await aSchool(district, { name: 'Lincoln Elementary' });
  ada = await anAdministrator(district);
  maria = await aPerson(district, { schools: [lincoln], firstName: 'Maria', lastName: 'Lopez' });
  await aPerson(district, { schools: [lincoln], firstName: '明', lastName: '王' });
  const fair = await anActivity(district, { school: lincoln, name: 'Book fair' });
  // The sheet lists people who helped lately.
  await anEntry(district, { by: maria, activity: fair, hours: 2, date: dayIn('UTC', district.clock.now()) });
});

beforeEach(() => () => expect(visit.faults()).toEqual([]));

const dialog = () => visit.page.getByRole('dialog', { name: text.printSheet });

async function toSheet(): Promise<void> {
  await toAdminPanel(visit);
  await visit.press(visit.page.getByRole('tab', { name: 'Activities' }));
  await visit.press(visit.button('Book fair'));
  await visit.press(visit.button(text.printSheet));
  await dialog().getByLabel(text.sheetDay).waitFor();
}

/** Presses the button and returns the PDF that it downloads. */
async function downloaded() {
  const [file] = await Promise.all([
    visit.page.waitForEvent('download'),
    visit.press(dialog().getByRole('button', { name: text.sheetMake })),
  ]);
  return { name: file.suggestedFilename(), ...readPdf(readFileSync(await file.path())) };
}

describe.each(looks(DESKTOP))('a sign-in sheet on a $device', (look) => {
  test('is printed by an administrator, and its link opens the activity for a volunteer', async () => {
    visit = await open(district, { look, as: ada, school: lincoln });
    await toSheet();
    await expectAccessible(visit.page);
    await inFull(async () => expect(await misfits(visit)).toEqual([]));
    const address = await dialog().getByLabel(text.sheetLink, { exact: true }).inputValue();
    expect(address).toMatch(/\/\?log=[2-9A-Z]{4}-[2-9A-Z]{4}-[2-9A-Z]{2}$/);
    const { name, text: said } = await downloaded();
    expect(name).toMatch(/^book-fair_\d{4}-\d\d-\d\d\.pdf$/);
    expect(said).toContain('Maria Lopez');
    expect(said.replaceAll(/\s/g, '')).toContain(address.replace(/^https?:\/\//, ''));
    await dialog().waitFor({ state: 'hidden' });
    const volunteer = await open(district, { look, as: maria, path: new URL(address).search });
    await volunteer.page.getByRole('heading', { name: 'Book fair', exact: true }).waitFor();
  });

  fullTest('has the last choices preselected, and names people whose name cannot be printed', async () => {
    visit = await open(district, { look, as: ada, school: lincoln });
    await toSheet();
    await visit.press(dialog().getByText(text.sheetMembers));
    await dialog().getByLabel(text.sheetLines, { exact: true }).fill('3');
    await downloaded();
    await visit.sees("These names can't be printed. Write them on blank lines: 明 王");
    await visit.page.keyboard.press('Escape');
    await dialog().waitFor({ state: 'hidden' });
    await visit.press(visit.button(text.printSheet));
    expect(await dialog().getByRole('radio', { name: text.sheetMembers }).isChecked()).toBe(true);
    expect(await dialog().getByLabel(text.sheetLines, { exact: true }).inputValue()).toBe('3');
  });

  fullTest('gets a new code after a question, and the old code stops working', async () => {
    visit = await open(district, { look, as: ada, school: lincoln });
    await toSheet();
    const link = dialog().getByLabel(text.sheetLink, { exact: true });
    const old = await link.inputValue();
    await visit.press(visit.button(text.sheetRenew));
    await visit.press(visit.button(text.sheetRenewNo));
    expect(await link.inputValue()).toBe(old);
    await visit.press(visit.button(text.sheetRenew));
    await expectAccessible(visit.page);
    await visit.press(visit.button(text.sheetRenewYes));
    await expect.poll(() => link.inputValue()).not.toBe(old);
    const { status } = await district.call('POST /api/log-codes/open', {
      token: maria.token,
      body: { code: old.split('=').at(-1) },
    });
    expect(status).toBe(404);
  });
});

fullTest(
  "'Enter a sign-in sheet' opens the print dialog for the day in its form, without losing input",
  async () => {
    visit = await open(district, { look: PHONE, as: ada, school: lincoln });
    await toAdminPanel(visit);
    await visit.press(visit.page.getByRole('tab', { name: 'Time Entries' }));
    await pressAction(visit, text.roster);
    const panel = visit.page.getByRole('dialog', { name: text.roster });
    await panel.getByLabel(text.activity).selectOption('Book fair');
    await panel.getByLabel(text.date).fill('2026-03-02');
    await visit.press(visit.button(text.printSheet));
    expect(await dialog().getByLabel(text.sheetDay).inputValue()).toBe('2026-03-02');
    await visit.page.keyboard.press('Escape');
    await dialog().waitFor({ state: 'hidden' });
    expect(await panel.getByLabel(text.date).inputValue()).toBe('2026-03-02');
  },
);
