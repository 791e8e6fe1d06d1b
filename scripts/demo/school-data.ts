import { addDays, type CalendarDate, daysBetween } from '#base/calendar-date.ts';
import { fold } from '#base/text.ts';
import type { Database } from '#server/db/connect.ts';
import {
  CATEGORY_IDEAS,
  type CategoryName,
  CLASSROOM_IDEAS,
  COLORS,
  DATED_IDEAS,
  NEAR_IDEAS,
  ONGOING_IDEAS,
  RETIRED_IDEAS,
  type Theme,
  YEARLY_IDEAS,
} from './activity-ideas.ts';
import { yearlyDate } from './calendar.ts';
import { insertRows, type NewRow } from './insert-rows.ts';
import { schoolNames } from './names.ts';
import { daysAgo, daytime, FOUNDED, type Plan } from './plan.ts';
import { apportion, at, type Random } from './random.ts';
import { inSpanish } from './spanish-names.ts';

/** An activity as the makers of entries know it. */
export type DemoActivity = Readonly<{
  id: number;
  schoolId: number;
  name: string;
  theme: Theme;
  isClassroom: boolean;
  isEvent: boolean;
  from: CalendarDate | null;
  until: CalendarDate | null;
  /** From this day on nobody does it any more. */
  retiredOn: CalendarDate | null;
  requiresDescription: boolean;
}>;

/** A school with its activities. */
export type DemoSchool = Readonly<{ id: number; name: string; activities: readonly DemoActivity[] }>;

type Draft = Pick<DemoActivity, 'name' | 'theme' | 'from' | 'until' | 'retiredOn'> & {
  category: CategoryName;
  description: string | null;
  prompt: string | null;
  madeOn: CalendarDate;
};

type Idea = { name: string; category: CategoryName; theme: Theme; description?: string; prompt?: string };

// Of a school's twenty activities: classroom, ongoing, yearly and near events, other dated ones, inactive.
const SHARES = [5, 4, 6, 2, 2, 1];
// Days from today on which schools hold what they hold in any season, school after school: today's come often.
const NEAR_OFFSETS = [0, 3, 0, 8, -1, -2, 16, -6, 0, 5, 1, 0];
const HORIZON_DAYS = 60;

/** Fills schools, categories and activities. */
export async function fillSchools(database: Database, plan: Plan): Promise<DemoSchool[]> {
  const schools = await insertSchools(database, plan);
  const categories = await insertCategories(database, plan, schools);
  const counts = apportion(
    plan.sizes.activities,
    schools.map(() => 1),
  );
  const drafts = schools.flatMap((school, index) =>
    draftActivities(plan, index, at(counts, index)).map((draft) => ({
      school,
      draft,
      categoryId: categories(school.id, draft.category),
    })),
  );
  const random = plan.random.fork('activities made');
  await insertRows(
    database,
    'activities',
    drafts.map(({ school, draft, categoryId }) => activityRow(plan, random, school.id, categoryId, draft)),
  );
  const rows = await database.db.selectFrom('activities').select(['id', 'school_id', 'name']).execute();
  const ids = new Map(rows.map((row) => [`${row.school_id} ${row.name}`, row.id]));
  const made = drafts.map(({ school, draft }) =>
    toActivity(school.id, draft, known(ids, `${school.id} ${draft.name}`)),
  );
  const bySchool = Map.groupBy(made, (activity) => activity.schoolId);
  return schools.map((school) => ({ ...school, activities: bySchool.get(school.id) ?? [] }));
}

/** Who signs the service letters of the first schools; the others have set nobody. */
const SIGNERS = ['Denise Walker', 'Roberto Salinas'];

async function insertSchools(database: Database, plan: Plan): Promise<{ id: number; name: string }[]> {
  const random = plan.random.fork('schools');
  const names = schoolNames(plan.sizes.schools);
  await insertRows(
    database,
    'schools',
    names.map((name, index) => ({
      name,
      name_key: fold(name),
      logo_url: null,
      created_at: daytime(plan, FOUNDED, random),
      letter_signer: SIGNERS[index] ?? null,
      letter_title: SIGNERS[index] === undefined ? null : 'Principal',
      letter_wording: null,
    })),
  );
  const rows = await database.db.selectFrom('schools').select(['id', 'name']).execute();
  const ids = new Map(rows.map((row) => [row.name, row.id]));
  return names.map((name) => ({ id: known(ids, name), name }));
}

async function insertCategories(database: Database, plan: Plan, schools: readonly { id: number }[]) {
  const random = plan.random.fork('categories');
  await insertRows(
    database,
    'categories',
    schools.flatMap((school, schoolIndex) =>
      CATEGORY_IDEAS.map((category, index) => ({
        school_id: school.id,
        name: category.name,
        name_key: fold(category.name),
        ...inSpanish(category.name),
        description: category.description,
        color: at(COLORS, (schoolIndex * 3 + index) % COLORS.length),
        kind: category.kind,
        created_at: daytime(plan, FOUNDED, random),
      })),
    ),
  );
  const rows = await database.db.selectFrom('categories').select(['id', 'school_id', 'name']).execute();
  const ids = new Map(rows.map((row) => [`${row.school_id} ${row.name}`, row.id]));
  return (schoolId: number, name: CategoryName) => known(ids, `${schoolId} ${name}`);
}

function draftActivities(plan: Plan, schoolIndex: number, count: number): Draft[] {
  const random = plan.random.fork(`activities of school ${schoolIndex}`);
  const [classroom = 0, ongoing = 0, yearly = 0, near = 0, dated = 0, retired = 0] = apportion(count, SHARES);
  const long = daysAgo(plan, plan.sizes.days + 200);
  const undated = { from: null, until: null, retiredOn: null, madeOn: long };
  return [
    ...choose(promptedFirst(random.shuffled(CLASSROOM_IDEAS)), classroom).map((idea) => draft(idea, undated)),
    ...choose(promptedFirst(random.shuffled(ONGOING_IDEAS)), ongoing).map((idea) => draft(idea, undated)),
    ...choose(random.shuffled(YEARLY_IDEAS), yearly).map((idea) => {
      const usual = yearlyDate(idea.on, idea.weekday, plan.today, HORIZON_DAYS);
      return draft(idea, span(plan, addDays(usual, random.pick([-7, 0, 0, 7])), idea.days));
    }),
    ...choose(rotated(NEAR_IDEAS, schoolIndex * 2), near).map((idea, slot) => {
      const offset = at(NEAR_OFFSETS, (schoolIndex * 2 + slot) % NEAR_OFFSETS.length);
      return draft(idea, span(plan, addDays(plan.today, offset), idea.days));
    }),
    ...choose(rotated(DATED_IDEAS, schoolIndex * 2), dated).map((idea) =>
      draft(idea, span(plan, addDays(plan.today, idea.from + random.between(-3, 3)), idea.days)),
    ),
    ...choose(rotated(RETIRED_IDEAS, schoolIndex), retired).map((idea) =>
      draft(idea, { ...undated, retiredOn: daysAgo(plan, random.between(60, 200)) }),
    ),
  ];
}

// Every school has an activity that requires notes, so that this form is easy to find.
function promptedFirst<T extends Idea>(ideas: readonly T[]): T[] {
  return ideas.toSorted((a, b) => Number(b.prompt !== undefined) - Number(a.prompt !== undefined));
}

function rotated<T>(list: readonly T[], by: number): T[] {
  return list.map((_, index) => at(list, (index + by) % list.length));
}

// A school with more activities than there are ideas has some of them for several groups.
function choose<T extends Idea>(ideas: readonly T[], count: number): T[] {
  return Array.from({ length: count }, (_, index) => {
    const idea = at(ideas, index % ideas.length);
    const group = Math.floor(index / ideas.length);
    return group === 0 ? idea : { ...idea, name: `${idea.name.slice(0, 105)}, group ${group + 1}` };
  });
}

function draft(idea: Idea, dates: Pick<Draft, 'from' | 'until' | 'retiredOn' | 'madeOn'>): Draft {
  const { name, category, theme, description = null, prompt = null } = idea;
  return { name, category, theme, description, prompt, ...dates };
}

function span(plan: Plan, from: CalendarDate, days: number) {
  const announced = addDays(from, -45);
  return {
    from,
    until: days === 1 ? null : addDays(from, days - 1),
    retiredOn: null,
    madeOn: announced < plan.today ? announced : daysAgo(plan, 3),
  };
}

function activityRow(
  plan: Plan,
  random: Random,
  schoolId: number,
  categoryId: number,
  draft: Draft,
): NewRow<'activities'> {
  return {
    school_id: schoolId,
    category_id: categoryId,
    name: draft.name,
    name_key: fold(draft.name),
    ...inSpanish(draft.name),
    description: draft.description,
    is_active: draft.retiredOn === null ? 1 : 0,
    active_from: draft.from,
    active_until: draft.until,
    requires_description: draft.prompt === null ? 0 : 1,
    description_prompt: draft.prompt,
    created_at: daytime(plan, draft.madeOn, random),
  };
}

function toActivity(schoolId: number, draft: Draft, id: number): DemoActivity {
  return {
    id,
    schoolId,
    name: draft.name,
    theme: draft.theme,
    isClassroom: draft.category === 'Classroom',
    isEvent: draft.category === 'Events',
    from: draft.from,
    until: draft.until,
    retiredOn: draft.retiredOn,
    requiresDescription: draft.prompt !== null,
  };
}

/** How much an activity draws people on a day, against one that goes on all year long: 0 is not at all. */
export function interestIn(activity: DemoActivity, date: CalendarDate, isWeekend: boolean): number {
  if (activity.retiredOn !== null && date >= activity.retiredOn) return 0;
  if (activity.from === null) return isWeekend ? (activity.isClassroom ? 0.02 : 0.4) : 1;
  const until = activity.until ?? activity.from;
  if (date >= activity.from && date <= until)
    return activity.isEvent ? 5 : daysBetween(activity.from, until) > 7 ? 1 : 4;
  const ahead = daysBetween(date, activity.from);
  if (ahead > 0) return ahead <= 21 ? 0.1 + 1.4 * (1 - ahead / 21) ** 2 * (activity.isEvent ? 1 : 0.2) : 0;
  return daysBetween(until, date) <= 5 ? 0.5 : 0;
}

/** A value that the map must contain, or the district was not filled as planned. */
export function known<K, V>(map: ReadonlyMap<K, V>, key: K): V {
  const value = map.get(key);
  if (value === undefined) throw new Error(`${String(key)} was not stored`);
  return value;
}
