import { beforeAll, describe, expect, test } from 'vitest';
import { anActivity, anAdministrator, anEntry, aPerson, aSchool } from '../../builders.ts';
import {
  type District,
  LOOKS,
  type Look,
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
const place = async (body: object) =>
  district.call('POST /api/admin/legal-holds', {
    token: ada.token,
    body: { reason: 'Court order 12', ...body },
  });

describe.each(LOOKS)('retention periods, on a $device in $scheme', (look) => {
  test('are shown with the legal holds, and fit the screen', async () => {
    await place({ userId: maria.id });
    const visit = await openSystem(look);
    await shows(visit, '84 months');
    await shows(visit, 'Court order 12');
    expect(await misfits(visit)).toEqual([]);
    await expectAccessible(visit.page);
    await visit.press(visit.button('Change retention: Time entries'));
    expect(await misfits(visit)).toEqual([]);
    await visit.page.keyboard.press('Escape');
    await visit.press(visit.button(words.retention.addHold));
    expect(await misfits(visit)).toEqual([]);
    await expectAccessible(visit.page);
  });
});

describe('a longer retention period', () => {
  test('is saved without a question', async () => {
    const visit = await openSystem(PHONE);
    await visit.press(visit.button('Change retention: Emails sent'));
    await visit.page.getByLabel(words.retention.inDays, { exact: true }).fill('60');
    await visit.press(visit.button(words.web.save));
    await visit.sees(words.retention.saved);
    await shows(visit, '60 days');
  });
});
