import { fromHundredths } from '#shared/hours.ts';
import { type Actor, recordEvents } from './audit-log.ts';
import { inChunks } from './db/chunks.ts';
import type { Trx } from './db/database.ts';
import { forUpdate } from './db/row-locks.ts';
import type { Row } from './db/tables.ts';

/** The columns of an entry without a decision. */
export const NO_DECISION = {
  counted_hundredths: 0,
  decided_by: null,
  decided_by_external: null,
  decided_at: null,
  decided_version: null,
  decision_note: null,
  reopen_note: null,
  reopen_asked_at: null,
} as const;

/** The columns that hold a decision about an entry. */
export const DECISION_COLUMNS = [
  'verification',
  ...(Object.keys(NO_DECISION) as (keyof typeof NO_DECISION)[]),
] as const;

/** The decision columns of an entry, stored so that a decision can be undone. */
export type StoredDecision = Pick<Row<'time_entries'>, (typeof DECISION_COLUMNS)[number]>;

export function decisionOf(row: StoredDecision): StoredDecision {
  return Object.fromEntries(DECISION_COLUMNS.map((column) => [column, row[column]])) as StoredDecision;
}

/** An entry that was reset to waiting: its new version, and its previous decision. */
export type ReopenedEntry = Readonly<{ id: number; version: number; state: StoredDecision }>;

type DecidedEntry = StoredDecision & Pick<Row<'time_entries'>, 'school_id'>;

/**
 * Resets a user's decided entries, including deleted ones, to waiting if `isDoubtful` returns true for them. Without `all`,
 * resets only entries that the user or an external verifier decided. Returns the reset entries.
 */
export async function reopenDecisions(
  trx: Trx,
  actor: Actor,
  { userId, all }: { userId: number; all: boolean },
  isDoubtful: (entry: DecidedEntry) => boolean,
): Promise<ReopenedEntry[]> {
  const decided = await forUpdate(
    trx,
    trx
      .selectFrom('time_entries')
      .select(['id', 'school_id', 'version', ...DECISION_COLUMNS])
      .where('user_id', '=', userId)
      .where('verification', 'in', ['verified', 'declined'])
      .$if(!all, (query) =>
        query.where((eb) =>
          eb.or([eb('decided_by', '=', userId), eb('decided_by_external', 'is not', null)]),
        ),
      )
      .orderBy('id'),
  ).execute();
  const rows = decided.filter(isDoubtful);
  await updateToWaiting(
    trx,
    rows.map(({ id }) => id),
  );
  const events = rows.map((row) => ({
    action: 'entry.reopen',
    subject: 'time-entry',
    subjectId: row.id,
    schoolId: row.school_id,
    personId: userId,
    before: { verification: row.verification, countedHours: fromHundredths(row.counted_hundredths) },
    after: { verification: 'waiting', countedHours: 0 },
  }));
  await recordEvents(trx, actor, events);
  return rows.map((row) => ({ id: row.id, version: row.version + 1, state: decisionOf(row) }));
}

async function updateToWaiting(trx: Trx, ids: readonly number[]): Promise<void> {
  await inChunks(ids, (some) =>
    trx
      .updateTable('time_entries')
      .set((eb) => ({ ...NO_DECISION, verification: 'waiting', version: eb('version', '+', 1) }))
      .where('id', 'in', some)
      .execute(),
  );
}
