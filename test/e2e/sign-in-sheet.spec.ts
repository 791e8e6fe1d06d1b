import { readFileSync } from 'node:fs';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { anActivity, anAdministrator, anEntry, aPerson, aSchool } from '../builders.ts';
import { readPdf } from '../pdf.ts';
import { DESKTOP, type District, looks, open, openDistrict, toAdminPanel, type Visit } from './browser.ts';
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
  await anEntry(district, { by: maria, activity: fair, hours: 2 });
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
});
