import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { dayIn } from '#shared/calendar-date.ts';
import { anActivity, anEntry, aPerson, aSchool } from '../../builders.ts';
import { type District, LOOKS, open, openDistrict, type Visit } from '../browser.ts';
import { words } from '../spoken-language.ts';

const { households: said } = words;

let district: District;
let visits: Visit[];
beforeEach(async () => {
  district ??= await openDistrict();
  visits = [];
});
afterEach(() => expect(visits.flatMap((visit) => visit.faults())).toEqual([]));

const card = ({ page }: Visit) => page.getByRole('region', { name: said.title });

describe.each(LOOKS)('the cards of Recent Activity, on a $device', (look) => {
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
