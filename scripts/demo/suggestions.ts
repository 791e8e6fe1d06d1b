import { addDays } from '#base/calendar-date.ts';
import type { Database } from '#server/db/connect.ts';
import { insertRows, type NewRow } from './insert-rows.ts';
import type { DemoPeople, DemoVolunteer } from './people.ts';
import { daysAgo, daytime, type Plan } from './plan.ts';
import { at } from './random.ts';
import { SUGGESTIONS, type SuggestionIdea } from './suggestion-texts.ts';

const ONE_OF_EACH = 4;

/** Fills suggestions in every status. */
export async function fillSuggestions(database: Database, plan: Plan, people: DemoPeople): Promise<void> {
  const random = plan.random.fork('suggestions');
  const rows = await database.db.selectFrom('categories').select(['id', 'school_id', 'name']).execute();
  const categories = new Map(rows.map((row) => [`${row.school_id} ${row.name}`, row.id]));
  const made = SUGGESTIONS.map((idea, index): NewRow<'activity_suggestions'> => {
    const volunteer =
      index < ONE_OF_EACH ? people.visitor : suggesterOf(idea, random.shuffled(people.volunteers));
    const school =
      volunteer.schools.find((one) => one.activities.some(({ name }) => name === idea.name)) ??
      at(volunteer.schools, 0);
    const activity = school.activities.find(({ name }) => name === idea.name);
    const isPending = idea.status === 'pending';
    const madeOn = daysAgo(plan, idea.madeDaysAgo);
    const decidedOn = daysAgo(plan, Math.max(1, idea.madeDaysAgo - random.between(1, 9)));
    return {
      user_id: volunteer.id,
      school_id: school.id,
      category_id: categories.get(`${school.id} ${idea.category}`) ?? null,
      name: idea.name,
      description: idea.description,
      reason: idea.reason,
      is_year_long: idea.startsIn === null ? 1 : 0,
      active_from: idea.startsIn === null ? null : addDays(plan.today, idea.startsIn),
      active_until:
        idea.startsIn === null || idea.days === 1 ? null : addDays(plan.today, idea.startsIn + idea.days - 1),
      status: idea.status,
      admin_reason: idea.adminReason,
      approved_activity_id: idea.status === 'approved' ? (activity?.id ?? null) : null,
      decided_by: isPending ? null : random.pick(people.administratorIds),
      decided_at: isPending ? null : daytime(plan, decidedOn, random),
      created_at: daytime(plan, madeOn, random),
    };
  });
  // In the order in which they came in, since lists go by id.
  await insertRows(
    database,
    'activity_suggestions',
    made.toSorted((a, b) => (a.created_at < b.created_at ? -1 : 1)),
  );
}

// An approved idea comes from where its activity is.
function suggesterOf(idea: SuggestionIdea, volunteers: readonly DemoVolunteer[]): DemoVolunteer {
  const member = volunteers.find((volunteer) =>
    volunteer.schools.some((school) => school.activities.some(({ name }) => name === idea.name)),
  );
  return member ?? at(volunteers, 0);
}
