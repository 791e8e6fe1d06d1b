import type { Page } from 'playwright-core';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { day } from '#shared/calendar-date.ts';
import { aCategory, anActivity, anEntry, aPerson, aSchool, NONE_VERIFIED, PASSWORD } from '../../builders.ts';
import { NOW, runningClock, TODAY } from '../../harness.ts';
import {
  type District,
  open,
  openDistrict,
  PHONE,
  pickActivity,
  type Visit,
  type VisitOptions,
} from '../browser.ts';
import { words } from '../spoken-language.ts';

let district: District;
let school: Awaited<ReturnType<typeof aSchool>>;
let volunteer: Awaited<ReturnType<typeof aPerson>>;

// Sets the browser's time, such as to a school day at noon.
const fixTime = (at: string) => (page: Page) => page.clock.setFixedTime(at);

beforeAll(async () => {
  district = await openDistrict({ TIME_ZONE: 'America/Chicago' }, runningClock());
  district.clock.set(NOW);
});

beforeEach(async () => {
  school = await aSchool(district);
  volunteer = await aPerson(district, { schools: [school] });
});

function visitAs(person: { token: string }, options: VisitOptions = {}): Promise<Visit> {
  return open(district, { as: person, before: fixTime(NOW), ...options });
}

const dated = (activeFrom: string, activeUntil?: string) => ({
  activeFrom: day(activeFrom),
  ...(activeUntil === undefined ? {} : { activeUntil: day(activeUntil) }),
});

const toggle = (visit: Visit, group: string) =>
  visit.page.getByRole('button', { name: new RegExp(`^${group}`) });

/** Returns the rows of an open group, each as its visible texts. */
async function rowsOf(visit: Visit, group: string): Promise<string[][]> {
  const id = await toggle(visit, group).getAttribute('aria-controls');
  const rows = visit.page.locator(`[id="${id}"] li button`);
  await rows.first().waitFor();
  return rows.evaluateAll((buttons) =>
    buttons.map((button) =>
      [...button.querySelectorAll('span')]
        .filter((span) => span.childElementCount === 0 && span.textContent !== '')
        .map((span) => span.textContent),
    ),
  );
}

test('on a phone with reduced motion, the focused search jumps to the top', async () => {
  const visit = await visitAs(volunteer, { look: PHONE });
  const search = visit.page.getByRole('searchbox');
  for (const name of Array.from({ length: 20 }, (_, at) => `Station ${at}`)) {
    await anActivity(district, { school, name, ...dated(TODAY) });
  }
  await visit.page.reload();
  await search.waitFor();
  // A tap on a result that is still moving would be lost.
  const top = await search.evaluate((box: HTMLElement) => {
    box.focus();
    return box.getBoundingClientRect().top;
  });
  expect(top).toBeLessThan(60);
});

describe('the list of activities', () => {
  async function aFullSchool() {
    const events = await aCategory(district, { school, name: 'Events', kind: 'event' });
    const classroom = await aCategory(district, { school, name: 'Classroom', kind: 'classroom' });
    const athletics = await aCategory(district, { school, name: 'Athletics', kind: 'other' });
    const trips = await aCategory(district, { school, name: 'Trips', kind: 'other' });
    const make = (
      category: { id: number },
      name: string,
      dates: { activeFrom?: ReturnType<typeof day>; activeUntil?: ReturnType<typeof day> } = {},
      isActive = true,
    ) => anActivity(district, { school, category, name, isActive, ...dates });
    await make(events, 'Carnival', dated('2026-03-20'));
    await make(events, 'Fall festival', dated('2025-10-01', '2025-10-02'));
    await make(events, 'Book fair', dated(TODAY));
    await make(events, 'Winter concert', dated('2025-12-12'));
    await make(events, 'Art night', dated(TODAY));
    await make(events, 'Spelling bee', dated('2026-03-10'));
    await make(events, 'Gala', dated('2025-09-01'), false);
    await make(events, 'Planning committee');
    await make(classroom, 'Reading buddies', dated('2025-09-01'));
    await make(classroom, 'Art docent');
    await make(athletics, 'garden club');
    await make(trips, 'Aquarium', dated('2026-02-01'));
    await make(athletics, 'Track meet', dated('2026-02-01'));
    await make(athletics, 'Swim meet', dated('2026-02-20'));
  }

  test('shows the Events group open, in the order today, upcoming, past', async () => {
    await aFullSchool();
    const visit = await visitAs(volunteer);
    await toggle(visit, 'Events').waitFor();
    expect(await toggle(visit, 'Events').innerText()).toMatch(/^Events\s+Includes planning time\s+7$/);
    expect(await rowsOf(visit, 'Events')).toEqual([
      ['Art night', 'Mar 4', 'Today'],
      ['Book fair', 'Mar 4', 'Today'],
      ['Spelling bee', 'Unavailable', 'Starts Mar 10', '· Event:', 'Upcoming'],
      ['Carnival', 'Unavailable', 'Starts Mar 20', '· Event:', 'Upcoming'],
      ['Winter concert', 'Dec 12', 'Past'],
      ['Fall festival', 'Unavailable', 'Ended Oct 2', '· Event:', 'Past'],
      ['Gala', 'Unavailable', 'Closed', '· Event:', 'Past'],
    ]);
  });

  test('collapses the other groups: year-round sorted by name, the rest by date, category and name', async () => {
    await aFullSchool();
    const visit = await visitAs(volunteer, { look: PHONE });
    await toggle(visit, 'Events').waitFor();
    expect(await toggle(visit, 'Year-Round').getAttribute('aria-expanded')).toBe('false');
    expect(await toggle(visit, 'Other').getAttribute('aria-expanded')).toBe('false');
    expect(await visit.page.getByRole('button', { name: /^Reading buddies/ }).count()).toBe(0);

    await visit.press(toggle(visit, 'Year-Round Activities 4'));
    expect(await rowsOf(visit, 'Year-Round')).toEqual([
      ['Art docent', 'Classroom'],
      ['garden club', 'Athletics', 'Ongoing'],
      ['Planning committee', 'Events', 'Ongoing'],
      ['Reading buddies', 'Classroom', 'Sep 1'],
    ]);
    await visit.press(toggle(visit, 'Other Activities 3'));
    expect(await rowsOf(visit, 'Other')).toEqual([
      ['Swim meet', 'Athletics', 'Feb 20'],
      ['Track meet', 'Athletics', 'Feb 1'],
      ['Aquarium', 'Trips', 'Feb 1'],
    ]);
    await visit.press(toggle(visit, 'Events'));
    expect(await visit.page.getByRole('button', { name: /^Carnival/ }).count()).toBe(0);
  });

  test('disables inactive activities only, whatever their dates', async () => {
    await aFullSchool();
    const visit = await visitAs(volunteer);
    const gala = visit.page.getByRole('button', { name: /^Gala/ });
    expect(await gala.getAttribute('aria-disabled')).toBe('true');
    await gala.click({ force: true });
    await visit.sees(words.activities.heading);
    await pickActivity(visit, 'Carnival');
    await visit.page.getByRole('heading', { name: 'Carnival' }).waitFor();
    await visit.press(visit.page.getByRole('radio', { name: '1 h' }));
    await visit.press(visit.button('Log 1 hour'));
    await visit.sees('1h logged for Carnival today!');
  });

  test('finds activities by name and category in all groups, ignoring accents and case', async () => {
    await aFullSchool();
    const visit = await visitAs(volunteer, { look: PHONE });
    const search = visit.page.getByRole('searchbox', { name: words.activities.search });
    await visit.sees(words.activities.heading);
    await search.fill('ÁRT');
    await visit.sees('2 activities found');
    expect(await rowsOf(visit, 'Events')).toEqual([['Art night', 'Mar 4', 'Today']]);
    expect(await rowsOf(visit, 'Year-Round')).toEqual([['Art docent', 'Classroom']]);
    expect(await toggle(visit, 'Other').count()).toBe(0);
    await search.fill('athletics meet');
    await visit.sees('2 activities found');
    await search.fill('no such thing');
    await visit.sees(words.activities.noneFound);
    await visit.press(visit.button(words.web.clearSearch));
    await visit.misses(words.activities.noneFound);
    expect(await search.inputValue()).toBe('');
  });

  test('keeps the search after Cancel', async () => {
    await aFullSchool();
    const visit = await visitAs(volunteer);
    await visit.press(toggle(visit, 'Other'));
    await visit.page.getByRole('searchbox').fill('meet');
    await visit.sees('2 activities found');
    await pickActivity(visit, 'Track meet');
    await visit.press(visit.button(words.activities.cancel));
    await visit.sees('2 activities found');
    expect(await visit.page.getByRole('searchbox').inputValue()).toBe('meet');
  });

  test('names the contact if a school has no activities', async () => {
    const visit = await visitAs(volunteer);
    await visit.sees('This school has no activities yet. Please contact help@maplegrove.example.');
  });

  test("uses the UTC day for 'Today' and the district's day for 'Unavailable' and for logging", async () => {
    const evening = '2026-03-05T03:00:00.000Z';
    const own = await openDistrict({ TIME_ZONE: 'America/Chicago' }, runningClock());
    own.clock.set(evening);
    const place = await aSchool(own);
    const events = await aCategory(own, { school: place, name: 'Events', kind: 'event' });
    await anActivity(own, { school: place, category: events, name: 'Pancakes', ...dated('2026-03-05') });
    const person = await aPerson(own, { schools: [place] });
    const visit = await open(own, { as: person, before: fixTime(evening) });
    await toggle(visit, 'Events').waitFor();
    expect(await rowsOf(visit, 'Events')).toEqual([
      ['Pancakes', 'Unavailable', 'Starts Mar 5', '· Event:', 'Today'],
    ]);
    await pickActivity(visit, 'Pancakes');
    await visit.press(visit.page.getByRole('radio', { name: '2 h' }));
    await visit.press(visit.button('Log 2 hours'));
    await visit.sees('2h logged for Pancakes today!');
    const rows = await own.deps.database.db.selectFrom('time_entries').select('entry_date').execute();
    expect(rows).toEqual([{ entry_date: '2026-03-04' }]);
  });
});

describe('recently selected activities', () => {
  test("are the user's last eight on this device, also after signing out", async () => {
    const names = ['Ant', 'Bee', 'Cat', 'Dog', 'Elk', 'Fox', 'Gnu', 'Hen', 'Ibis'];
    const other = await aPerson(district, { schools: [school] });
    const ids: number[] = [];
    for (const name of names) {
      ids.unshift((await anActivity(district, { school, name: `${name} club` })).id);
    }
    const before = JSON.stringify(ids.slice(1));
    const visit = await visitAs(volunteer, { stored: { [`recentActivities:${volunteer.id}`]: before } });
    await toggle(visit, 'Year-Round Activities 9').waitFor();
    for (const name of ['Ibis', 'Cat']) {
      await pickActivity(visit, `${name} club`);
      await visit.press(visit.button(words.activities.cancel));
    }
    const recent = () =>
      visit.page
        .getByRole('heading', { name: words.activities.recentlySelected })
        .locator('xpath=following-sibling::ul')
        .getByRole('button')
        .allInnerTexts();
    const eight = ['Cat', 'Ibis', 'Hen', 'Gnu', 'Fox', 'Elk', 'Dog', 'Bee'].map((name) => `${name} club`);
    expect(await recent()).toEqual(eight);

    await signOutAndIn(visit, other);
    expect(await visit.page.getByRole('heading', { name: words.activities.recentlySelected }).count()).toBe(
      0,
    );
    await signOutAndIn(visit, volunteer);
    expect(await recent()).toEqual(eight);
  });
});

async function signOutAndIn(visit: Visit, person: { email: string }) {
  await visit.press(visit.button(words.auth.logout));
  await visit.page.getByLabel(words.users.email).fill(person.email);
  await visit.page.getByLabel(words.users.password, { exact: true }).fill(PASSWORD);
  await visit.press(visit.button(words.auth.signIn));
  await toggle(visit, 'Year-Round').waitFor();
}

describe('the hours field', () => {
  test('steps by 0.25 between 0.25 and 24', async () => {
    await anActivity(district, { school, name: 'Garden club' });
    const visit = await visitAs(volunteer, { look: PHONE });
    await toggle(visit, 'Year-Round').waitFor();
    await pickActivity(visit, 'Garden club');
    await visit.press(visit.page.getByRole('radio', { name: words['time-entries'].other, exact: true }));
    const hours = visit.page.getByLabel(words['time-entries'].hoursField, { exact: true });
    const [less, more] = [visit.button(words.web.less), visit.button(words.web.more)];
    const stepped = async (from: string, button: typeof less) => {
      await hours.fill(from);
      await visit.press(button);
      return hours.inputValue();
    };
    expect(await stepped('', more)).toBe('0.25');
    expect(await less.isDisabled()).toBe(true);
    expect(await stepped('1', more)).toBe('1.25');
    expect(await stepped('1', less)).toBe('0.75');
    expect(await stepped('1.3', more)).toBe('1.5');
    expect(await stepped('1.3', less)).toBe('1.25');
    expect(await stepped('23.75', more)).toBe('24');
    expect(await more.isDisabled()).toBe(true);
    await visit.button('Log 24 hours').waitFor();
  });
});

describe('Recent Activity', () => {
  const openRecent = (visit: Visit) =>
    visit.press(visit.page.getByRole('tab', { name: words['time-entries'].recentActivity }));
  const rows = (visit: Visit) => visit.page.getByRole('button', { name: /^Edit / }).count();

  test('is empty at first and links to the form', async () => {
    await anActivity(district, { school, name: 'Garden club' });
    const visit = await visitAs(volunteer, { look: PHONE });
    await openRecent(visit);
    await visit.sees(words['time-entries'].noneYet);
    await visit.press(visit.button(words['time-entries'].logFirst));
    await visit.page.getByRole('heading', { name: words.activities.heading }).waitFor();
  });

  test("shows each day's total, and twenty entries at a time", async () => {
    const club = await anActivity(district, { school, name: 'Garden club' });
    for (let count = 0; count < 23; count += 1) {
      const date = count < 3 ? TODAY : count < 5 ? '2026-03-03' : '2025-11-14';
      await anEntry(district, { by: volunteer, activity: club, hours: 0.35, date });
    }
    const visit = await visitAs(volunteer);
    await openRecent(visit);
    await visit.sees(`Today · 1.05 h${NONE_VERIFIED}`);
    await visit.sees(`Yesterday · 0.7 h${NONE_VERIFIED}`);
    expect(await rows(visit)).toBe(20);
    await visit.press(visit.button(words['time-entries'].showMore));
    await expect.poll(() => rows(visit)).toBe(23);
    await visit.sees(`Nov 14, 2025 · 6.3 h${NONE_VERIFIED}`);
    await visit.button(words['time-entries'].showMore).waitFor({ state: 'hidden' });
  });

  test('prints only a table with school, person, total and a signature line', async () => {
    const club = await anActivity(district, { school, name: 'Garden club' });
    await anEntry(district, { by: volunteer, activity: club, hours: 1.25, date: TODAY });
    const visit = await visitAs(volunteer);
    await openRecent(visit);
    await visit.sees(`Today · 1.25 h${NONE_VERIFIED}`);
    await visit.page.emulateMedia({ media: 'print' });
    await visit.page.evaluate(() => window.dispatchEvent(new Event('beforeprint')));
    await visit.page.getByRole('table').waitFor();
    for (const words of [school.name, `Pat ${volunteer.lastName}`, 'Total', 'Signature']) {
      await visit.page.getByText(words).filter({ visible: true }).first().waitFor();
    }
    expect((await visit.page.getByRole('row').last().innerText()).split(/\s+/)).toEqual(['Total', '1.25']);
    expect(await visit.page.getByRole('button').filter({ visible: true }).count()).toBe(0);
    expect(await visit.page.getByRole('tab').filter({ visible: true }).count()).toBe(0);
  });
});

test('hours and days fit their buttons without wrapping, down to 320 px', async () => {
  const robots = await anActivity(district, { school, name: 'Robotics' });
  await anEntry(district, { by: volunteer, activity: robots, hours: 12.75, date: '2026-02-20' });
  const visit = await visitAs(volunteer, { look: PHONE });
  await pickActivity(visit, 'Robotics');
  await visit.page.getByRole('radio', { name: '12.75 h' }).waitFor();
  for (const width of [390, 320]) {
    await visit.page.setViewportSize({ width, height: 844 });
    const broken = await visit.page.getByRole('radio').evaluateAll((inputs) =>
      inputs.flatMap((input) => {
        const box = (input.parentElement ?? input).getBoundingClientRect();
        const range = document.createRange();
        range.selectNodeContents(input.parentElement ?? input);
        const words = [...range.getClientRects()].filter(({ width }) => width > 0);
        const isOut = words.some(({ left, right }) => left < box.left || right > box.right);
        const name = input.parentElement?.textContent ?? '';
        const isHours = /\d h/.test(name) && box.height > 60;
        return isOut || isHours ? [name] : [];
      }),
    );
    expect(broken, `${width} px`).toEqual([]);
  }
});

test('in the header, the first name is visible even if the school next to it is truncated', async () => {
  const schools = [school, await aSchool(district, { name: 'Cedar Creek Elementary School' })];
  const marisol = await aPerson(district, { schools, firstName: 'Marisol' });
  const visit = await visitAs(marisol, { look: PHONE });
  const header = visit.page.getByRole('banner');
  await header.getByRole('combobox').selectOption({ label: 'Cedar Creek Elementary School' });
  await visit.page.setViewportSize({ width: 320, height: 844 });
  const boxes = [header.getByRole('combobox'), header.getByText('Marisol', { exact: true })];
  const [left, right] = await Promise.all(boxes.map((one) => one.boundingBox()));
  if (left == null || right == null) throw new Error('something is not shown');
  expect(right.y).toBeLessThan(left.y + left.height / 2);
  expect(right.x).toBeGreaterThan(left.x + left.width - 1);
  expect(left.width).toBeGreaterThan(80);
});
