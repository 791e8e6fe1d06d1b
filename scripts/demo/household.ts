import { LIMITS } from '#features/users/households/contract.ts';
import type { Database } from '#server/db/database.ts';
import { addDays, plusMilliseconds } from '#shared/calendar-date.ts';
import { daytime, type Plan } from './district-size.ts';
import { insertRows } from './insert-rows.ts';
import type { DemoPeople } from './people.ts';

const DAY_MS = 86_400_000;
// Fixed, like the passwords that the demo prints.
const OPEN_CODE = 'K7QM4XRD';
const USED_CODES = ['T3WZ8HNC', 'P6FV2JYK'];

/** Fills the visitor's household, whose members see each other's hours; the visitor has a code for one more. */
export async function fillHousehold(database: Database, plan: Plan, { family }: DemoPeople): Promise<void> {
  const random = plan.random.fork('household');
  const began = addDays(plan.today, -30);
  await insertRows(
    database,
    'household_members',
    family.map(({ id }, index) => ({
      user_id: id,
      household: 'nunez',
      joined_at: daytime(plan, addDays(began, index), random),
      joined_with: USED_CODES[index - 1] ?? null,
      code: index === 0 ? OPEN_CODE : null,
      code_until: index === 0 ? plusMilliseconds(plan.now, LIMITS.codeDays * DAY_MS) : null,
    })),
  );
}
