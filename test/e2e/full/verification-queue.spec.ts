import { beforeAll, beforeEach, expect, test } from 'vitest';
import { addDays, day } from '#shared/calendar-date.ts';
import { anActivity, anAdministrator, anEntry, aPerson, aSchool } from '../../builders.ts';
import { NOW, runningClock, TODAY } from '../../harness.ts';
import {
  DESKTOP,
  type District,
  open,
  openDistrict,
  pressAction,
  toAdminPanel,
  type Visit,
  type VisitOptions,
} from '../browser.ts';
import { asPerson, type Person, printEffort } from '../count-interactions.ts';
import { words } from '../spoken-language.ts';

let district: District;
let school: Awaited<ReturnType<typeof aSchool>>;
let ana: Awaited<ReturnType<typeof anAdministrator>>;

beforeAll(async () => {
  district = await openDistrict({}, runningClock());
  district.clock.set(NOW);
});

beforeEach(async () => {
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

const focused = (visit: Visit) =>
  visit.page.evaluate(() => document.activeElement?.getAttribute('aria-label') ?? '');

async function declineFocused({ page }: Visit, person: Person): Promise<void> {
  await person.key('d');
  const dialog = page.getByRole('dialog');
  await dialog.locator('textarea:focus').waitFor();
  await person.type('Went home at noon');
  await person.click(dialog.getByRole('button', { name: 'Decline' }));
}

async function adjust({ page, button }: Visit, person: Person, label: string): Promise<void> {
  await person.click(button(label.replace(/^Verify 9 h for/, 'Adjust the hours for')));
  const dialog = page.getByRole('dialog');
  await dialog.locator('input:focus').waitFor();
  await person.key('Control+a');
  await person.type('4');
  await person.click(dialog.getByRole('button', { name: 'Verify 4 h' }));
}

test('a verifier clears 200 entries with 6 exceptions by keyboard in under a minute', async () => {
  await logged(20, 10);
  const visit = await visitAs(ana, { look: DESKTOP });
  await toDesk(visit);
  await visit.sees('200 entries are waiting, 442 h');
  const person = asPerson(visit);
  await person.key('j');
  let exceptions = 0;
  for (;;) {
    const label = await focused(visit);
    if (!label.startsWith('Verify ')) break;
    if (label.startsWith('Verify 9 h')) exceptions += 1;
    if (label.startsWith('Verify 9 h') && exceptions <= 4) {
      await (exceptions <= 2 ? declineFocused(visit, person) : adjust(visit, person, label));
    } else await person.key('v');
    await visit.page.waitForFunction((before) => {
      const now = document.activeElement;
      return now?.tagName === 'H2' || !['', before].includes(now?.getAttribute('aria-label') ?? '');
    }, label);
  }
  const effort = person.effort();
  printEffort('200 entries with 6 exceptions', effort);
  await visit.sees("No hours are waiting. You're all done.");
  expect(exceptions).toBe(6);
  expect(effort.seconds).toBeLessThan(60);
  expect(effort.clicks).toBeLessThanOrEqual(6);
  expect(effort.keys).toBeLessThan(70);
  expect(await counts()).toEqual({ verified: 198, declined: 2 });
  const heading = visit.page.getByRole('heading', { name: words.verification.deskTitle });
  expect(await heading.evaluate((found) => found === document.activeElement)).toBe(true);

  await person.key('u');
  await expect.poll(counts).not.toEqual({ verified: 198, declined: 2 });
});
