import type { Database } from '#server/db/database.ts';
import { addDays } from '#shared/calendar-date.ts';
import { daysAgo, daytime, type Plan } from './district-size.ts';
import { insertRows, type NewRow } from './insert-rows.ts';
import { numbersOf, required, rowsOf } from './parse-lists.ts';
import type { DemoPeople, DemoVolunteer } from './people.ts';
import { at } from './random.ts';
import type { DemoSchool } from './school-data.ts';

type Status = NewRow<'activity_suggestions'>['status'];

/** Suggestions and their outcomes. Without "from today, days" they are for the whole year. */
const IDEAS = rowsOf(
  ['status', 'daysAgo', 'fromToday', 'category', 'name', 'description', 'reason', 'adminReason'],
  `
  pending | 4 | 24 1 | Events | Bike Repair Saturday | Free tune-ups before spring | Many kids ride with bad brakes.
  approved | 60 | | Library & Media | Translation and Interpreting | | We do this already and cannot log it.
  rejected | 33 | | | Driving siblings to day care | | | Very kind, but the district may not count private rides. Please talk to the front office.
  deleted | 90 | | Classroom | Reading Budies | | | A typing slip: Reading Buddies is there already.
  pending | 2 | | Classroom | Robotics Club Coach | Two afternoons a week with the older students | Six families asked.
  pending | 6 | 38 1 | Events | Astronomy Night | Telescopes on the football field
  pending | 11 | | Arts & Música | Knitting Circle | Hats for the winter drive | Grandparents would join.
  pending | 1 | 52 1 | Events | Spelling Bee | | We had one until 2019.
  pending | 15 | | Garden & Grounds | Recycling Team | Empty the blue bins every Friday
  pending | 8 | 9 45 | Athletics | Swim Meet Timers | Home meets only | The league requires two timers per lane.
  approved | 140 | | Arts & Música | Costume Closet | Mending and lending
  approved | 120 | | Library & Media | Book Repair | Glue, tape, patience | Three shelves are waiting.
  approved | 210 | | Garden & Grounds | School Garden | | The beds are overgrown.
  rejected | 48 | | Fundraising | Weekly Bake Sale | Every Friday after school | For the playground fund | The wellness policy allows four a year.
  rejected | 20 | 30 1 | Events | Pony Rides | My cousin has two ponies | Everybody loves ponies. | Sorry, our insurance says no.
  rejected | 70 | -12 1 | Field Trips | Marching Band Chaperones
  deleted | 100 | | | test | | | Looks like a test.
  deleted | 26 | 80 1 | Events | Fireworks Committee | For the end of the year | | Sent twice; the city decides about fireworks.`,
).map((row) => ({ ...row, status: required<Status>(row.status), name: required(row.name) }));
/** The first four, one of each status, are the printed volunteer's. */
const ONE_OF_EACH = 4;

/** Fills suggestions in every status. */
export async function fillSuggestions(database: Database, plan: Plan, people: DemoPeople): Promise<void> {
  const random = plan.random.fork('suggestions');
  const rows = await database.db.selectFrom('categories').select(['id', 'school_id', 'name']).execute();
  const categories = new Map(rows.map((row) => [`${row.school_id} ${row.name}`, row.id]));
  const made = IDEAS.map((idea, index): NewRow<'activity_suggestions'> => {
    const { name, description, reason, status, adminReason } = idea;
    const has = (school: DemoSchool) => school.activities.find((one) => one.name === name);
    const volunteer =
      index < ONE_OF_EACH ? people.visitor : pickSuggester(random.shuffled(people.volunteers), has);
    const school = volunteer.schools.find(has) ?? at(volunteer.schools, 0);
    const ago = Number(idea.daysAgo);
    const decidedOn = daysAgo(plan, Math.max(1, ago - random.between(1, 9)));
    const [from, days = 0] = numbersOf(idea.fromToday);
    const first = from === undefined ? null : addDays(plan.today, from);
    const isPending = status === 'pending';
    return {
      user_id: volunteer.id,
      school_id: school.id,
      category_id: categories.get(`${school.id} ${idea.category}`) ?? null,
      name,
      description,
      reason,
      is_year_long: first === null ? 1 : 0,
      active_from: first,
      active_until: first === null || days === 1 ? null : addDays(first, days - 1),
      status,
      admin_reason: adminReason,
      approved_activity_id: status === 'approved' ? (has(school)?.id ?? null) : null,
      decided_by: isPending ? null : random.pick(people.administratorIds),
      decided_at: isPending ? null : daytime(plan, decidedOn, random),
      created_at: daytime(plan, daysAgo(plan, ago), random),
    };
  });
  // In chronological order, because lists are sorted by id.
  const inOrder = made.toSorted((a, b) => (a.created_at < b.created_at ? -1 : 1));
  await insertRows(database, 'activity_suggestions', inOrder);
}

// The suggester of an approved one belongs to the school of its activity.
function pickSuggester(
  volunteers: readonly DemoVolunteer[],
  has: (school: DemoSchool) => unknown,
): DemoVolunteer {
  return volunteers.find(({ schools }) => schools.some(has)) ?? at(volunteers, 0);
}
