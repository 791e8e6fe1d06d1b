import { beforeEach, describe, expect, test } from 'vitest';
import { addDays, day } from '#shared/calendar-date.ts';
import { anActivity, anAdministrator, anEntry, aPerson, aSchool } from '../builders.ts';
import { NOW, runningClock, TODAY } from '../harness.ts';
import {
  DESKTOP,
  type District,
  looks,
  open,
  openDistrict,
  pressAction,
  toAdminPanel,
  type Visit,
  type VisitOptions,
} from './browser.ts';
import { expectAccessible, inFull } from './expect-accessible.ts';
import { words } from './spoken-language.ts';

let district: District;
let school: Awaited<ReturnType<typeof aSchool>>;
let ana: Awaited<ReturnType<typeof anAdministrator>>;

// A district for each test, because the Admin Panel counts pending entries at all schools.
beforeEach(async () => {
  district = await openDistrict({}, runningClock());
  district.clock.set(NOW);
  school = await aSchool(district, { verification: 'on' });
  ana = await anAdministrator(district);
});

const visitAs = (person: { token: string }, options: VisitOptions = {}): Promise<Visit> =>
  open(district, { as: person, before: (page) => page.clock.setFixedTime(NOW), ...options });

/** Logs yesterday's hours: `people` volunteers at each of `activities` activities. */
async function logged(people: number, activities: number): Promise<void> {
  const helpers = await Promise.all(
    Array.from({ length: people }, (_, at) =>
      aPerson(district, { schools: [school], firstName: `Helper${at}`, lastName: 'Ng' }),
    ),
  );
  for (let at = 0; at < activities; at += 1) {
    const activity = await anActivity(district, { school, name: `Station ${String(at).padStart(2, '0')}` });
    for (const [index, by] of helpers.entries()) {
      const isOdd = index === 0 && at < 6;
      const hours = isOdd ? 9 : 2;
      // Each activity is on another day, because nobody helps all day long.
      await anEntry(district, { by, activity, hours, date: addDays(day(TODAY), -1 - at) });
    }
  }
  await allWait();
}

const allWait = () =>
  district.deps.database.db
    .updateTable('time_entries')
    .set({ verification: 'waiting' })
    .where('school_id', '=', school.id)
    .where('verification', 'is', null)
    .execute();

async function toDesk(visit: Visit): Promise<void> {
  await toAdminPanel(visit);
  await visit.press(visit.page.getByRole('tab', { name: words['time-entries'].title }));
  await visit.page.getByLabel(words.schools.filter, { exact: true }).selectOption(school.name);
  await visit.page.getByRole('table').waitFor();
  await pressAction(visit, words['time-entries'].verifyHours);
  await visit.page.getByRole('heading', { name: words.verification.deskTitle }).waitFor();
}

const counts = async () => {
  const rows = await district.deps.database.db
    .selectFrom('time_entries')
    .select(({ fn }) => ['verification', fn.countAll<number>().as('count')])
    .where('school_id', '=', school.id)
    .groupBy('verification')
    .execute();
  return Object.fromEntries(rows.map((row) => [row.verification ?? 'waiting', Number(row.count)]));
};

describe.each(looks(DESKTOP))('the verification queue on a $device in $scheme', (look) => {
  test('lists unusual entries separately, verifies the others in one click, and offers Undo', async () => {
    await logged(4, 2);
    const visit = await visitAs(ana, { look });
    await toDesk(visit);
    await visit.sees('8 entries are waiting, 30 h');
    await visit.page.getByRole('tab', { name: 'Time Entries 8 to verify' }).waitFor();
    await visit.page.locator('p', { hasText: 'More than 8 h in one entry' }).first().waitFor();
    await inFull(() => expectAccessible(visit.page));
    await visit.press(visit.button(/^Verify 3 entries for Station 01/));
    await visit.sees('Verified 3 entries.');
    expect(await counts()).toEqual({ waiting: 5, verified: 3 });
    await visit.page.getByRole('tab', { name: 'Time Entries 5 to verify' }).waitFor();
    await visit.press(visit.button('Undo: Verified 3 entries'));
    await visit.sees('8 entries are waiting, 30 h');
    expect(await counts()).toEqual({ waiting: 8 });

    await visit.press(visit.button(/^Decline 9 h for Helper0 Ng, Station 01/));
    const dialog = visit.page.getByRole('dialog');
    await inFull(() => expectAccessible(visit.page));
    await dialog.getByRole('textbox').fill('Not on the sheet');
    await visit.press(dialog.getByRole('button', { name: 'Decline' }));
    await visit.sees('Declined 1 entry.');
    await visit.press(
      visit.page.getByRole('group', { name: 'Status of the hours' }).getByText('Not counted'),
    );
    await visit.press(visit.button(/^Reopen 9 h for Helper0 Ng|^Reopen 1 entry/).first());
    await visit.sees('Reopened 1 entry.');
    expect(await counts()).toEqual({ waiting: 8 });

    await visit.press(visit.page.getByRole('group', { name: 'Status of the hours' }).getByText('Waiting'));
    await visit.press(visit.button('Verify all 8 shown'));
    await visit.press(visit.button('Verify only the 6 without a flag'));
    await visit.sees('Verified 6 entries.');
    expect(await counts()).toEqual({ waiting: 2, verified: 6 });
  });
});

test('a verifier sees who decided if another verifier was faster', async () => {
  await logged(3, 1);
  const ben = await aPerson(district, { role: 'admin', firstName: 'Ben', lastName: 'Okafor' });
  const [one, other] = [await visitAs(ana, { look: DESKTOP }), await visitAs(ben, { look: DESKTOP })];
  await toDesk(one);
  await toDesk(other);
  await other.sees('3 entries are waiting, 13 h');
  await one.press(one.button(/^Verify 2 entries/));
  await one.sees('Verified 2 entries.');
  await other.press(other.button(/^Verify 2 entries/));
  await other.page
    .getByText(/Ada .* has already verified these hours/)
    .first()
    .waitFor();
  await other.sees('1 entry is waiting, 9 h');
  expect(await counts()).toEqual({ waiting: 1, verified: 2 });

  await anEntry(district, {
    by: await aPerson(district, { schools: [school] }),
    activity: await anActivity(district, { school }),
    hours: 1,
  });
  await anEntry(district, {
    by: await aPerson(district, { schools: [school] }),
    activity: await anActivity(district, { school }),
    hours: 1,
  });
  await allWait();
  await other.press(other.button(words.verification.deskBack));
  await other.press(other.button(words['time-entries'].verifyHours));
  await other.press(other.button('Verify all 3 shown'));
  await anEntry(district, {
    by: await aPerson(district, { schools: [school] }),
    activity: await anActivity(district, { school }),
    hours: 1,
  });
  await allWait();
  other.expectFailure('409 POST /api/admin/verifications');
  await other.press(other.button('Verify all 3'));
  await other.page.getByText('The list has changed: 4 entries are waiting now, 12 h.').waitFor();
  await other.press(other.button('Verify all 4'));
  await other.sees('Verified 4 entries.');
});
