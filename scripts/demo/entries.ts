import { ENTRY_FIELDS } from '#features/time-entries/time-entry-fields.ts';
import type { Database } from '#server/db/database.ts';
import type { Row } from '#server/db/tables.ts';
import { addDays, type CalendarDate, weekdayOf } from '#shared/calendar-date.ts';
import { fromColumns } from '#shared/entity-fields.ts';
import { toHundredths } from '#shared/hours.ts';
import { activityLevelOf, daysBetweenInclusive } from './calendar.ts';
import { daysAgo, daytime, type Plan } from './district-size.ts';
import { insertRows, type NewRow } from './insert-rows.ts';
import { noteFor } from './notes.ts';
import { numbersOf, wordsOf } from './parse-lists.ts';
import type { DemoPeople, DemoVolunteer } from './people.ts';
import { apportion, at, type Random, type Weighted, weighted, zipf } from './random.ts';
import { type DemoActivity, type DemoSchool, interestIn } from './school-data.ts';

const WITH_NOTES = 0.28;
// Activities that require notes are picked less often.
const REQUIRES_NOTES = 0.2;
const DELETED = 0.006;
const MAX_PER_DAY = 3;
// With a plain Zipf distribution the first volunteer would log five entries a day. Shifted, a tenth of the volunteers still
// log two fifths of all hours.
const FLATTENED = 0.03;

// Hours and their weights.
const ORDINARY_HOURS = drawFrom(
  '0.25 3, 0.5 8, 0.75 5, 1 26, 1.25 5, 1.5 12, 1.75 3, 2 20, 2.25 2, 2.5 6, 2.75 1, 3 6, 3.5 2, 4 1',
);
const EVENT_DAY_HOURS = drawFrom(
  '0.5 2, 1 10, 1.5 10, 2 22, 2.5 9, 3 18, 3.5 6, 4 12, 4.5 3, 5 4, 6 3, 7.25 1, 8 2',
);
// Most people log their hours the same day, some two weeks later.
const LAG_DAYS = weighted([55, 18, 8, 5, 3, 2.5, 2, 2, 1.5, 1, 0.7, 0.5, 0.4, 0.4]);

type Entry = NewRow<'time_entries'>;

/** Fills the entries, day by day. */
export async function fillEntries(
  database: Database,
  plan: Plan,
  schools: readonly DemoSchool[],
  people: DemoPeople,
): Promise<void> {
  await insertRows(database, 'time_entries', allEntries(plan, schools, people));
}

function* allEntries(plan: Plan, schools: readonly DemoSchool[], people: DemoPeople): Generator<Entry> {
  const random = plan.random.fork('entries');
  const own = Map.groupBy(visitorEntries(plan, people.visitor), (entry) => entry.entry_date);
  const ownCount = [...own.values()].flat().length;
  const days = daysBetweenInclusive(plan.firstDay, plan.today);
  // The last day is not over yet.
  const weights = days.map(
    (date) => activityLevelOf(date) * (0.7 + 0.6 * random.next()) * (date === plan.today ? 0.5 : 1),
  );
  const counts = apportion(plan.sizes.entries - ownCount, weights);
  const drawVolunteer = weighted(
    zipf(people.volunteers.length, { shift: Math.round(FLATTENED * people.volunteers.length) }),
  );
  const pickers = new Map(schools.map((school) => [school, activityPicker(plan, school)]));
  for (const [index, date] of days.entries()) {
    yield* own.get(date) ?? [];
    const drawActivity = new Map(schools.map((school) => [school, pickers.get(school)?.(date)]));
    const today = new Map<DemoVolunteer, number>();
    for (let made = 0; made < at(counts, index); made++) {
      const volunteer = pickVolunteer(random, drawVolunteer, people.volunteers, date, today);
      const school = random.chance(0.7) ? at(volunteer.schools, 0) : random.pick(volunteer.schools);
      const activity = at(school.activities, drawActivity.get(school)?.(random) ?? 0);
      yield entryOf(plan, random, volunteer, activity, date);
    }
  }
}

// A volunteer who had joined, had not left and has not reached the day's maximum.
function pickVolunteer(
  random: Random,
  draw: Weighted,
  volunteers: readonly DemoVolunteer[],
  date: CalendarDate,
  today: Map<DemoVolunteer, number>,
): DemoVolunteer {
  for (;;) {
    const volunteer = at(volunteers, draw(random));
    if (date < volunteer.joined || date > volunteer.left) continue;
    const before = today.get(volunteer) ?? 0;
    // On a busy day of a small district all volunteers may have reached it.
    if (before >= MAX_PER_DAY && today.size < volunteers.length / 2) continue;
    today.set(volunteer, before + 1);
    return volunteer;
  }
}

// Some activities of a school are more popular, and events draw people around their date.
function activityPicker(plan: Plan, school: DemoSchool): (date: CalendarDate) => Weighted {
  const random = plan.random.fork(`popularity in ${school.name}`);
  const liked = random.shuffled(zipf(school.activities.length, { shift: 2 }));
  const popularity = school.activities.map(
    (activity, index) => at(liked, index) * (activity.prompt !== null ? REQUIRES_NOTES : 1),
  );
  return (date) => {
    const isWeekend = [0, 6].includes(weekdayOf(date));
    return weighted(
      school.activities.map(
        (activity, index) => at(popularity, index) * interestIn(activity, date, isWeekend),
      ),
    );
  };
}

function entryOf(
  plan: Plan,
  random: Random,
  volunteer: DemoVolunteer,
  activity: DemoActivity,
  date: CalendarDate,
): Entry {
  const isTheDay = activity.category === 'Events' && activity.from !== null && date >= activity.from;
  const hours = (isTheDay ? EVENT_DAY_HOURS : ORDINARY_HOURS)(random);
  const writtenOn = addDays(date, LAG_DAYS(random));
  const writtenAt = daytime(plan, writtenOn < plan.today ? writtenOn : plan.today, random);
  const hasNotes = random.chance(WITH_NOTES) || activity.prompt !== null;
  const notes = hasNotes ? noteFor(activity.theme, random) : null;
  const entry = { ...rowOf(volunteer, activity, date, hours), notes, created_at: writtenAt };
  return random.chance(DELETED) ? { ...entry, deleted_at: writtenAt, deleted_by: volunteer.id } : entry;
}

// Sets all columns, because all rows must have the same ones in the same order.
function rowOf(volunteer: DemoVolunteer, activity: DemoActivity, date: CalendarDate, hours: number) {
  return {
    user_id: volunteer.id,
    school_id: activity.schoolId,
    activity_id: activity.id,
    hours_hundredths: toHundredths(hours),
    entry_date: date,
    notes: null,
    created_at: null,
    deleted_at: null,
    deleted_by: null,
  };
}

/** The visitor's entries, of today and the days before, at both schools. */
function visitorEntries(plan: Plan, visitor: DemoVolunteer): Entry[] {
  const random = plan.random.fork('the visitor');
  const [here, there = here] = visitor.schools;
  if (here === undefined || there === undefined) return [];
  const named = (school: DemoSchool, wanted: string) => school.activities.find(({ name }) => name === wanted);
  const classroom = (school: DemoSchool) =>
    school.activities.find(({ category, prompt }) => category === 'Classroom' && prompt === null);
  const todays = here.activities.find(({ category, from }) => category === 'Events' && from === plan.today);
  const wanted: readonly [number, DemoActivity | undefined, number, string | null][] = [
    [0, todays, 2.5, 'Set-up from six on, then the serving line'],
    // Not logged today, so that its card offers to log the same again in one tap.
    [1, classroom(here), 1, null],
    [1, named(here, 'Other Classroom Help'), 1.5, 'Room 12, helped three kids with fractions'],
    [2, classroom(there), 0.75, null],
    [3, named(there, 'Translation and Interpreting'), 1.25, 'Conference for a 3rd grade family, Spanish'],
    [5, classroom(here), 1, 'Two new faces today. One shy, one not at all!'],
    [6, named(here, 'Other Classroom Help'), 2, 'Room 4, cut and sorted the fossils for the science unit'],
    [8, classroom(there), 1.75, null],
    [9, named(here, 'Translation and Interpreting'), 0.5, 'Field trip form'],
  ];
  return wanted.flatMap(([ago, activity, hours, notes]) => {
    if (activity === undefined) return [];
    const date = daysAgo(plan, ago);
    const written = { notes, created_at: daytime(plan, date, random) };
    return [{ ...rowOf(visitor, activity, date, hours), ...written }];
  });
}

function drawFrom(text: string): (random: Random) => number {
  const hours = wordsOf(text).map(numbersOf);
  const draw = weighted(hours.map(([, weight = 0]) => weight));
  return (random) => at(at(hours, draw(random)), 0);
}

const BATCH = 5_000;

/** Adds the audit events of the demo's entries, because `npm run doctor` reports entries that have none. */
export async function addAuditEvents(database: Database): Promise<void> {
  for (let last = 0, more = true; more; ) {
    const entries = await database.db
      .selectFrom('time_entries')
      .selectAll()
      .where('id', '>', last)
      .orderBy('id')
      .limit(BATCH)
      .execute();
    await insertRows(database, 'audit_events', entries.flatMap(auditEventsOf));
    last = entries.at(-1)?.id ?? last;
    more = entries.length === BATCH;
  }
}

function auditEventsOf(entry: Row<'time_entries'>): NewRow<'audit_events'>[] {
  const values = JSON.stringify(fromColumns(ENTRY_FIELDS, entry));
  const created = {
    at: entry.created_at,
    actor_id: entry.user_id,
    action: 'entry.log',
    subject: 'time-entry',
    subject_id: entry.id,
    school_id: entry.school_id,
    before: null,
    after: values,
    address: null,
    request_id: null,
  };
  if (entry.deleted_at === null) return [created];
  const deleted = { ...created, at: entry.deleted_at, action: 'entry.delete', before: values, after: null };
  return [created, deleted];
}
