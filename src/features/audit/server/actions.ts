import { mergedInto } from '#features/users/server/accounts.ts';
import type { Db } from '#server/db/database.ts';
import { pageByKey } from '#server/db/queries/pagination.ts';
import type { Deps } from '#server/deps.ts';
import { canEverywhere, type Viewer } from '#server/http/viewer.ts';
import { addDays, startOfDay } from '#shared/calendar-date.ts';
import type { QueryOf } from '#shared/endpoint.ts';
import { foldForSearch, searchWords } from '#shared/text-normalization.ts';
import { type Action, actionsForKind, type ListedAuditEvent, type listAudit } from '../contract.ts';
import { findName, resolveAuditNames, storedValues } from './event-details.ts';
import { type Found, findLatestByAction, findSubjectsByName, readPageOfEvents, type Trail } from './store.ts';

const LIST_NAME = 'audit';

// Up to this many matches are looked up by index one by one; beyond that, scanning the log is faster.
const MAX_INDEXED = 200;

// Deletions are rare, and a search for a deleted thing usually means a recent one.
const DELETIONS_SEARCHED = 500;
const DELETIONS: readonly Action[] = [
  'account.delete',
  'school.delete',
  'category.delete',
  'activity.delete',
];

/**
 * Returns a page of the audit log, latest first, with current names. Viewers below a district administrator see only events
 * at their schools, without network addresses.
 */
export async function listAuditEvents(
  deps: Deps,
  viewer: Viewer,
  query: QueryOf<typeof listAudit>,
): Promise<{ records: ListedAuditEvent[]; nextCursor: string | null }> {
  const { db } = deps.database;
  const zone = deps.config.timeZone;
  const { kind, thing, startDate, endDate } = query;
  const isDistrictWide = canEverywhere(viewer, 'run the district');
  const filter = {
    schools: isDistrictWide ? undefined : viewer.schools,
    from: startDate && startOfDay(zone, startDate),
    before: endDate && startOfDay(zone, addDays(endDate, 1)),
    actions: kind === undefined && thing === undefined ? undefined : actionsForKind({ kind, thing }),
    trails: await findTrails(db, query),
  };
  const { rows, nextCursor } = await pageByKey(deps.secretKey, LIST_NAME, query, {
    read: (page) => readPageOfEvents(db, filter, page),
    keyOf: ({ at, id }) => [at, id],
  });
  const records = await resolveAuditNames(db, rows);
  return {
    records: isDistrictWide ? records : records.map((one) => ({ ...one, address: null })),
    nextCursor,
  };
}

async function findTrails(db: Db, query: QueryOf<typeof listAudit>): Promise<Trail[][]> {
  const { thing, thingId, userId, search = '' } = query;
  const trails: Trail[][] = [];
  if (thing !== undefined && thingId !== undefined) trails.push([{ subject: thing, subjectId: thingId }]);
  if (userId !== undefined) {
    const ids = [userId, ...(await mergedInto(db, [userId]))];
    trails.push(ids.flatMap((id) => trailsOf({ subject: 'user', id })));
  }
  if (foldForSearch(search) !== '') trails.push(await findTrailsByName(db, search));
  return trails;
}

async function findTrailsByName(db: Db, search: string): Promise<Trail[]> {
  const named = await findSubjectsByName(db, search, MAX_INDEXED + 1);
  if (named.length > MAX_INDEXED) return [{ words: search }];
  const activities = named.flatMap(({ subject, id }) => (subject === 'activity' ? [id] : []));
  const entries = activities.length === 0 ? [] : [{ entriesOf: activities }];
  return [...[...named, ...(await findDeletedByName(db, search))].flatMap(trailsOf), ...entries];
}

function trailsOf({ subject, id }: Found): Trail[] {
  return subject === 'user' ? [{ actorId: id }, { personId: id }] : [{ subject, subjectId: id }];
}

// The name of a deleted item is only in the audit event of its deletion.
async function findDeletedByName(db: Db, search: string): Promise<Found[]> {
  const words = searchWords(search);
  const rows = await Promise.all(
    DELETIONS.map((action) => findLatestByAction(db, action, DELETIONS_SEARCHED)),
  );
  return rows.flat().flatMap((row) => {
    const name = foldForSearch(findName(storedValues(row)) ?? '');
    if (row.subject_id === null || !words.every((word) => name.includes(word))) return [];
    return [{ subject: row.subject, id: row.subject_id }];
  });
}
