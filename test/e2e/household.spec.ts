import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { dayIn } from '#shared/calendar-date.ts';
import { anActivity, anEntry, aPerson, aSchool } from '../builders.ts';
import { IS_FULL } from '../test-level.ts';
import { type District, LOOKS, looks, open, openDistrict, PHONE, type Visit } from './browser.ts';
import { misfits } from './check-screens.ts';
import { expectAccessible, inFull } from './expect-accessible.ts';
import { words } from './spoken-language.ts';

const { households: said } = words;

let district: District;

let visits: Visit[];

beforeEach(async () => {
  district ??= await openDistrict();
  visits = [];
});

afterEach(() => expect(visits.flatMap((visit) => visit.faults())).toEqual([]));

const card = ({ page }: Visit) => page.getByRole('region', { name: said.title });

describe.each(looks(PHONE))('a household, on a $device', (look) => {
  test('is started by one person, joined by another with the code, and left', async () => {
    const school = await aSchool(district);
    const activity = await anActivity(district, { school });
    const member = async (firstName: string, hours: number) => {
      const by = await aPerson(district, { schools: [school], firstName, lastName: 'Lee' });
      await anEntry(district, { by, activity, hours, date: dayIn('UTC', district.clock.now()) });
      return by;
    };
    const come = async (firstName: string, hours: number): Promise<Visit> => {
      const visit = await open(district, { look, as: await member(firstName, hours) });
      visits.push(visit);
      await visit.press(visit.page.getByRole('tab', { name: words.web.recentActivity }));
      await visit.press(visit.button(said.start));
      await visit.sees(said.consent);
      return visit;
    };

    const ann = await come('Ann', 1.5);
    await ann.press(ann.button(said.make));
    const code = await ann.page.getByLabel(said.yourCode).inputValue();
    await inFull(async () => {
      await expectAccessible(ann.page);
      expect(await misfits(ann)).toEqual([]);
    });
    await ann.page.reload();
    await ann.press(ann.page.getByRole('tab', { name: words.web.recentActivity }));
    expect(await ann.page.getByLabel(said.yourCode).inputValue()).toBe(code);

    const ben = await come('Ben', 2);
    const field = ben.page.getByLabel(said.codeField);
    ben.expectFailure('404 POST /api/profile/household/join');
    await field.fill('ABCD-EFGH');
    await ben.press(ben.button(said.join));
    await ben.page.getByText(said.codeWrong).first().waitFor();
    expect(await field.inputValue()).toBe('ABCD-EFGH');
    await field.fill(code.toLowerCase());
    await ben.press(ben.button(said.join));
    await card(ben).getByText('Ben Lee (you)').waitFor();
    expect((await card(ben).getByRole('listitem').allInnerTexts()).map((row) => row.split('\n'))).toEqual([
      ['Ann Lee', '1.5 h'],
      ['Ben Lee (you)', '2 h'],
    ]);
    await card(ben).getByText('3.5 h').waitFor();

    await ben.press(ben.button(said.leave));
    await ben.page.getByRole('dialog').waitFor();
    await ben.page.keyboard.press('Escape');
    await card(ben).getByText('3.5 h').waitFor();
    await ben.press(ben.button(said.leave));
    await ben.press(ben.page.getByRole('dialog').getByRole('button', { name: said.leave }));
    await card(ben).getByText(said.about).waitFor();
    await ann.page.reload();
    await ann.press(ann.page.getByRole('tab', { name: words.web.recentActivity }));
    await card(ann).getByText('Ann Lee (you)').waitFor();
    expect(await card(ann).getByText('Ben Lee').count()).toBe(0);
  });
});

describe.runIf(IS_FULL).each(LOOKS)('the cards of Recent Activity, on a $device', (look) => {
  test('are below the entries on a phone and beside them on a desktop', async () => {
    const school = await aSchool(district);
    const by = await aPerson(district, { schools: [school], firstName: 'Ann' });
    const activity = await anActivity(district, { school });
    await anEntry(district, { by, activity, date: dayIn('UTC', district.clock.now()) });
    const visit = await open(district, { look, as: by });
    visits.push(visit);
    await visit.press(visit.page.getByRole('tab', { name: words.web.recentActivity }));
    const boxOf = (name: string) => visit.page.getByRole('region', { name }).boundingBox();
    await card(visit).waitFor();
    const goal = await boxOf(words.goals.goalTitle);
    const entry = await visit.button(/^Edit /).boundingBox();
    const household = await boxOf(said.title);
    if (goal === null || entry === null || household === null) throw new Error('something is not shown');
    expect(goal.y > entry.y).toBe(look.device === 'phone');
    expect(household.y).toBeGreaterThan(goal.y + goal.height);
    expect(household.width).toBe(goal.width);
  });
});
