import { type RawBuilder, sql } from 'kysely';
import { collect } from '#server/db/chunks.ts';
import type { Db } from '#server/db/database.ts';
import { daysAfter, utcDaysAfter } from '#server/db/queries/date-columns.ts';
import { type CalendarDate, dayIn, type Instant } from '#shared/calendar-date.ts';
import { fromHundredths } from '#shared/hours.ts';
import { type Facts, type Flag, UNUSUAL_HOURS } from '../entry-flags.ts';

/** The database, and the time zone that decides on which day hours were logged. */
export type FlagContext = Readonly<{ db: Db; timeZone: string }>;

const NOT_DELETED = sql`deleted_at is null`;

const DAY_HUNDREDTHS = sql`(select sum(day.hours_hundredths) from time_entries as day
  where day.user_id = time_entries.user_id and day.entry_date = time_entries.entry_date and day.${NOT_DELETED})`;

const SAME_DAY = sql`(select count(*) from time_entries as same
  where same.user_id = time_entries.user_id and same.entry_date = time_entries.entry_date
    and same.activity_id = time_entries.activity_id and same.id <> time_entries.id and same.${NOT_DELETED})`;

// Aggregates the entries of other volunteers among the activity's latest entries. The limit is applied before the volunteer's
// own entries are excluded, so the set of latest entries does not depend on the volunteer.
function ofOthers(value: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`(select ${value} from (
      select other.user_id, other.hours_hundredths from time_entries as other
      where other.activity_id = time_entries.activity_id and other.${NOT_DELETED}
      order by other.entry_date desc, other.id desc limit ${sql.lit(UNUSUAL_HOURS.latest)}) as others
    where others.user_id <> time_entries.user_id)`;
}

const FAR_BELOW = sql`coalesce(sum(case
  when ${sql.lit(UNUSUAL_HOURS.times)} * others.hours_hundredths <= time_entries.hours_hundredths then 1 else 0 end), 0)`;

type Row = Readonly<{
  id: number;
  hours_hundredths: number;
  entry_date: CalendarDate;
  created_at: Instant;
  late_after_days: number | null;
  active_from: CalendarDate | null;
  active_until: CalendarDate | null;
  day_hundredths: number;
  same_day: number;
  others: number;
  far_below: number;
}>;

/** Returns the facts for the flag rules by entry id; deleted entries are left out. */
export async function findFlagFacts(
  { db, timeZone }: FlagContext,
  ids: readonly number[],
): Promise<ReadonlyMap<number, Facts>> {
  const rows = await collect(ids, async (some) => {
    const found =
      await sql<Row>`select time_entries.id, time_entries.hours_hundredths, time_entries.entry_date,
        time_entries.created_at, schools.late_after_days, activities.active_from, activities.active_until,
        ${DAY_HUNDREDTHS} as day_hundredths, ${SAME_DAY} as same_day,
        ${ofOthers(sql`count(*)`)} as others, ${ofOthers(FAR_BELOW)} as far_below
      from time_entries
      join activities on activities.id = time_entries.activity_id
      join schools on schools.id = time_entries.school_id
      where time_entries.id in (${sql.join([...some])}) and time_entries.${NOT_DELETED}`.execute(db);
    return found.rows;
  });
  return new Map(rows.map((row) => [row.id, toFacts(row, timeZone)]));
}

function toFacts(row: Row, timeZone: string): Facts {
  return {
    hours: fromHundredths(row.hours_hundredths),
    entryDate: row.entry_date,
    loggedOn: dayIn(timeZone, row.created_at),
    lateAfterDays: row.late_after_days,
    dayHours: fromHundredths(row.day_hundredths),
    sameDay: row.same_day,
    activeFrom: row.active_from,
    activeUntil: row.active_until,
    others: { count: row.others, farBelow: row.far_below },
  };
}

/** The condition that an entry has a flag and is not deleted, for a query that joins `activities` and `schools`. */
export function hasFlag(here: FlagContext, flag: Flag): RawBuilder<boolean> {
  return CONDITIONS[flag](here);
}

const LATE = sql`coalesce(schools.late_after_days, ${sql.lit(UNUSUAL_HOURS.lateDays)})`;
const LOGGED = { day: 'time_entries.entry_date', moment: 'time_entries.created_at' } as const;

// The rules of `entry-flags.ts` in SQL. A test of the verification queue compares the two.
const CONDITIONS: Readonly<Record<Flag, (here: FlagContext) => RawBuilder<boolean>>> = {
  longEntry: () => sql<boolean>`time_entries.hours_hundredths > ${sql.lit(UNUSUAL_HOURS.entryHours * 100)}`,
  longDay: () => sql<boolean>`${DAY_HUNDREDTHS} > ${sql.lit(UNUSUAL_HOURS.dayHours * 100)}`,
  sameDay: () => sql<boolean>`${SAME_DAY} > 0`,
  // Converting to the district's time zone is slow in SQLite, so the UTC day decides the clear cases first.
  late: ({ db, timeZone }) => {
    const utcDays = utcDaysAfter(db, LOGGED);
    return sql<boolean>`(${utcDays} > ${LATE} + 1
      or (${utcDays} >= ${LATE} and ${daysAfter(db, { ...LOGGED, timeZone })} > ${LATE}))`;
  },
  outsideDates: () => sql<boolean>`(time_entries.entry_date < activities.active_from
    or (activities.active_from is not null and time_entries.entry_date > activities.active_until))`,
  unusual: () => {
    const isFar = sql`case when count(*) >= ${sql.lit(UNUSUAL_HOURS.others)} and 2 * ${FAR_BELOW} >= count(*) then 1 else 0 end`;
    return sql<boolean>`${ofOthers(isFar)} = 1`;
  },
};
