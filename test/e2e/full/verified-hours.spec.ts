import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { addDays, day } from '#shared/calendar-date.ts';
import { anActivity, anAdministrator, anEntry, aPerson, aSchool } from '../../builders.ts';
import { NOW, runningClock, TODAY } from '../../harness.ts';
import {
  type District,
  LOOKS,
  open,
  openDistrict,
  PHONE,
  pickActivity,
  pressAction,
  toAdminPanel,
  type Visit,
  type VisitOptions,
} from '../browser.ts';
import { expectAccessible } from '../expect-accessible.ts';
import { words } from '../spoken-language.ts';

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

const recent = (visit: Visit) => visit.press(visit.page.getByRole('tab', { name: words.web.recentActivity }));

test('a school without verification shows and loads nothing about it', async () => {
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
  expect(asked.filter((url) => /\/api\/.*verif/.test(url))).toEqual([]);
});

test('the form asks once before it logs unusual hours', async () => {
  await anEntry(district, { by: maria, activity: fair, hours: 8, date: addDays(day(TODAY), -1) });
  const visit = await visitAs(maria, { look: PHONE });
  await pickActivity(visit, 'Book fair');
  await visit.press(visit.page.locator('form').getByText('Other', { exact: true }));
  await visit.page.getByLabel('Hours', { exact: true }).fill('9');
  await visit.page.waitForLoadState('networkidle');
  await visit.press(visit.button('Log 9 hours'));
  await visit.sees('That is more than 8 hours in one entry. Log 9 h?');
  await expectAccessible(visit.page);
  await visit.press(visit.button('Log 9 hours'));
  await visit.sees('9h logged for Book fair today!');
});

test('a mistyped verifier address is reported and corrected, for all hours of the activity', async () => {
  const { db } = district.deps.database;
  // No other test of this file uses these addresses on the same day.
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
    .updateTable('emails')
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

  await visit.press(visit.button(/^Change the address for Book fair, 2 h/));
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
  await visit.page.getByText(`We emailed ${right} on`).nth(1).waitFor();
  await visit.misses(typo);

  // The next hours get the corrected address without a question.
  await visit.press(visit.page.getByRole('tab', { name: words.web.logTime }));
  await pickActivity(visit, 'Book fair');
  await visit.press(visit.page.locator('form').getByText('3 h', { exact: true }));
  await visit.press(visit.button('Log 3 hours'));
  await visit.press(visit.button('Log 3 h more'));
  await visit.sees('3h logged for Book fair today!');
  const rows = await db
    .selectFrom('time_entries')
    .select('external_verifier')
    .where('activity_id', '=', fair.id)
    .execute();
  expect(rows.map((row) => row.external_verifier)).toEqual(Array(3).fill(right));
});

test('the form rejects hours in a closed period, and keeps the input', async () => {
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
  // The page knows the closed period, so it sends nothing.
  await visit.press(visit.button('Log 1 hour'));
  await page
    .getByText(/^Hours before Mar 1(, 2026)? are closed/)
    .first()
    .waitFor();
  expect(await page.getByLabel(words['time-entries'].date).inputValue()).toBe('2026-02-27');

  // The page does not know a period that was closed after it loaded.
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

describe.each(LOOKS)('verified hours on a $device in $scheme', (look) => {
  /** Maria has 3 h, of which 2.5 are verified, and 2 h that are pending. */
  async function logged() {
    await anEntry(district, { by: maria, activity: fair, hours: 2 });
    const yesterday = addDays(day(TODAY), -1);
    const seen = await anEntry(district, { by: maria, activity: fair, hours: 3, date: yesterday });
    const { token } = ana;
    // Turning verification off and on again makes all logged entries pending.
    for (const verification of ['off', 'on']) {
      await district.call(`PUT /api/admin/schools/${school.id}`, { token, body: { verification } });
    }
    const decision = { decision: 'verify', entryIds: [seen.id], hours: 2.5 };
    await district.call('POST /api/admin/verifications', { token, body: decision });
    return seen;
  }

  test('appear next to logged ones on the card and the statement, which can be limited to them', async () => {
    await logged();
    const visit = await visitAs(maria, { look });
    await visit.page.getByText('hours this school year, 2.5 verified').waitFor();
    await recent(visit);
    await pressAction(visit, 'Hours report', words.web.more);
    const table = visit.page.getByRole('table', { name: school.name });
    await table.getByRole('columnheader', { name: 'Verified', exact: true }).waitFor();
    await visit.sees('Maria Lopez volunteered 5 h in 2 entries. Verified hours: 2.5.');
    await expectAccessible(visit.page);
    await visit.press(visit.button('Verified hours only'));
    await visit.sees('Maria Lopez volunteered 2.5 h in 1 entry, verified by the school.');
    await table.getByRole('columnheader', { name: 'Verified hours' }).waitFor();
    await visit.page.locator('p').getByText('Verified hours only').waitFor();
    await expectAccessible(visit.page);
  });

  test('that change after a service letter was created show the letter as changed', async () => {
    const { id } = await logged();
    const asked = { schoolId: school.id, startDate: '2026-01-01', endDate: TODAY };
    const body = { ...asked, withDates: false, language: 'en' };
    await district.call('POST /api/reports/letters', { token: maria.token, body });
    const undone = { decision: 'reopen', entryIds: [id] };
    const visit = await visitAs(maria, { look });
    await recent(visit);
    await pressAction(visit, 'Service letter', words.web.more);
    await visit.page.getByText('2.5 hours').waitFor();
    await visit.misses('Changed since');
    await district.call('POST /api/admin/verifications', { token: ana.token, body: undone });
    await visit.page.reload();
    await recent(visit);
    await pressAction(visit, 'Service letter', words.web.more);
    await visit.sees('Changed since');
    await visit.page.getByText('The total is now 0 hours.', { exact: false }).waitFor();
    await expectAccessible(visit.page);
  });

  test('are found, totaled and shown in the list of time entries', async () => {
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
    await visit.page.getByLabel('Status', { exact: true }).selectOption('Waiting');
    await figures.getByText('2, 0 verified').waitFor();
    await visit.sees('1 of 1 entry');
    await visit.page.getByLabel('Status', { exact: true }).selectOption('Verified');
    await figures.getByText('3, 2.5 verified').waitFor();
    await expectAccessible(visit.page);
    await visit.press(visit.button(/^History of Book fair, Maria Lopez, 3 h/));
    await visit.page.getByText(/ verified Maria Lopez's entry for Book fair on .*: 2\.5 h count$/).waitFor();
    const history = visit.page.getByRole('dialog', { name: /^History of/ });
    await history.getByText(/^Created [A-Z][a-z]{2} \d+, \d{4}, /).waitFor();
    await expectAccessible(visit.page);
  });

  test('appear in Analytics, which can be limited to them and links to their entries', async () => {
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
    await visit.page.getByLabel('Show').first().selectOption('Verified hours only');
    await part.getByText('Verified hours only').waitFor();
    // The old numbers stay until the new ones have loaded.
    await expect.poll(() => part.getByRole('row').last().innerText()).toMatch(/2\.5\s+1\s+1$/);
    await expectAccessible(visit.page);
    await visit.press(part.getByRole('button', { name: 'Show as table' }));
    await visit.press(part.getByRole('button', { name: 'Show the entries of Book fair' }));
    await visit.page.getByLabel(words['time-entries'].summary).getByText('3, 2.5 verified').waitFor();
    await visit.sees('1 of 1 entry');
  });
});

test('no screen mentions verified hours if no school verifies them', async () => {
  const db = district.deps.database.db;
  await db.updateTable('schools').set({ verification: 'off' }).execute();
  await anEntry(district, { by: maria, activity: fair, hours: 2 });
  const own = await visitAs(maria);
  const silent = async ({ page }: Visit) => expect(await page.getByText(/verified/i).count()).toBe(0);
  await own.sees('hours this school year');
  await silent(own);
  await recent(own);
  await pressAction(own, 'Hours report', words.web.more);
  await own.sees('Maria Lopez volunteered 2 h in 1 entry.');
  await silent(own);
  const visit = await visitAs(ana);
  await toAdminPanel(visit);
  await visit.press(visit.page.getByRole('tab', { name: words['time-entries'].title }));
  await visit.page
    .getByLabel(words.schools.filter, { exact: true })
    .selectOption({ value: String(school.id) });
  await visit.sees('1 of 1 entry');
  await silent(visit);
  expect(await visit.page.getByLabel('Status', { exact: true }).count()).toBe(0);
  await visit.press(visit.page.getByRole('tab', { name: words.analytics.title }));
  await visit.page.getByLabel(words.analytics.school, { exact: true }).selectOption('Whole district');
  await visit.page.getByRole('heading', { name: 'Hours by activity' }).waitFor();
  await silent(visit);
});
