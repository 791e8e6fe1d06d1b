import { saveInKindRate } from '#features/reports/analytics/server/in-kind-value.ts';
import { type Database, transaction } from '#server/db/database.ts';
import { hashPassword } from '#server/passwords.ts';
import { addDays, dayIn, type Instant } from '#shared/calendar-date.ts';
import { wallClock } from './calendar.ts';
import type { Plan, Sizes } from './district-size.ts';
import { addAuditEvents, fillEntries } from './entries.ts';
import { fillHousehold, fillPeople, SIGN_INS } from './people.ts';
import { randomFrom } from './random.ts';
import { fillSchools } from './school-data.ts';
import { fillSuggestions } from './suggestions.ts';

/** Incremented with every change of the generated data, so that older data is replaced. */
export const GENERATOR_VERSION = 17;

/** The value of an hour for the in-kind match. */
const IN_KIND_RATE = { hourlyRate: 34.79, source: 'Independent Sector', year: 2024 };

/** The demo district. */
export const DEMO_SIZES: Sizes = {
  schools: 6,
  activities: 120,
  volunteers: 300,
  administrators: 4,
  entries: 20_000,
  days: 365,
};

/**
 * Fills an empty, migrated database with a district in the middle of its year. The same seed, day and sizes make the same
 * rows on both engines, except for password hashes and the moments of today, which must not be in the future. Entries get
 * audit events unless `isAudited` is false. Throws when there is a school or an account already.
 */
export async function fillDemo(
  database: Database,
  options: { now: Instant; timeZone: string; seed?: string; sizes?: Partial<Sizes>; isAudited?: boolean },
): Promise<void> {
  await requireEmpty(database);
  const sizes = { ...DEMO_SIZES, ...options.sizes };
  const today = dayIn(options.timeZone, options.now);
  const plan: Plan = {
    sizes,
    random: randomFrom(options.seed ?? 'demo'),
    today,
    now: options.now,
    firstDay: addDays(today, 1 - sizes.days),
    clock: wallClock(options.timeZone, options.now),
  };
  const schools = await fillSchools(database, plan);
  const people = await fillPeople(database, plan, schools, await hashPassword(SIGN_INS.password));
  await fillEntries(database, plan, schools, people);
  if (options.isAudited !== false) await addAuditEvents(database);
  await fillSuggestions(database, plan, people);
  await fillHousehold(database, plan, people);
  await transaction(database, (trx) => saveInKindRate(trx, IN_KIND_RATE));
}

async function requireEmpty({ db }: Database): Promise<void> {
  const school = await db.selectFrom('schools').select('id').limit(1).executeTakeFirst();
  const user = await db.selectFrom('users').select('id').limit(1).executeTakeFirst();
  if (school !== undefined || user !== undefined)
    throw new Error('The demo district needs an empty database.');
}
