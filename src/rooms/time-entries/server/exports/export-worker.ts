import { type Instant, wallClockIn } from '#base/calendar-date.ts';
import { openSnapshot } from '#server/db/snapshot.ts';
import { csvOf } from '#server/export/csv.ts';
import { handOver, jobOf } from '#server/export/in-worker.ts';
import type { Row } from '#server/export/table.ts';
import { xlsxOf } from '#server/export/xlsx.ts';
import { asViewer } from '#server/http/viewer.ts';
import type { TimeEntry } from '../../contract.ts';
import { FILE_COLUMNS, STATE_COLUMNS } from '../../entry-fields.ts';
import { type Placed, pageOfEntries } from '../listing/list-store.ts';
import { sumEntries } from '../listing/sums-store.ts';
import type { ExportJob } from './export.ts';

// On one processor other threads may have to wait for a whole page; it is also what is in memory at once.
const PAGE_ROWS = 1_000;

// Whoever exports may see these entries; the fields that depend on the viewer are not in the file.
const ANYBODY = asViewer({ userId: 0, sessionId: 0, role: 'admin', schoolIds: [], grants: [] });

const job = jobOf<ExportJob>();
const { db, close } = await openSnapshot(job.database);
try {
  const total = job.filter === undefined ? 0 : (await sumEntries(db, job.filter)).entries;
  const write = job.format === 'csv' ? csvOf : xlsxOf;
  await handOver(total, write(job.table, pages(total)));
} finally {
  await close();
}

async function* pages(total: number): AsyncGenerator<readonly Row[]> {
  const { filter, sorting } = job;
  if (filter === undefined) return;
  let after: Parameters<typeof pageOfEntries>[2]['page']['after'];
  for (;;) {
    const page = { limit: PAGE_ROWS - 1, after };
    const found = await pageOfEntries(db, ANYBODY, { filter, sorting, page, total });
    yield found.map((placed) => [...rowOf(placed.entry), ...(job.states ? stateOf(placed) : [])]);
    if (found.length < PAGE_ROWS) return;
    after = found.at(-1)?.key;
  }
}

function rowOf(entry: TimeEntry): Row {
  return FILE_COLUMNS.map(({ kind, value }) => {
    const shown = value(entry);
    return kind === 'moment' ? wallClockIn(job.timeZone, shown as Instant) : shown;
  });
}

// Empty where nobody verifies. A supervisor's address is in no file: files are passed on.
function stateOf({ entry: { verification }, isDecidedOutside }: Placed): Row {
  const { states } = job;
  if (verification === null || states === undefined) return STATE_COLUMNS.map(() => null);
  const { status, hours, by, at } = verification;
  const isTrusted = status === 'verified' && by === null;
  const decider = isDecidedOutside ? states.outside : isTrusted ? states.trusted : by;
  return [states[status], hours, decider, at === null ? null : wallClockIn(job.timeZone, at)];
}
