import { rightsHolderOf } from '#features/users/roles/server/actions.ts';
import { recordEvent } from '#server/audit-log.ts';
import { type Trx, transaction } from '#server/db/database.ts';
import { type VerifyingSchools, verifyingSchools } from '#server/db/queries/verification-state.ts';
import type { DatabaseLocation } from '#server/db/snapshot.ts';
import type { Deps } from '#server/deps.ts';
import { type Column, FILE_TYPES, fileName, type Table } from '#server/export/export-table.ts';
import {
  countWhileStarting,
  followExport,
  isExportLimitReached,
  stopExport,
} from '#server/export/running-exports.ts';
import { startExportWorker, type WorkerExport } from '#server/export/worker-export.ts';
import type { FileAnswer } from '#server/http/route-mount.ts';
import {
  type Acting,
  actorOf,
  isWithin,
  narrowTo,
  type Request,
  type SchoolScope,
  scopeFor,
  type Viewer,
} from '#server/http/viewer.ts';
import { inViewerLanguage } from '#server/i18n/recipient-language.ts';
import { translate } from '#server/i18n/translator.ts';
import { isGone, THIS_PROCESS } from '#server/process/process-identity.ts';
import { hashToken, newToken } from '#server/secrets.ts';
import { type CalendarDate, type Instant, plusMilliseconds } from '#shared/calendar-date.ts';
import { errors } from '#shared/errors.ts';
import { buildEntryFilter } from '../../admin-list/server/actions.ts';
import type { EntryFilter } from '../../admin-list/server/filter-store.ts';
import type { Sorting } from '../../admin-list/server/sorted-segments-store.ts';
import { DEFAULT_SORT, type EntryFilters } from '../../contract.ts';
import { today } from '../../server/entry-rules.ts';
import {
  ACCOUNT_COLUMN,
  COUNTED_COLUMN,
  EMAIL_COLUMN,
  FILE_COLUMNS,
  STATE_COLUMNS,
  TOTALS_COLUMNS,
} from '../../time-entry-fields.ts';
import type { Status } from '../../verification-status.ts';
import {
  EXPORT_LINK,
  type Export,
  type ExportFormat,
  type ExportInput,
  exportMessages,
} from '../contract.ts';
import {
  deleteExportsBefore,
  findExport,
  findOpenExport,
  findSchoolName,
  finishExport,
  hasRunning,
  insertExport,
  listUnfinishedExports,
  type StoredExport,
  saveExportProgress,
  startExport,
} from './store.ts';

/** The worker's input, as plain data. Without a filter the export is empty. */
export type ExportJob = Readonly<{
  database: DatabaseLocation;
  filter: EntryFilter | undefined;
  sorting: Sorting;
  format: ExportFormat;
  table: Table;
  /** The totals sheet, in Excel files only. */
  totals: Table;
  /** The schools whose volunteers' addresses are in the file; undefined omits the column. */
  addressesAt: SchoolScope | undefined;
  /** The schools of the file that verify hours. */
  verifying: VerifyingSchools;
  timeZone: string;
  /** The names of the statuses; undefined if no school in the file verifies hours. */
  states: StateLabels | undefined;
}>;

type StateLabels = Readonly<Record<Status | 'outside' | 'trusted', string>>;

type ExportQuery = EntryFilters & { sortBy: Sorting['by']; sortOrder: Sorting['order'] };

const WORKER = new URL('./export-worker.ts', import.meta.url);
const RETENTION_HOURS = 24;
const RETRY_AFTER_SECONDS = 10;
// A worker reports progress every second; after this long without a report it is considered dead.
const DEAD_AFTER_MS = 30_000;

/** Stores an administrator's export request and returns a link that works once. 404 for an unknown school. */
export async function createExport(
  trx: Trx,
  deps: Deps,
  { viewer, request }: Acting,
  { format, ...given }: ExportInput,
): Promise<{ export: Export; url: string; expiresAt: Instant }> {
  const query = toQuery(given);
  const { sums } = await buildEntryFilter(trx, viewer, query);
  if (await hasRunning(trx, viewer.userId, plusMilliseconds(request.at, -DEAD_AFTER_MS))) {
    throw errors.conflict(exportMessages.running);
  }
  if (isExportLimitReached(deps)) throw errors.conflict(exportMessages.busy);
  const token = newToken();
  const stored = await insertExport(trx, {
    token_hash: hashToken(token),
    user_id: viewer.userId,
    format,
    asked: JSON.stringify(query),
    total: sums.entries,
    created_at: request.at,
    expires_at: plusMilliseconds(request.at, EXPORT_LINK.minutes * 60_000),
  });
  await recordEvent(trx, actorOf(viewer, request), {
    action: 'entry.export',
    subject: 'export',
    subjectId: stored.id,
    schoolId: query.schoolId ?? null,
    after: { format, ...query, rows: sums.entries },
  });
  return { export: toExport(stored, request.at), url: `/api/exports/${token}`, expiresAt: stored.expires_at };
}

/** Returns the file of a link, which works once. 404 for an unusable link, 503 when too many exports are running. */
export async function sendExport(deps: Deps, request: Request, token: string): Promise<FileAnswer> {
  const stored = await findOpenExport(deps.database.db, hashToken(token), request.at);
  const viewer = stored === undefined ? undefined : await findOwner(deps, stored);
  if (stored === undefined || viewer === undefined) throw errors.notFound(exportMessages.linkGone);
  if (isExportLimitReached(deps)) throw errors.unavailable(exportMessages.busy, RETRY_AFTER_SECONDS);
  // The link is opened without a session.
  return countWhileStarting(deps, () =>
    startFile(inViewerLanguage(deps, viewer), { viewer, request }, stored),
  );
}

/** The progress of the viewer's own export. */
export async function readExportProgress(deps: Deps, { viewer, request }: Acting, id: number) {
  const stored = await findExport(deps.database.db, viewer.userId, id);
  if (stored === undefined) throw errors.notFound(exportMessages.notFound);
  return { export: toExport(stored, request.at) };
}

/** Cancels the viewer's own export. If another process writes it, it stops within a second. */
export async function cancelOwnExport(deps: Deps, acting: Acting, id: number) {
  await readExportProgress(deps, acting, id);
  await finishExport(deps.database.db, id, 'cancelled');
  stopExport(deps, id);
  const { export: cancelled } = await readExportProgress(deps, acting, id);
  return { export: cancelled, message: translate(deps, exportMessages.cancelled) };
}

/** Marks the exports of killed processes as failed, so that their owners can start new ones immediately. */
export async function endAbandonedExports({ database }: Deps): Promise<void> {
  for (const { id, made_by } of await listUnfinishedExports(database.db)) {
    if (made_by !== null && isGone(made_by)) await finishExport(database.db, id, 'failed');
  }
}

/** Deletes the records of exports that were requested more than a day ago. */
export function deleteOldExports(trx: Trx, now: Instant): Promise<void> {
  return deleteExportsBefore(trx, plusMilliseconds(now, -RETENTION_HOURS * 3_600_000));
}

// Checks the owner's current permissions: the link stops working when they can no longer export.
async function findOwner(deps: Deps, stored: StoredExport): Promise<Viewer | undefined> {
  const holder = await rightsHolderOf(deps.database.db, stored.user_id);
  if (holder === undefined) return undefined;
  const person = { userId: stored.user_id, sessionId: 0, schoolIds: [], ...holder };
  const schools = scopeFor(person, 'export entries');
  const { schoolId }: ExportQuery = JSON.parse(stored.asked);
  const isLost = schools.length === 0 || (schoolId !== undefined && !isWithin(schools, schoolId));
  return isLost ? undefined : { ...person, schools };
}

async function startFile(deps: Deps, { viewer, request }: Acting, stored: StoredExport): Promise<FileAnswer> {
  const { db } = deps.database;
  const query: ExportQuery = JSON.parse(stored.asked);
  const name = `${await buildFileName(deps, request, query)}.${stored.format}`;
  const { filter } = await buildEntryFilter(db, viewer, query);
  const verifying = filter === undefined ? [] : await verifyingSchools(db, filter.schools, filter.activityId);
  const states = verifying.length === 0 ? undefined : stateLabels(deps);
  const addressesAt = addressScope(viewer, query);
  const worker = await startExportWorker<ExportJob>(WORKER, {
    database: { databaseUrl: deps.config.databaseUrl, dataDir: deps.config.dataDir },
    filter,
    sorting: { by: query.sortBy, order: query.sortOrder },
    format: stored.format,
    ...buildTables(deps, states !== undefined, addressesAt !== undefined),
    addressesAt,
    verifying,
    timeZone: deps.config.timeZone,
    states,
  });
  try {
    await consumeLink(deps, { viewer, request }, { stored, query, worker });
  } catch (error) {
    worker.content.destroy();
    throw error;
  }
  followExport(deps, stored.id, worker, {
    progress: (rows) => saveExportProgress(db, stored.id, rows, deps.clock.now()),
    end: (isWhole, rows) => finishExport(db, stored.id, isWhole ? 'done' : 'failed', rows),
  });
  return {
    name,
    type: FILE_TYPES[stored.format],
    content: worker.content,
  };
}

async function consumeLink(
  deps: Deps,
  { viewer, request }: Acting,
  { stored, query, worker }: { stored: StoredExport; query: ExportQuery; worker: WorkerExport },
): Promise<void> {
  await transaction(deps.database, async (trx) => {
    if (!(await startExport(trx, stored.id, { at: request.at, total: worker.total, by: THIS_PROCESS }))) {
      throw errors.notFound(exportMessages.linkGone);
    }
    await recordEvent(trx, actorOf(viewer, request), {
      action: 'entry.download',
      subject: 'export',
      subjectId: stored.id,
      schoolId: query.schoolId ?? null,
      after: { format: stored.format, ...query, rows: worker.total },
    });
  });
}

function toQuery({ sortBy, sortOrder, ...filters }: Omit<ExportInput, 'format'>): ExportQuery {
  const given = Object.entries(filters).filter(([, value]) => value !== null && value !== undefined);
  return {
    ...(Object.fromEntries(given) as EntryFilters),
    sortBy: sortBy ?? DEFAULT_SORT.sortBy,
    sortOrder: sortOrder ?? DEFAULT_SORT.sortOrder,
  };
}

function toExport(
  { id, format, outcome, started_at, seen_at, expires_at, done, total }: StoredExport,
  now: Instant,
): Export {
  const isSeen = seen_at !== null && seen_at > plusMilliseconds(now, -DEAD_AFTER_MS);
  const underway = isSeen ? 'running' : 'failed';
  const status = outcome ?? (started_at !== null ? underway : expires_at > now ? 'ready' : 'expired');
  return { id, format, status, rows: done, total };
}

function stateLabels({ translator: { t } }: Deps): StateLabels {
  return {
    waiting: t('time-entries:stateWaiting'),
    verified: t('time-entries:stateVerified'),
    declined: t('time-entries:stateDeclined'),
    outside: t('time-entries:fileOutside'),
    trusted: t('time-entries:fileTrusted'),
  };
}

// Undefined when the viewer may export addresses at no school of the file. 'all' includes people who left the school.
function addressScope(viewer: Viewer, { schoolId }: ExportQuery): SchoolScope | undefined {
  const open = scopeFor(viewer, 'export addresses');
  const here = open === 'all' || schoolId === undefined ? open : narrowTo(open, schoolId);
  return here === undefined || here.length === 0 ? undefined : here;
}

function buildTables(
  { translator: { t } }: Deps,
  hasStates: boolean,
  hasAddresses: boolean,
): { table: Table; totals: Table } {
  const named = (columns: readonly Column[]) =>
    columns.map(({ title, kind, width }) => ({ title: t(title), kind, width }));
  const person = [...(hasAddresses ? [EMAIL_COLUMN] : []), ACCOUNT_COLUMN];
  return {
    table: {
      name: t('time-entries:title'),
      columns: named([...FILE_COLUMNS, ...(hasStates ? STATE_COLUMNS : []), ...person]),
    },
    totals: {
      name: t('time-entries:fileTotals'),
      columns: named([...TOTALS_COLUMNS, ...(hasStates ? [COUNTED_COLUMN] : []), ...person]),
    },
  };
}

// 'maple-grove-schools_lincoln-elementary_2026-03-01_2026-03-31': without a school or start date, that part is left
// out; the end date defaults to today.
async function buildFileName(
  deps: Deps,
  request: Request,
  { schoolId, startDate, endDate }: ExportQuery,
): Promise<string> {
  const school = schoolId === undefined ? '' : await findSchoolName(deps.database.db, schoolId);
  const days: (CalendarDate | undefined)[] = [startDate, endDate ?? today(deps, request)];
  return fileName(deps.config.districtName, school, ...days);
}
