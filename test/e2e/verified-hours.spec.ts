import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { addDays, day } from '#shared/calendar-date.ts';
import { anActivity, anAdministrator, anEntry, aPerson, aSchool } from '../builders.ts';
import { NOW, runningClock, TODAY } from '../harness.ts';
import {
  type District,
  looks,
  open,
  openDistrict,
  PHONE,
  pickActivity,
  stepsToGoBack,
  toAdminPanel,
  type Visit,
  type VisitOptions,
} from './browser.ts';
import { expectAccessible, inFull } from './expect-accessible.ts';
import { words } from './spoken-language.ts';

let district: District;
let school: Awaited<ReturnType<typeof aSchool>>;
let fair: Awaited<ReturnType<typeof anActivity>>;
let maria: Awaited<ReturnType<typeof aPerson>>;
let ana: Awaited<ReturnType<typeof anAdministrator>>;

beforeAll(async () => {
  district = await openDistrict({}, runningClock());
  district.clock.set(NOW);
  ana = await anAdministrator(district);
});

beforeEach(async () => {
  school = await aSchool(district, { verification: 'on' });
  fair = await anActivity(district, { school, name: 'Book fair', activeFrom: day(TODAY) });
  maria = await aPerson(district, { schools: [school], firstName: 'Maria', lastName: 'Lopez' });
});

const visitAs = (person: { token: string }, options: VisitOptions = {}): Promise<Visit> =>
  open(district, { as: person, before: (page) => page.clock.setFixedTime(NOW), ...options });

/** Stores a decision of the school about an entry. */
async function decided(
  entry: { id: number },
  said: { status: 'verified' | 'declined'; hundredths?: number; note?: string },
): Promise<void> {
  await district.deps.database.db
    .updateTable('time_entries')
    .set({
      verification: said.status,
      counted_hundredths: said.hundredths ?? 0,
      decided_by: ana.id,
      decided_at: NOW,
      decision_note: said.note ?? null,
    })
    .where('id', '=', entry.id)
    .execute();
}

const recent = (visit: Visit) => visit.press(visit.page.getByRole('tab', { name: words.web.recentActivity }));

describe.each(looks(PHONE))('a volunteer on a $device in $scheme', (look) => {
  test('sees the status of each entry, and asks to reopen one', async () => {
    await anEntry(district, { by: maria, activity: fair, hours: 2 });
    const seen = await anEntry(district, {
      by: maria,
      activity: fair,
      hours: 3,
      date: addDays(day(TODAY), -1),
    });
    const less = await anEntry(district, {
      by: maria,
      activity: fair,
      hours: 4,
      date: addDays(day(TODAY), -2),
    });
    const refused = await anEntry(district, { by: maria, activity: fair, date: addDays(day(TODAY), -3) });
    await decided(seen, { status: 'verified', hundredths: 300 });
    await decided(less, { status: 'verified', hundredths: 250 });
    await decided(refused, { status: 'declined', note: 'Not on the sign-in sheet' });
    const visit = await visitAs(maria, { look });
    await recent(visit);
    await visit.sees('Today · 2 h, 0 verified');
    await visit.sees('Yesterday · 3 h, 3 verified');
    await visit.page.getByText('2.5 of 4 h count').waitFor();
    await visit.page.getByText('Not on the sign-in sheet').waitFor();
    await visit.page.getByText('by your school on').first().waitFor();
    await visit.page
      .getByText(`Verified hours can no longer be changed. Ask ${school.name} to reopen them.`)
      .first()
      .waitFor();
    expect(await visit.page.getByRole('button', { name: /^Edit Book fair/ }).count()).toBe(1);
    await inFull(() => expectAccessible(visit.page));

    await visit.press(visit.button('Verified'));
    await visit.page.getByText('Today ·').waitFor({ state: 'detached' });
    expect(await visit.page.getByRole('heading', { level: 3 }).count()).toBe(2);
    await visit.press(visit.button('All'));

    await visit.press(visit.button(/^Ask for a change: Book fair, 3 h/));
    const dialog = visit.page.getByRole('dialog');
    await visit.press(dialog.getByRole('button', { name: 'Send request' }));
    await dialog.getByText('Please say what should change').first().waitFor();
    await dialog.getByRole('textbox').fill('It was three and a half');
    await inFull(() => expectAccessible(visit.page));
    await visit.press(dialog.getByRole('button', { name: 'Send request' }));
    await visit.page.getByText(`You asked ${school.name} for a change to these hours.`).waitFor();
    expect(await visit.button(/^Ask for a change: Book fair, 3 h/).count()).toBe(0);
  });
});

test('hours logged with three taps at a school that verifies are pending', async () => {
  const visit = await visitAs(maria, { look: PHONE });
  await pickActivity(visit, 'Book fair');
  await visit.press(visit.page.locator('form').getByText('2 h', { exact: true }));
  await visit.press(visit.button('Log 2 hours'));
  await visit.sees('2h logged for Book fair today!');
  await recent(visit);
  await visit.sees('Waiting');
});

test('the form asks for an external verifier only once per activity', async () => {
  await district.deps.database.db
    .updateTable('activities')
    .set({ verification: 'outside' })
    .where('id', '=', fair.id)
    .execute();
  const other = await anActivity(district, { school, name: 'Clean-up', activeFrom: day(TODAY) });
  await anEntry(district, { by: maria, activity: other });
  const visit = await visitAs(maria);
  const address = () => visit.page.getByLabel(words['time-entries'].supervisor);
  const log = async () => {
    await pickActivity(visit, 'Book fair');
    await visit.press(visit.page.locator('form').getByText('1 h', { exact: true }));
    await visit.press(visit.button('Log 1 hour'));
  };
  await pickActivity(visit, 'Clean-up');
  expect(await address().count()).toBe(0);
  await visit.press(visit.button('Cancel'));
  visit.expectFailure('400 POST /api/time-entries');
  await log();
  await visit.page
    .getByText(/^Please enter the email address of the supervisor/)
    .first()
    .waitFor();
  await address().fill('coach@club.example');
  await visit.press(visit.button('Log 1 hour'));
  await visit.sees('1h logged for Book fair today!');

  await expect.poll(() => stepsToGoBack(visit.page)).toBe(0);
  await visit.page.reload();
  await pickActivity(visit, 'Book fair');
  await visit.press(visit.page.locator('form').getByText('3 h', { exact: true }));
  expect(await address().count()).toBe(0);
  await visit.press(visit.button('Log 3 hours'));
  await visit.press(visit.button('Log 3 h more'));
  await visit.sees('3h logged for Book fair today!');
  const rows = await district.deps.database.db
    .selectFrom('time_entries')
    .select('external_verifier')
    .where('activity_id', '=', fair.id)
    .execute();
  expect(rows.map((row) => row.external_verifier)).toEqual(['coach@club.example', 'coach@club.example']);
});

test('an administrator sets which schools and activities require verification', async () => {
  const plain = await aSchool(district, { name: 'Oak Hill', verification: 'off' });
  const drive = await anActivity(district, { school: plain, name: 'Food drive' });
  const visit = await visitAs(ana);
  const panel = visit.page.getByRole('dialog');
  await toAdminPanel(visit);
  await visit.press(visit.page.getByRole('tab', { name: words.schools.title }));
  await visit.press(visit.button('Oak Hill'));
  await panel.getByText('Logged hours count right away, and volunteers can change them.').waitFor();
  await visit.press(panel.getByRole('checkbox', { name: 'Verify hours at this school' }));
  await panel.getByText(/^Logged hours wait until the school/).waitFor();
  await panel.getByLabel('Lock hours before', { exact: true }).fill('2026-01-01');
  await panel.getByLabel('Lock hours after (days)').fill('60');
  await inFull(() => expectAccessible(visit.page));
  await visit.press(panel.getByRole('button', { name: 'Save' }));
  await visit.sees('School updated successfully');
  expect(await settingsOf('schools', plain.id)).toMatchObject({
    verification: 'on',
    closed_before: '2026-01-01',
    late_after_days: 60,
  });

  await visit.press(visit.page.getByRole('tab', { name: words.activities.title }));
  await visit.page.getByLabel(words.schools.filter, { exact: true }).selectOption('Oak Hill');
  await visit.press(visit.button('Food drive'));
  await panel.getByLabel('Who verifies its hours').selectOption('A supervisor outside the school');
  await panel.getByLabel("Supervisor's email address").fill('coach@club.example');
  await inFull(() => expectAccessible(visit.page));
  await visit.press(panel.getByRole('button', { name: 'Save' }));
  await visit.sees('Activity updated successfully');
  expect(await settingsOf('activities', drive.id)).toMatchObject({
    verification: 'outside',
    external_verifier: 'coach@club.example',
  });
});

const settingsOf = (table: 'schools' | 'activities', id: number) =>
  district.deps.database.db.selectFrom(table).selectAll().where('id', '=', id).executeTakeFirstOrThrow();
