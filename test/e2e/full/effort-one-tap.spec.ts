import { beforeAll, describe, expect, test } from 'vitest';
import { addDays, day } from '#shared/calendar-date.ts';
import { anActivity, anEntry, aPerson, aSchool } from '../../builders.ts';
import { NOW, runningClock, TODAY } from '../../harness.ts';
import { type District, LOOKS, open, openDistrict } from '../browser.ts';
import { asPerson, printEffort } from '../count-interactions.ts';

/** The maximum number of taps for the usual hours and for others, counted from the opened page. */
const LIMITS = { usual: 1, other: 3 } as const;

let district: District;

beforeAll(async () => {
  district = await openDistrict({ TIME_ZONE: 'UTC' }, runningClock());
  district.clock.set(NOW);
});

describe.each(LOOKS)('logging on a $device in $scheme colors', (look) => {
  test('takes one tap for the usual hours and three for others, and Undo takes one', async () => {
    const school = await aSchool(district);
    const club = await anActivity(district, { school, name: 'Garden club' });
    const fair = await anActivity(district, { school, name: 'Book fair' });
    const volunteer = await aPerson(district, { schools: [school] });
    const lastWeek = addDays(day(TODAY), -7);
    for (const activity of [club, fair]) {
      await anEntry(district, { by: volunteer, activity, hours: 2.5, date: lastWeek });
    }
    const logged = async () => {
      const rows = await district.deps.database.db
        .selectFrom('time_entries')
        .select(['activity_id', 'hours_hundredths', 'entry_date'])
        .where('user_id', '=', volunteer.id)
        .where('deleted_at', 'is', null)
        .where('entry_date', '=', day(TODAY))
        .execute();
      return rows.map(({ activity_id, hours_hundredths }) => [activity_id, hours_hundredths]);
    };
    const visit = await open(district, {
      as: volunteer,
      look,
      before: (page) => page.clock.setSystemTime(NOW),
    });

    const usual = asPerson(visit);
    await usual.click(visit.button('Log 2.5 h for Garden club'));
    await visit.sees('2.5h logged for Garden club today!');
    printEffort(`usual hours on a ${look.device}`, usual.effort());
    expect(usual.effort().clicks).toBeLessThanOrEqual(LIMITS.usual);
    expect(usual.effort().keys).toBe(0);
    expect(await logged()).toEqual([[club.id, 250]]);
    await visit.sees('7.5 hours this school year');

    await visit.press(visit.button('Undo: 2.5 h for Garden club'));
    await visit.sees('Removed: 2.5 h for Garden club');
    expect(await logged()).toEqual([]);

    const other = asPerson(visit);
    await other.click(visit.button(/^Book fair/).first());
    await other.click(visit.page.getByRole('radio', { name: '1 h' }));
    await other.click(visit.button('Log 1 hour'));
    await visit.sees('1h logged for Book fair today!');
    printEffort(`other hours on a ${look.device}`, other.effort());
    expect(other.effort().clicks).toBeLessThanOrEqual(LIMITS.other);
    expect(await logged()).toEqual([[fair.id, 100]]);
  });
});
