import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { addDays, day } from '#base/calendar-date.ts';
import { anActivity, anAdministrator, anEntry, aPerson, aSchool } from '../builders.ts';
import { NOW, runningClock, TODAY } from '../harness.ts';
import { expectAccessible } from './accessible.ts';
import {
  type District,
  LOOKS,
  open,
  openDistrict,
  PHONE,
  pickActivity,
  stepsToGoBack,
  toAdminPanel,
  type Visit,
  type VisitOptions,
} from './browser.ts';
import { words } from './words.ts';

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

/** What somebody of the school said of an entry. */
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

describe.each(LOOKS)('a volunteer on a $device in $scheme', (look) => {
  test('sees where each entry stands, and asks to reopen one', async () => {
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
    await expectAccessible(visit.page);

    await visit.press(visit.button('Verified'));
    await visit.page.getByText('Today ·').waitFor({ state: 'detached' });
    expect(await visit.page.getByRole('heading', { level: 3 }).count()).toBe(2);
    await visit.press(visit.button('All'));

    await visit.press(visit.button(/^Ask to reopen Book fair, 3 h/));
    const dialog = visit.page.getByRole('dialog');
    await visit.press(dialog.getByRole('button', { name: 'Send request' }));
    await dialog.getByText('Please say what should be changed').first().waitFor();
    await dialog.getByRole('textbox').fill('It was three and a half');
    await expectAccessible(visit.page);
    await visit.press(dialog.getByRole('button', { name: 'Send request' }));
    await visit.page.getByText(`You asked ${school.name} to reopen these hours.`).waitFor();
    expect(await visit.button(/^Ask to reopen Book fair, 3 h/).count()).toBe(0);
  });
});

test('at a school that does not verify, nothing shows and nothing more is loaded', async () => {
  const plain = await aSchool(district, { verification: 'off' });
  const drive = await anActivity(district, { school: plain, name: 'Food drive' });
  const ben = await aPerson(district, { schools: [plain] });
  await anEntry(district, { by: ben, activity: drive, hours: 2 });
  const asked: string[] = [];
  const visit = await visitAs(ben, {
    before: async (page) => {
      await page.clock.setFixedTime(NOW);
      page.on('request', (request) => asked.push(request.url()));
    },
  });
  await recent(visit);
  await visit.sees('Today · 2 h');
  await visit.misses('Waiting');
  expect(asked.filter((url) => /verif/.test(url))).toEqual([]);
});

test('three taps log hours at a school that verifies them, which then wait', async () => {
  const visit = await visitAs(maria, { look: PHONE });
  await pickActivity(visit, 'Book fair');
  await visit.press(visit.page.locator('form').getByText('2 h', { exact: true }));
  await visit.press(visit.button('Log 2 hours'));
  await visit.sees('2h logged for Book fair today!');
  await recent(visit);
  await visit.sees('Waiting');
});

test('odd hours are asked about in the form, once, and ordinary ones are not', async () => {
  await anEntry(district, { by: maria, activity: fair, hours: 8, date: addDays(day(TODAY), -1) });
  const visit = await visitAs(maria, { look: PHONE });
  await pickActivity(visit, 'Book fair');
  await visit.press(visit.page.locator('form').getByText('Other', { exact: true }));
  await visit.page.getByLabel('Hours', { exact: true }).fill('9');
  await visit.page.waitForLoadState('networkidle');
  await visit.press(visit.button('Log 9 hours'));
  await visit.sees('That is more than 8 h at once. Log 9 h?');
  await expectAccessible(visit.page);
  await visit.press(visit.button('Log 9 hours'));
  await visit.sees('9h logged for Book fair today!');
});

test('a supervisor outside is asked for once for an activity', async () => {
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
    .getByText(/^Please enter the email of the supervisor/)
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
    .select('outside_verifier')
    .where('activity_id', '=', fair.id)
    .execute();
  expect(rows.map((row) => row.outside_verifier)).toEqual(['coach@club.example', 'coach@club.example']);
});

test('a mistyped address of a supervisor is told and mended, for all hours of the activity', async () => {
  const { db } = district.deps.database;
  // Nobody else is asked at these on the same day.
  const [typo, right] = [`coach${maria.id}@clubb.example`, `coach${maria.id}@club.example`];
  await db.updateTable('activities').set({ verification: 'outside' }).where('id', '=', fair.id).execute();
  for (const [days, hours] of [
    [0, 1],
    [1, 2],
  ] as const) {
    const reply = await district.call('POST /api/time-entries', {
      token: maria.token,
      body: {
        activityId: fair.id,
        hours,
        entryDate: addDays(day(TODAY), -days),
        outsideVerifier: typo,
      },
    });
    expect(reply.status, reply.text).toBe(201);
  }
  await db
    .updateTable('mail')
    .set({ sealed: null, dropped_at: NOW, failure: 'expired' })
    .where('kind', '=', 'outside-verifier')
    .execute();
  const visit = await visitAs(maria, { look: PHONE });
  const asked = words.verification;
  const say = (text: string, address: string) => text.replace('{{address}}', address);
  await recent(visit);
  await visit.sees(say(asked.ownAskedFailed, typo));
  await visit.sees(say(asked.ownAskedLater, typo));
  await expectAccessible(visit.page);

  await visit.press(visit.button(/^Change who is asked about Book fair, 2 h/));
  const dialog = visit.page.getByRole('dialog');
  const address = dialog.getByLabel(words['time-entries'].supervisor);
  expect(await address.inputValue()).toBe(typo);
  await address.fill('coach');
  await visit.press(dialog.getByRole('button', { name: 'Save' }));
  await dialog.getByText(words.users.emailInvalid).first().waitFor();
  await expectAccessible(visit.page);
  await address.fill(right);
  await visit.press(dialog.getByRole('button', { name: 'Save' }));
  await visit.sees(`We will ask ${right} to confirm your hours`);
  await dialog.waitFor({ state: 'detached' });
  await visit.page.getByText(`We sent ${right} an email on`).nth(1).waitFor();
  await visit.misses(typo);

  // The next hours name the right one, without being asked.
  await visit.press(visit.page.getByRole('tab', { name: words.web.logTime }));
  await pickActivity(visit, 'Book fair');
  await visit.press(visit.page.locator('form').getByText('3 h', { exact: true }));
  await visit.press(visit.button('Log 3 hours'));
  await visit.press(visit.button('Log 3 h more'));
  await visit.sees('3h logged for Book fair today!');
  const rows = await db
    .selectFrom('time_entries')
    .select('outside_verifier')
    .where('activity_id', '=', fair.id)
    .execute();
  expect(rows.map((row) => row.outside_verifier)).toEqual(Array(3).fill(right));
});

test('hours of a closed period stay in the form, which says whom to ask', async () => {
  const closeBefore = (date: string) =>
    district.deps.database.db
      .updateTable('schools')
      .set({ closed_before: day(date) })
      .where('id', '=', school.id)
      .execute();
  await closeBefore('2026-03-01');
  const visit = await visitAs(maria);
  const { page } = visit;
  await pickActivity(visit, 'Book fair');
  await visit.press(page.locator('form').getByText('1 h', { exact: true }));
  await visit.press(page.getByRole('radio', { name: words['time-entries'].otherDay }));
  await page.getByLabel(words['time-entries'].date).fill('2026-02-27');
  // The page knows the closed days: nothing is sent.
  await visit.press(visit.button('Log 1 hour'));
  await page
    .getByText(/^Hours before Mar 1(, 2026)? are closed/)
    .first()
    .waitFor();
  expect(await page.getByLabel(words['time-entries'].date).inputValue()).toBe('2026-02-27');

  // A period closed since the page was loaded is known to the server only.
  await closeBefore('2026-03-05');
  await page.getByLabel(words['time-entries'].date).fill('2026-03-03');
  visit.expectFailure('409 POST /api/time-entries');
  await visit.press(visit.button('Log 1 hour'));
  await page
    .getByText(/^Hours before Mar 5(, 2026)? are closed/)
    .first()
    .waitFor();
  expect(await page.getByLabel(words['time-entries'].date).inputValue()).toBe('2026-03-03');
});

test('an administrator says at which school and for which activity hours are verified', async () => {
  const plain = await aSchool(district, { name: 'Oak Hill', verification: 'off' });
  const drive = await anActivity(district, { school: plain, name: 'Food drive' });
  const visit = await visitAs(ana);
  const panel = visit.page.getByRole('dialog');
  await toAdminPanel(visit);
  await visit.press(visit.page.getByRole('tab', { name: words.schools.title }));
  await visit.press(visit.button('Oak Hill'));
  await panel.getByText('Logged hours count at once, and volunteers can change them.').waitFor();
  await visit.press(panel.getByRole('checkbox', { name: 'Verify hours at this school' }));
  await panel.getByText(/^Logged hours wait until the school/).waitFor();
  await panel.getByLabel('Closed before', { exact: true }).fill('2026-01-01');
  await panel.getByLabel('Closed after so many days').fill('60');
  await expectAccessible(visit.page);
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
  await panel.getByLabel("Supervisor's e-mail address").fill('coach@club.example');
  await expectAccessible(visit.page);
  await visit.press(panel.getByRole('button', { name: 'Save' }));
  await visit.sees('Activity updated successfully');
  expect(await settingsOf('activities', drive.id)).toMatchObject({
    verification: 'outside',
    outside_verifier: 'coach@club.example',
  });
});

const settingsOf = (table: 'schools' | 'activities', id: number) =>
  district.deps.database.db.selectFrom(table).selectAll().where('id', '=', id).executeTakeFirstOrThrow();

describe.each(LOOKS)('verified hours on a $device in $scheme', (look) => {
  /** Maria's 3 h, of which 2.5 count, and 2 h that wait. */
  async function logged() {
    await anEntry(district, { by: maria, activity: fair, hours: 2 });
    const yesterday = addDays(day(TODAY), -1);
    const seen = await anEntry(district, { by: maria, activity: fair, hours: 3, date: yesterday });
    const { token } = ana;
    // Off and on again: what was logged waits.
    for (const verification of ['off', 'on']) {
      await district.call(`PUT /api/admin/schools/${school.id}`, { token, body: { verification } });
    }
    const decision = { decision: 'verify', entryIds: [seen.id], hours: 2.5 };
    await district.call('POST /api/admin/verifications', { token, body: decision });
    return seen;
  }

  test('stand beside those logged on the card and the statement, which can be of them alone', async () => {
    await logged();
    const visit = await visitAs(maria, { look });
    await visit.page.getByText('hours this school year, 2.5 verified').waitFor();
    await recent(visit);
    await visit.press(visit.button('Statement'));
    const table = visit.page.getByRole('table', { name: school.name });
    await table.getByRole('columnheader', { name: 'Verified', exact: true }).waitFor();
    await visit.sees('Maria Lopez gave 5 h in 2 entries. 2.5 h of them are verified.');
    await expectAccessible(visit.page);
    await visit.press(visit.button('Verified hours only'));
    await visit.sees('Maria Lopez gave 2.5 h in 1 entry. The school has verified it.');
    await table.getByRole('columnheader', { name: 'Verified hours' }).waitFor();
    await visit.page.locator('p').getByText('Verified hours only').waitFor();
    await expectAccessible(visit.page);
  });

  test('of a letter that changed are told in the list of letters', async () => {
    const { id } = await logged();
    const asked = { schoolId: school.id, startDate: '2026-01-01', endDate: TODAY };
    const body = { ...asked, withDates: false, language: 'en' };
    await district.call('POST /api/reports/letters', { token: maria.token, body });
    const undone = { decision: 'reopen', entryIds: [id] };
    const visit = await visitAs(maria, { look });
    await recent(visit);
    await visit.press(visit.button('Service letter'));
    await visit.page.getByText('2.5 hours').waitFor();
    await visit.misses('Changed since');
    await district.call('POST /api/admin/verifications', { token: ana.token, body: undone });
    await visit.page.reload();
    await recent(visit);
    await visit.press(visit.button('Service letter'));
    await visit.sees('Changed since');
    await visit.page.getByText('The record now shows 0 hours.').waitFor();
    await expectAccessible(visit.page);
  });

  test('are found, summed up and told in the list of time entries', async () => {
    await logged();
    const visit = await visitAs(ana, { look });
    await toAdminPanel(visit);
    await visit.press(visit.page.getByRole('tab', { name: words['time-entries'].title }));
    await visit.page
      .getByLabel(words.schools.filter, { exact: true })
      .selectOption({ value: String(school.id) });
    const figures = visit.page.getByLabel(words['time-entries'].summary);
    await figures.getByText('5, 2.5 verified').waitFor();
    if (look.device === 'phone') await visit.press(visit.button('Filters'));
    await visit.page.getByLabel('State', { exact: true }).selectOption('Waiting');
    await figures.getByText('2, 0 verified').waitFor();
    await visit.sees('1 of 1 entry');
    await visit.page.getByLabel('State', { exact: true }).selectOption('Verified');
    await figures.getByText('3, 2.5 verified').waitFor();
    await expectAccessible(visit.page);
    await visit.press(visit.button(/^History of Book fair, Maria Lopez, 3 h/));
    await visit.page.getByText(/ verified Maria Lopez's entry for Book fair on .*: 2\.5 h count$/).waitFor();
    const history = visit.page.getByRole('dialog', { name: /^History of/ });
    await history.getByText(/^Created [A-Z][a-z]{2} \d+, \d{4}, /).waitFor();
    await expectAccessible(visit.page);
  });

  test('stand in the analytics, which can be of them alone and lead to these entries', async () => {
    await logged();
    const visit = await visitAs(ana, { look });
    await toAdminPanel(visit);
    await visit.press(visit.page.getByRole('tab', { name: words.analytics.title }));
    await visit.page
      .getByLabel(words.analytics.school, { exact: true })
      .selectOption({ value: String(school.id) });
    const part = visit.page.getByRole('region', { name: 'Hours by activity' });
    await part.getByText('2.5 h verified · 2 entries · 1 volunteer').waitFor();
    await visit.press(part.getByRole('button', { name: 'Show as table' }));
    await part.getByRole('columnheader', { name: 'Verified', exact: true }).waitFor();
    await expectAccessible(visit.page);
    await visit.page.getByLabel('Which hours').first().selectOption('Verified hours only');
    await part.getByText('Verified hours only').waitFor();
    // The figures before stay until the new ones are there.
    await expect.poll(() => part.getByRole('row').last().innerText()).toMatch(/2\.5\s+1\s+1$/);
    await expectAccessible(visit.page);
    await visit.press(part.getByRole('button', { name: 'Show as table' }));
    await visit.press(part.getByRole('button', { name: 'Show the entries of Book fair' }));
    await visit.page.getByLabel(words['time-entries'].summary).getByText('3, 2.5 verified').waitFor();
    await visit.sees('1 of 1 entry');
  });
});

test('where no school verifies, no screen speaks of verified hours', async () => {
  const db = district.deps.database.db;
  await db.updateTable('schools').set({ verification: 'off' }).execute();
  await anEntry(district, { by: maria, activity: fair, hours: 2 });
  const own = await visitAs(maria);
  const silent = async ({ page }: Visit) => expect(await page.getByText(/verified/i).count()).toBe(0);
  await own.sees('hours this school year');
  await silent(own);
  await recent(own);
  await own.press(own.button('Statement'));
  await own.sees('Maria Lopez gave 2 h in 1 entry.');
  await silent(own);
  const visit = await visitAs(ana);
  await toAdminPanel(visit);
  await visit.press(visit.page.getByRole('tab', { name: words['time-entries'].title }));
  await visit.page
    .getByLabel(words.schools.filter, { exact: true })
    .selectOption({ value: String(school.id) });
  await visit.sees('1 of 1 entry');
  await silent(visit);
  expect(await visit.page.getByLabel('State', { exact: true }).count()).toBe(0);
  await visit.press(visit.page.getByRole('tab', { name: words.analytics.title }));
  await visit.page.getByLabel(words.analytics.school, { exact: true }).selectOption('Whole district');
  await visit.page.getByRole('heading', { name: 'Hours by activity' }).waitFor();
  await silent(visit);
});
