import { Readable } from 'node:stream';
import {
  findSetting,
  lockSettings,
  saveSetting,
} from '#features/schools/district-settings/server/settings.ts';
import { lockOwnAccount } from '#features/users/server/current-account.ts';
import { recordEvent } from '#server/audit-log.ts';
import { type Db, transaction } from '#server/db/database.ts';
import { pageByKey } from '#server/db/queries/pagination.ts';
import { type Deps, withConnectionPool } from '#server/deps.ts';
import { writeCsv } from '#server/export/csv.ts';
import { isUnchanged } from '#server/http/change-checks.ts';
import type { FileAnswer } from '#server/http/route-mount.ts';
import { type Acting, actorOf, type Request, type Viewer } from '#server/http/viewer.ts';
import { translate } from '#server/i18n/translator.ts';
import { type CalendarDate, dayIn, schoolYearStart } from '#shared/calendar-date.ts';
import type { Hours } from '#shared/hours.ts';
import { type Goal, messages } from '../contract.ts';
import { MILESTONES, type Milestone, MilestonesInput, milestoneMessages } from '../milestone-contract.ts';
import {
  countReached,
  dismissThanks,
  findDismissedThanks,
  findGoal,
  findSchoolNames,
  listAllReached,
  readReachedPage,
  removeGoal,
  saveGoal,
  sumHoursSince,
} from './store.ts';

/** Returns the viewer's own goal for this school year and their progress. */
export function readOwnGoal(deps: Deps, { viewer, request }: Acting): Promise<Goal> {
  return readGoal(deps.database.db, viewer, schoolYearStartAt(deps, request));
}

/** Sets or removes the viewer's own goal for this school year. */
export function setOwnGoal(deps: Deps, { viewer, request }: Acting, hours: Hours | null) {
  const { userId } = viewer;
  const yearStart = schoolYearStartAt(deps, request);
  return transaction(deps.database, async (trx) => {
    await lockOwnAccount(trx, viewer);
    if (hours === null) await removeGoal(trx, userId, yearStart);
    else await saveGoal(trx, userId, yearStart, hours);
    return {
      goal: await readGoal(trx, viewer, yearStart),
      message: translate(deps, hours === null ? messages.removed : messages.saved),
    };
  });
}

/** The first day of the school year in which the request is made. */
export function schoolYearStartAt({ config }: Deps, request: Request): CalendarDate {
  return schoolYearStart(dayIn(config.timeZone, request.at), config.schoolYearStart);
}

async function readGoal(db: Db, { userId }: Viewer, yearStart: CalendarDate): Promise<Goal> {
  return {
    hours: await findGoal(db, userId, yearStart),
    logged: await sumHoursSince(db, userId, yearStart),
    yearStart,
  };
}

const NAME = 'milestones';
const LIST = 'milestone-people';
const PAGE_ROWS = 500;

/** Returns the district's milestones by hours; none until an administrator sets them. */
export async function findMilestones(db: Db): Promise<readonly Milestone[]> {
  return MilestonesInput.parse((await findSetting(db, NAME)) ?? { milestones: [] }).milestones;
}

/** Returns the milestones, each with the number of people who reached it this school year. */
export async function readMilestones(given: Deps, request: Request) {
  const deps = withConnectionPool(given, 'reports');
  return withPeopleCounts(deps, await findMilestones(deps.database.db), schoolYearStartAt(deps, request));
}

/** Sets the milestones and audits the change. Dismissed thank-yous stay dismissed. */
export async function saveMilestones(
  deps: Deps,
  { viewer, request }: Acting,
  milestones: readonly Milestone[],
) {
  const wanted = milestones.toSorted((a, b) => a.hours - b.hours);
  await transaction(deps.database, async (trx) => {
    await lockSettings(trx);
    const before = await findMilestones(trx);
    if (isUnchanged({ all: before }, { all: wanted })) return;
    await saveSetting(trx, NAME, { milestones: wanted });
    const hoursOf = (all: readonly Milestone[]) => ({ hours: all.map(({ hours }) => String(hours)) });
    await recordEvent(trx, actorOf(viewer, request), {
      action: 'milestones.settings',
      subject: 'setting',
      subjectId: null,
      before: hoursOf(before),
      after: hoursOf(wanted),
    });
  });
  const reports = withConnectionPool(deps, 'reports');
  return {
    ...(await withPeopleCounts(reports, wanted, schoolYearStartAt(deps, request))),
    message: translate(deps, milestoneMessages.saved),
  };
}

/** Returns the people who reached a number of hours this school year, by name. */
export async function listReachedMilestone(
  given: Deps,
  request: Request,
  query: { hours?: number | undefined; limit?: number | undefined; cursor?: string | undefined },
) {
  const deps = withConnectionPool(given, 'reports');
  const { hours = MILESTONES.min } = query;
  const { rows, nextCursor } = await pageByKey(deps.secretKey, `${LIST}-${hours}`, query, {
    read: (page) => readReachedPage(deps.database.db, hours, schoolYearStartAt(deps, request), page),
    keyOf: ({ sortKey, id }) => [sortKey, id],
  });
  return { people: rows.map(({ sortKey: _, ...person }) => person), nextCursor };
}

/** Exports the people who reached a milestone as a file. The audit event is written before the file is sent. */
export async function exportReachedMilestone(
  given: Deps,
  { viewer, request }: Acting,
  hours: number,
): Promise<FileAnswer> {
  const { db } = withConnectionPool(given, 'reports').database;
  const year = schoolYearStartAt(given, request);
  const people = await listAllReached(db, hours, year);
  await transaction(given.database, (trx) =>
    recordEvent(trx, actorOf(viewer, request), {
      action: 'milestones.export',
      subject: 'export',
      subjectId: null,
      after: { format: 'csv', hours, rows: people.length },
    }),
  );
  const { t } = given.translator;
  const columns = (['fileLastName', 'fileFirstName', 'fileSchools', 'fileMilestone'] as const).map((key) => ({
    title: t(`goals:${key}`),
    kind: 'text' as const,
    width: 24,
  }));
  const table = { name: t('goals:milestonesTitle'), columns };
  const pieces = writeCsv(table, pagesOfReached(db, people, t('goals:milestoneHours', { hours })));
  return {
    name: `milestone-${hours}_${year}.csv`,
    type: 'text/csv; charset=utf-8',
    content: bytesOf(pieces),
  };
}

async function* pagesOfReached(
  db: Db,
  people: Awaited<ReturnType<typeof listAllReached>>,
  milestone: string,
) {
  for (let from = 0; from < people.length; from += PAGE_ROWS) {
    const some = people.slice(from, from + PAGE_ROWS);
    const schools = await findSchoolNames(
      db,
      some.map(({ id }) => id),
    );
    yield some.map(({ id, firstName, lastName }) => [
      lastName,
      firstName,
      (schools.get(id) ?? []).join(', '),
      milestone,
    ]);
  }
}

function bytesOf(pieces: ReturnType<typeof writeCsv>): Readable {
  return Readable.from(
    (async function* () {
      for await (const { bytes } of pieces) yield bytes;
    })(),
    { objectMode: false },
  );
}

/** Returns the viewer's thank-you for the highest milestone reached; null when there is none or it was dismissed. */
export async function readOwnThanks(deps: Deps, { userId }: Viewer, request: Request) {
  const { db } = deps.database;
  const milestones = await findMilestones(db);
  if (milestones.length === 0) return null;
  const yearStart = schoolYearStartAt(deps, request);
  const hours = await sumHoursSince(db, userId, yearStart);
  const highest = milestones.findLast((one) => one.hours <= hours);
  if (highest === undefined || (await findDismissedThanks(db, userId, yearStart)).has(highest.hours))
    return null;
  return { ...highest, yearStart };
}

/** Dismisses the viewer's thank-you, and those for lower milestones. */
export function dismissOwnThanks(deps: Deps, { viewer, request }: Acting, hours: number) {
  return transaction(deps.database, async (trx) => {
    await lockOwnAccount(trx, viewer);
    const read = (await findMilestones(trx)).map((one) => one.hours).filter((one) => one <= hours);
    await dismissThanks(trx, viewer.userId, schoolYearStartAt(deps, request), read);
    return { thanks: null };
  });
}

async function withPeopleCounts(
  { database: { db } }: Deps,
  milestones: readonly Milestone[],
  since: CalendarDate,
) {
  const people = await countReached(
    db,
    milestones.map(({ hours }) => hours),
    since,
  );
  return { milestones: milestones.map((one, index) => ({ ...one, people: people[index] ?? 0 })) };
}
