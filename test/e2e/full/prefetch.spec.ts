import { beforeAll, describe, expect, test } from 'vitest';
import { addDays, dayIn } from '#shared/calendar-date.ts';
import { anActivity, anAdministrator, anEntry, aPerson, aSchool } from '../../builders.ts';
import { DESKTOP, type District, open, openDistrict, PHONE, toAdminPanel, type Visit } from '../browser.ts';
import { words } from '../spoken-language.ts';

let district: District;
let ada: Awaited<ReturnType<typeof anAdministrator>>;
let vera: Awaited<ReturnType<typeof aPerson>>;
let school: Awaited<ReturnType<typeof aSchool>>;

beforeAll(async () => {
  district = await openDistrict();
  ada = await anAdministrator(district);
  school = await aSchool(district, { verification: 'on' });
  await aSchool(district);
  const activity = await anActivity(district, { school, name: 'Garden club' });
  vera = await aPerson(district, { schools: [school] });
  await anEntry(district, { by: vera, activity, date: addDays(dayIn('UTC', district.clock.now()), -1) });
});

/** What was asked for before the code had arrived, and that the code did not ask for. */
const notTaken = ({ page }: Visit) => page.evaluate(() => [...(window.begunCalls?.keys() ?? [])]);

/** The addresses that a page asks for from now on. */
function askedBy({ page }: Visit): string[] {
  const asked: string[] = [];
  page.on('request', (request) => {
    const { pathname, search } = new URL(request.url());
    if (pathname.startsWith('/api/')) asked.push(`${pathname}${search}`);
  });
  return asked;
}

const twice = (asked: readonly string[]) => asked.filter((one, at) => asked.indexOf(one) !== at);

describe('what is asked for before the code has arrived is what the first screen shows, and is asked for once', () => {
  test('for a volunteer', async () => {
    const visit = await open(district, {
      look: PHONE,
      as: vera,
      stored: { selectedSchoolId: String(school.id) },
    });
    await visit
      .button(/^Garden club/)
      .first()
      .waitFor();
    expect(await notTaken(visit)).toEqual([]);
  });

  test('for a letter that leads to the desk', async () => {
    const visit = await open(district, { look: PHONE, as: ada, path: `/?desk=${school.id}` });
    await visit.page.getByRole('heading', { name: words.verification.deskTitle }).waitFor();
    await expect.poll(() => notTaken(visit)).toEqual([]);
  });

  test('for a reload of the hours in the Admin Panel', async () => {
    const visit = await open(district, { look: DESKTOP, as: ada });
    await toAdminPanel(visit);
    await visit.press(visit.page.getByRole('tab', { name: words['time-entries'].title }));
    await visit.page.getByLabel(words.schools.filter).selectOption(words.schools.all);
    const row = visit.page.getByRole('row').filter({ hasText: 'Garden club' });
    await row.waitFor();
    const asked = askedBy(visit);
    await visit.page.reload();
    await row.waitFor();
    expect(await notTaken(visit)).toEqual([]);
    expect(twice(asked)).toEqual([]);
    expect(asked).toContain('/api/schools/public');
  });
});
