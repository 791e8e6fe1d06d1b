import { lockOwnAccount } from '#features/users/server/current-account.ts';
import { type Db, transaction } from '#server/db/database.ts';
import type { Deps } from '#server/deps.ts';
import { text } from '#server/http/error-replies.ts';
import type { Request, Viewer } from '#server/http/viewer.ts';
import { type CalendarDate, dayIn, schoolYearStart } from '#shared/calendar-date.ts';
import type { Hours } from '#shared/hours.ts';
import { type Goal, messages } from '../contract.ts';
import { goalOf, hoursSince, removeGoal, saveGoal } from './store.ts';

/** The viewer's own goal of this school year, and how far they are. */
export function ownGoal(deps: Deps, viewer: Viewer, request: Request): Promise<Goal> {
  return read(deps.database.db, viewer, yearOf(deps, request));
}

/** Sets the viewer's own goal of this school year, or removes it. */
export function chooseGoal(deps: Deps, viewer: Viewer, request: Request, hours: Hours | null) {
  const { userId } = viewer;
  const yearStart = yearOf(deps, request);
  return transaction(deps.database, async (trx) => {
    await lockOwnAccount(trx, viewer);
    if (hours === null) await removeGoal(trx, userId, yearStart);
    else await saveGoal(trx, userId, yearStart, hours);
    return {
      goal: await read(trx, viewer, yearStart),
      message: text(deps, hours === null ? messages.removed : messages.saved),
    };
  });
}

/** The first day of the school year in which a request is made. */
export function yearOf({ config }: Deps, request: Request): CalendarDate {
  return schoolYearStart(dayIn(config.timeZone, request.at), config.schoolYearStart);
}

async function read(db: Db, { userId }: Viewer, yearStart: CalendarDate): Promise<Goal> {
  return {
    hours: await goalOf(db, userId, yearStart),
    logged: await hoursSince(db, userId, yearStart),
    yearStart,
  };
}
