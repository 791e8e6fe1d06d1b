import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { deliverAllAnnouncements } from '#features/notifications/announcements/server/delivery.ts';
import { anAdministrator, aPerson, aSchool } from '../builders.ts';
import { DESKTOP, type District, looks, open, openDistrict, toAdminPanel, type Visit } from './browser.ts';
import { misfits } from './check-screens.ts';
import { expectAccessible, inFull } from './expect-accessible.ts';
import { words } from './spoken-language.ts';

const text = words.announcements;

let district: District;
let ada: Awaited<ReturnType<typeof anAdministrator>>;
let visit: Visit;

beforeAll(async () => {
  district = await openDistrict({ SMTP_URL: 'smtp://127.0.0.1:9' });
  const lincoln = await aSchool(district, { name: 'Lincoln Elementary' });
  ada = await anAdministrator(district);
  for (const lastName of ['Abel', 'Bell', 'Cole']) {
    await aPerson(district, {
      schools: [lincoln],
      firstName: 'Maria',
      lastName,
      isProven: lastName !== 'Cole',
    });
  }
});

beforeEach(() => () => expect(visit.faults()).toEqual([]));

const dialog = () => visit.page.getByRole('dialog', { name: text.title });
const field = (name: string) => dialog().getByRole('textbox', { name });

async function tick(...names: string[]): Promise<void> {
  for (const name of names) {
    await visit.press(visit.page.getByRole('checkbox', { name: `Select Maria ${name}` }));
  }
  await visit.press(visit.button(words.users.writeMany));
  await dialog().waitFor();
}

async function toPeople(): Promise<void> {
  await toAdminPanel(visit);
  await visit.press(visit.page.getByRole('tab', { name: 'Users' }));
}

describe.each(looks(DESKTOP))('an announcement on a $device', (look) => {
  test('shows its recipients and a preview, survives Escape, Back and a reload, and is sent', async () => {
    visit = await open(district, { look, as: ada });
    await toPeople();
    await tick('Abel', 'Cole');
    await dialog().getByText('1 person will get this email.').waitFor();
    await dialog().getByText("1 person won't: 1 whose address is not confirmed").waitFor();
    await field(text.subject).fill('Field day');
    await field(text.text).fill('Please bring water.');
    const looks = dialog().getByRole('region', { name: text.looks });
    await looks.getByText('Hello Maria,').waitFor();
    await looks.getByText('Please bring water.').waitFor();
    await inFull(async () => {
      await expectAccessible(visit.page);
      expect(await misfits(visit)).toEqual([]);
    });
    await visit.page.keyboard.press('Escape');
    await dialog().waitFor({ state: 'hidden' });
    await visit.press(visit.button(words.users.writeMany));
    expect(await field(text.text).inputValue()).toBe('Please bring water.');
    await visit.page.goBack();
    await dialog().waitFor({ state: 'hidden' });
    await visit.page.reload();
    await tick('Abel', 'Cole');
    expect(await field(text.subject).inputValue()).toBe('Field day');
    await visit.press(dialog().getByText(/^All \d+ people in this list$/));
    await dialog()
      .getByText(/^[2-9] people will get this email\.$/)
      .waitFor();
    await visit.press(dialog().getByRole('button', { name: text.send }));
    await visit.page.getByText(/^Your email is on its way to [2-9] people$/).waitFor();
    await dialog().waitFor({ state: 'hidden' });
    await deliverAllAnnouncements(district.deps);
    await tick('Abel');
    await dialog()
      .getByText(/^[A-Z][a-z]{2} \d+: Sent to [2-9] people$/)
      .first()
      .waitFor();
    expect(await field(text.text).inputValue()).toBe('');
    await visit.page.keyboard.press('Escape');
  });
});
