import type { Database } from '#server/db/database.ts';
import { addDays, type CalendarDate, daysBetween } from '#shared/calendar-date.ts';
import { foldForSearch } from '#shared/text-normalization.ts';
import { CATEGORY_IDEAS, COLORS, IDEAS, type Idea } from './activity-list.ts';
import { yearlyDate } from './calendar.ts';
import { daysAgo, daytime, FOUNDED, type Plan } from './district-size.ts';
import { insertNumbered } from './insert-rows.ts';
import { schoolNames } from './names.ts';
import { numbersOf } from './parse-lists.ts';
import { apportion, at } from './random.ts';

/** What making entries needs of an activity. */
export type DemoActivity = Draft & Readonly<{ id: number; schoolId: number }>;

/** A school with its activities. */
export type DemoSchool = Readonly<{ id: number; name: string; activities: readonly DemoActivity[] }>;

type Draft = Idea &
  Readonly<{
    from: CalendarDate | null;
    until: CalendarDate | null;
    /** From this day on it has no entries. */
    retiredOn: CalendarDate | null;
    madeOn: CalendarDate;
  }>;

// How many of a school's twenty activities are of each kind.
const SHARES = { classroom: 5, ongoing: 4, yearly: 6, near: 2, dated: 2, retired: 1 } as const;
// Days from today of activities that fit any season, school by school. Many are today.
const NEAR_OFFSETS = [0, 3, 0, 8, -1, -2, 16, -6, 0, 5, 1, 0];
const HORIZON_DAYS = 60;
/** The signers of the first schools' service letters; the other schools have none. */
const SIGNERS = ['Denise Walker', 'Roberto Salinas'];

/** Fills schools, categories and activities. */
export async function fillSchools(database: Database, plan: Plan): Promise<DemoSchool[]> {
  const names = schoolNames(plan.sizes.schools);
  const schoolIds = await insertSchools(database, plan, names);
  const categories = await insertCategories(database, plan, schoolIds);
  const counts = apportion(
    plan.sizes.activities,
    names.map(() => 1),
  );
  const drafts = schoolIds.flatMap((schoolId, index) =>
    draftActivities(plan, index, at(counts, index)).map((draft) => ({ ...draft, schoolId })),
  );
  const random = plan.random.fork('activities made');
  const ids = await insertNumbered(
    database,
    'activities',
    drafts.map((draft) => ({
      school_id: draft.schoolId,
      category_id: categories(draft.schoolId, draft.category),
      name: draft.name,
      name_key: foldForSearch(draft.name),
      ...translationOf(draft),
      description: draft.description,
      is_active: draft.retiredOn === null ? 1 : 0,
      active_from: draft.from,
      active_until: draft.until,
      requires_description: draft.prompt === null ? 0 : 1,
      description_prompt: draft.prompt,
      created_at: daytime(plan, draft.madeOn, random),
    })),
  );
  const activities = Map.groupBy(
    drafts.map((draft, index) => ({ ...draft, id: at(ids, index) })),
    ({ schoolId }) => schoolId,
  );
  return schoolIds.map((id, index) => ({ id, name: at(names, index), activities: activities.get(id) ?? [] }));
}

function insertSchools(database: Database, plan: Plan, names: readonly string[]): Promise<number[]> {
  const random = plan.random.fork('schools');
  return insertNumbered(
    database,
    'schools',
    names.map((name, index) => ({
      name,
      name_key: foldForSearch(name),
      logo_url: null,
      created_at: daytime(plan, FOUNDED, random),
      letter_signer: SIGNERS[index] ?? null,
      letter_title: SIGNERS[index] === undefined ? null : 'Principal',
      letter_wording: null,
    })),
  );
}

async function insertCategories(database: Database, plan: Plan, schoolIds: readonly number[]) {
  const random = plan.random.fork('categories');
  const rows = schoolIds.flatMap((school_id, school) =>
    CATEGORY_IDEAS.map((category, index) => ({
      school_id,
      name: category.name,
      name_key: foldForSearch(category.name),
      ...translationOf(category),
      description: category.description,
      color: at(COLORS, (school * 3 + index) % COLORS.length),
      kind: category.kind,
      created_at: daytime(plan, FOUNDED, random),
    })),
  );
  const ids = await insertNumbered(database, 'categories', rows);
  const idsByName = new Map(
    rows.map(({ school_id, name }, index) => [`${school_id} ${name}`, at(ids, index)]),
  );
  return (schoolId: number, name: string) => idsByName.get(`${schoolId} ${name}`) ?? Number.NaN;
}

function translationOf({ spanish }: { spanish: string | null }) {
  return {
    translations: spanish === null ? null : JSON.stringify({ es: { name: spanish } }),
    translated_key: spanish === null ? '' : foldForSearch(spanish),
  };
}

function draftActivities(plan: Plan, school: number, count: number): Draft[] {
  const random = plan.random.fork(`activities of school ${school}`);
  const counts = apportion(count, Object.values(SHARES));
  const pick = (kind: keyof typeof SHARES, order: (ideas: readonly Idea[]) => Idea[]): Idea[] =>
    takeIdeas(order(IDEAS[kind] ?? []), at(counts, Object.keys(SHARES).indexOf(kind)));
  const rotated = (by: number) => (ideas: readonly Idea[]) =>
    ideas.map((_, index) => at(ideas, (index + by) % ideas.length));
  const promptedFirst = (ideas: readonly Idea[]) =>
    random.shuffled(ideas).sort((a, b) => Number(b.prompt !== null) - Number(a.prompt !== null));
  const longAgo = daysAgo(plan, plan.sizes.days + 200);
  const undated = { from: null, until: null, retiredOn: null, madeOn: longAgo };
  return [
    // Every school has an activity that requires notes, so that its form is easy to find.
    ...pick('classroom', promptedFirst).map((idea) => ({ ...idea, ...undated })),
    ...pick('ongoing', promptedFirst).map((idea) => ({ ...idea, ...undated })),
    ...pick('yearly', random.shuffled).map((idea) => {
      const [on = '', weekday, days] = idea.when.split(' ');
      const usual = yearlyDate(on, Number(weekday), plan.today, HORIZON_DAYS);
      return { ...idea, ...span(plan, addDays(usual, random.pick([-7, 0, 0, 7])), Number(days)) };
    }),
    ...pick('near', rotated(school * 2)).map((idea, slot) => {
      const offset = at(NEAR_OFFSETS, (school * 2 + slot) % NEAR_OFFSETS.length);
      return { ...idea, ...span(plan, addDays(plan.today, offset), Number(idea.when)) };
    }),
    ...pick('dated', rotated(school * 2)).map((idea) => {
      const [from = 0, days = 1] = numbersOf(idea.when);
      return { ...idea, ...span(plan, addDays(plan.today, from + random.between(-3, 3)), days) };
    }),
    ...pick('retired', rotated(school)).map((idea) => {
      const retiredOn = daysAgo(plan, random.between(60, 200));
      return { ...idea, ...undated, retiredOn };
    }),
  ];
}

// A school with more activities than there are ideas has some of them for more than one group.
function takeIdeas(ideas: readonly Idea[], count: number): Idea[] {
  return Array.from({ length: count }, (_, index) => {
    const idea = at(ideas, index % ideas.length);
    const group = Math.floor(index / ideas.length);
    if (group === 0) return idea;
    return { ...idea, name: `${idea.name.slice(0, 105)}, group ${group + 1}`, spanish: null };
  });
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

/** How many people an activity attracts on a day, relative to one without dates; 0 is none. */
export function interestIn(activity: DemoActivity, date: CalendarDate, isWeekend: boolean): number {
  const { from, until, retiredOn } = activity;
  const isEvent = activity.category === 'Events';
  if (retiredOn !== null && date >= retiredOn) return 0;
  if (from === null) return isWeekend ? (activity.category === 'Classroom' ? 0.02 : 0.4) : 1;
  const last = until ?? from;
  if (date >= from && date <= last) return isEvent ? 5 : daysBetween(from, last) > 7 ? 1 : 4;
  const ahead = daysBetween(date, from);
  if (ahead > 0) return ahead <= 21 ? 0.1 + 1.4 * (1 - ahead / 21) ** 2 * (isEvent ? 1 : 0.2) : 0;
  return daysBetween(last, date) <= 5 ? 0.5 : 0;
}
