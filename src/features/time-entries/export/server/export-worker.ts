import { openSnapshot } from '#server/db/snapshot.ts';
import { writeCsv } from '#server/export/csv.ts';
import type { Row } from '#server/export/export-table.ts';
import { readJob, sendPieces } from '#server/export/worker-export.ts';
import { writeXlsx } from '#server/export/xlsx.ts';
import { asViewer } from '#server/http/viewer.ts';
import { type Instant, wallClockIn } from '#shared/calendar-date.ts';
import { fromHundredths } from '#shared/hours.ts';
import { pageOfEntries, type SortedEntry } from '../../admin-list/server/list-store.ts';
import { sumEntries } from '../../admin-list/server/totals-store.ts';
import type { TimeEntry } from '../../contract.ts';
import { FILE_COLUMNS, STATE_COLUMNS } from '../../time-entry-fields.ts';
import type { ExportJob } from './actions.ts';
import { type Contact, findContacts, readTotalsPage } from './volunteer-totals-store.ts';

// On a single processor, other threads may wait for a whole page. This is also the number of rows in memory.
const PAGE_ROWS = 1_000;

// The filter already limits the entries to those the exporting user may see. Fields that depend on the viewer are not
// in the file.
const ADMIN_VIEWER = asViewer({ userId: 0, sessionId: 0, role: 'admin', schoolIds: [], grants: [] });

const job = readJob<ExportJob>();
const db = openSnapshot(job.database);
try {
  const total = job.filter === undefined ? 0 : (await sumEntries(db, job.filter)).entries;
  const further = [{ table: job.totals, pages: totals() }];
  const file =
    job.format === 'csv'
      ? writeCsv(job.table, pages(total))
      : writeXlsx(job.table, pages(total), { further });
  await sendPieces(total, file);
} finally {
  await db.destroy();
}

async function* pages(total: number): AsyncGenerator<readonly Row[]> {
  const { filter, sorting } = job;
  if (filter === undefined) return;
  let after: Parameters<typeof pageOfEntries>[2]['page']['after'];
  for (;;) {
    const page = { limit: PAGE_ROWS - 1, after };
    const found = await pageOfEntries(db, ADMIN_VIEWER, { filter, sorting, page, total });
    const contacts = await findContacts(db, [...new Set(found.map(({ entry }) => entry.user.id))]);
    yield found.map((placed) => [
      ...rowOf(placed.entry),
      ...(job.states ? stateOf(placed) : []),
      ...personOf(contacts, placed.entry.user.id, placed.entry.school.id),
    ]);
    if (found.length < PAGE_ROWS) return;
    after = found.at(-1)?.key;
  }
}

async function* totals(): AsyncGenerator<readonly Row[]> {
  const { filter, verifying, states } = job;
  let after: Parameters<typeof readTotalsPage>[2];
  while (filter !== undefined) {
    const { rows, last } = await readTotalsPage(db, { ...filter, verifying }, after);
    if (last === undefined) return;
    const contacts = await findContacts(db, [...new Set(rows.map((row) => row.user_id))]);
    yield rows.map((row) => [
      row.first_name,
      row.last_name,
      row.school_name,
      row.entries,
      fromHundredths(row.hundredths),
      ...(states ? [verifying.includes(row.school_id) ? fromHundredths(row.counted) : null] : []),
      ...personOf(contacts, row.user_id, row.school_id),
    ]);
    after = last;
  }
}

// Includes the address if the viewer may export all addresses, or those of this school and the volunteer is a current member.
function personOf(contacts: ReadonlyMap<number, Contact>, userId: number, schoolId: number): Row {
  const { addressesAt } = job;
  if (addressesAt === undefined) return [userId];
  const contact = contacts.get(userId);
  const isOpen = addressesAt === 'all' || (addressesAt.includes(schoolId) && contact?.schools.has(schoolId));
  return [isOpen ? (contact?.email ?? null) : null, userId];
}

function rowOf(entry: TimeEntry): Row {
  return FILE_COLUMNS.map(({ kind, value }) => {
    const shown = value(entry);
    return kind === 'moment' ? wallClockIn(job.timeZone, shown as Instant) : shown;
  });
}

// Empty if the entry's school does not verify hours. External verifiers' addresses are left out, because files get passed on.
function stateOf({ entry: { verification }, isDecidedOutside }: SortedEntry): Row {
  const { states } = job;
  if (verification === null || states === undefined) return STATE_COLUMNS.map(() => null);
  const { status, hours, by, at } = verification;
  const isTrusted = status === 'verified' && by === null;
  const decider = isDecidedOutside ? states.outside : isTrusted ? states.trusted : by;
  return [states[status], hours, decider, at === null ? null : wallClockIn(job.timeZone, at)];
}
