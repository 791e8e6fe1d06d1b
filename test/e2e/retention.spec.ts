import { beforeAll, describe, expect, test } from 'vitest';
import { anActivity, anAdministrator, anEntry, aPerson, aSchool } from '../builders.ts';
import {
  DESKTOP,
  type District,
  type Look,
  open,
  openDistrict,
  toAdminPanel,
  type Visit,
} from './browser.ts';
import { misfits } from './check-screens.ts';
import { expectAccessible, inFull } from './expect-accessible.ts';
import { words } from './spoken-language.ts';

let district: District;
let ada: Awaited<ReturnType<typeof anAdministrator>>;
let maria: Awaited<ReturnType<typeof aPerson>>;

beforeAll(async () => {
  district = await openDistrict();
  ada = await anAdministrator(district);
  const lincoln = await aSchool(district, { name: 'Lincoln Elementary' });
  maria = await aPerson(district, { schools: [lincoln], firstName: 'Maria', lastName: 'Lopez' });
  const activity = await anActivity(district, { school: lincoln });
  for (const date of ['2020-02-01', '2020-02-02']) await anEntry(district, { by: maria, activity, date });
});

async function openSystem(look: Look): Promise<Visit> {
  const visit = await open(district, { look, as: ada });
  await toAdminPanel(visit);
  await visit.press(visit.button(words.web.system).locator('visible=true'));
  await visit.page.getByRole('heading', { name: words.retention.holds }).waitFor();
  await visit.button('Change retention: Time entries').waitFor();
  // Content that loads late appears above and would move the button before the press.
  await visit.page.waitForLoadState('networkidle');
  return visit;
}
// The list is a table on a desktop and cards on a phone.
const shows = (visit: Visit, text: string) =>
  visit.page.getByText(text).locator('visible=true').first().waitFor();

describe('the retention settings', () => {
  test('show how many rows a shorter period deletes before it is saved', async () => {
    const { holds } = (await district.call('GET /api/admin/legal-holds', { token: ada.token })).body;
    for (const { id } of holds)
      await district.call(`POST /api/admin/legal-holds/${id}/lift`, { token: ada.token });
    await district.call('PUT /api/admin/settings', {
      token: ada.token,
      body: { retention: { entries: null } },
    });
    const visit = await openSystem(DESKTOP);
    // Content that loads above would move the button before a click, so press a key.
    await visit.button('Change retention: Time entries').press('Enter');
    await visit.page.getByLabel(words.retention.forever).uncheck();
    const field = visit.page.getByLabel(words.retention.inMonths, { exact: true });
    await field.fill('7');
    await field.press('Enter');
    await visit.sees('Enter a whole number of months from 12 to 1,200');
    await field.fill('60');
    await field.press('Enter');
    await visit.sees(words.retention.confirmQuestion_other.replace('{{count, number}}', '2'));
    await field.fill('48');
    await visit.button(words.web.save).waitFor();
    await field.press('Enter');
    await visit.press(visit.button(words.retention.confirm));
    await shows(visit, 'Time entries: 48 months');
    const now = async () => (await district.call('GET /api/admin/settings', { token: ada.token })).body;
    expect((await now()).retentionPending.values).toEqual({ entries: 48 });
    await inFull(async () => {
      expect(await misfits(visit)).toEqual([]);
      await expectAccessible(visit.page);
    });
    await visit.press(visit.button(words.retention.pendingCancelOf));
    await visit.sees(words.retention.canceled);
    expect((await now()).retentionPending).toBeNull();
  });

  test('place a legal hold on a person and on a school, and lift one', async () => {
    const visit = await openSystem(DESKTOP);
    await visit.press(visit.button(words.retention.addHold));
    await visit.press(visit.button(words.retention.place));
    await visit.sees(words.retention.subjectRequired);
    await visit.page.getByRole('dialog').getByRole('searchbox').fill('lopez');
    await visit.press(visit.button(/^Maria Lopez/));
    await visit.page.getByLabel(words.retention.holdReason).fill('Court order 13');
    await visit.press(visit.button(words.retention.place));
    await visit.sees(words.retention.placed);
    await visit.sees('Court order 13');
    await visit.press(visit.button(words.retention.addHold));
    await visit.page.getByLabel(words.retention.holdFor, { exact: true }).selectOption('school');
    await visit.page.getByLabel(words.retention.school, { exact: true }).selectOption('Lincoln Elementary');
    await visit.page.getByLabel(words.retention.holdReason).fill('Audit');
    await visit.press(visit.button(words.retention.place));
    await visit.button('Lift the hold for Lincoln Elementary').waitFor();
    await visit.press(visit.button('Lift the hold for Maria Lopez'));
    const question = visit.page.getByRole('alertdialog');
    await visit.press(question.getByRole('button', { name: words.retention.lift }));
    await visit.sees(words.retention.lifted);
    await visit.button('Lift the hold for Maria Lopez').waitFor({ state: 'detached' });
  });
});
