import { type Actor, type AuditEvent, recordEvents } from '#server/audit-log.ts';
import type { Db, Trx } from '#server/db/database.ts';
import type { Instant } from '#shared/calendar-date.ts';
import { fromColumns } from '#shared/entity-fields.ts';
import { fromHundredths } from '#shared/hours.ts';
import { ENTRY_FIELDS } from '../time-entry-fields.ts';
import type { AffectedHours } from './entry-rules.ts';
import {
  findSchoolVerificationTerms,
  findTrustedActivities,
  type ImportedEntryRow,
  insertImportedEntries,
  lockImportedEntries,
} from './imported-hours-store.ts';
import { type EntryValues, markDeleted } from './store.ts';
import { verifyAllHours } from './verification-status-store.ts';
import { findActivityEditors } from './volunteers-store.ts';

/** A school's terms for imported hours: whether it verifies hours, and which days are closed. */
export type Closing = Readonly<{ schoolId: number; terms: AffectedHours['terms'] }>;

/** Returns a school's terms for imported hours. */
export async function findClosingTerms(db: Db, schoolId: number): Promise<Closing> {
  const row = await findSchoolVerificationTerms(db, schoolId);
  const { name, closed_before: closedBefore, late_after_days: lateAfterDays } = row;
  return {
    schoolId,
    terms: { school: { name, isVerifying: row.verification === 'on' }, closedBefore, lateAfterDays },
  };
}

/** The import that created the entries, the user who verifies them, if any, and the reason if they are in a closed period. */
export type ImportContext = Readonly<{ importId: number; verifiedBy: number | null; reason: string | null }>;

/**
 * Adds imported entries, each with an audit event. At a school that verifies hours they wait, unless their activity
 * is trusted or the importing user verifies them. No one verifies their own hours this way, and hours of people who
 * may edit activities are not trusted. Returns them as stored.
 */
export async function addImportedEntries(
  trx: Trx,
  actor: Actor,
  entries: readonly EntryValues[],
  context: ImportContext,
): Promise<readonly Readonly<{ id: number; hours: number }>[]> {
  const { importId, verifiedBy, reason } = context;
  const added = await insertImportedEntries(trx, entries, actor.at);
  const waiting = added.filter((entry) => entry.verification === 'waiting');
  const trusted = await findTrustedActivities(trx, [...new Set(waiting.map((entry) => entry.activity_id))]);
  const mayEdit = await findActivityEditors(
    trx,
    waiting.map((entry) => entry.user_id),
  );
  const isTrusted = (entry: (typeof waiting)[number]) =>
    trusted.has(entry.activity_id) && !mayEdit(entry.user_id, entry.school_id);
  const isVerifiedByImporter = (entry: { user_id: number }) =>
    verifiedBy !== null && entry.user_id !== verifiedBy;
  const trustedEntries = waiting.filter(isTrusted);
  const verifiedEntries = waiting.filter((entry) => !isTrusted(entry) && isVerifiedByImporter(entry));
  const idsOf = (some: readonly { id: number }[]) => some.map(({ id }) => id);
  await verifyAllHours(trx, idsOf(trustedEntries), actor.at);
  await verifyAllHours(trx, idsOf(verifiedEntries), actor.at, verifiedBy);
  const counted = new Set([...idsOf(trustedEntries), ...idsOf(verifiedEntries)]);
  await recordEvents(
    trx,
    actor,
    added.map((entry) => ({
      ...entryEvent('entry.log', entry),
      after: {
        ...fromColumns(ENTRY_FIELDS, entry),
        ...(counted.has(entry.id) ? { verification: 'verified' } : {}),
        ...(reason === null ? {} : { reason }),
        fromImport: importId,
      },
    })),
  );
  return added.map(({ id, hours_hundredths }) => ({ id, hours: fromHundredths(hours_hundredths) }));
}

/**
 * The ids of the entries that an undo deleted and of those it did not. Entries that were already deleted are in neither list.
 */
export type UndoneImportEntries = Readonly<{ removed: readonly number[]; kept: readonly number[] }>;

/** Deletes the entries of an import that have not been changed, decided about or asked to be reopened since. */
export async function undoImportedEntries(
  trx: Trx,
  actor: Actor,
  ids: readonly number[],
  of: { importId: number; importedAt: Instant; reason: string | null },
): Promise<UndoneImportEntries> {
  const rows = await lockImportedEntries(trx, ids);
  const there = rows.filter((row) => row.deleted_at === null);
  const isUnchanged = (row: (typeof rows)[number]) =>
    row.version === 1 &&
    row.reopen_asked_at === null &&
    (row.decided_at === null || row.decided_at === of.importedAt);
  const unchanged = there.filter(isUnchanged);
  const removed = unchanged.map((row) => row.id);
  if (removed.length > 0) await markDeleted(trx, removed, { at: actor.at, by: actor.userId });
  await recordEvents(
    trx,
    actor,
    unchanged.map((row) => ({
      ...entryEvent('entry.delete', row),
      before: {
        ...fromColumns(ENTRY_FIELDS, row),
        ...(row.verification === null
          ? {}
          : { verification: row.verification, countedHours: fromHundredths(row.counted_hundredths) }),
        ...(of.reason === null ? {} : { reason: of.reason }),
        fromImport: of.importId,
      },
    })),
  );
  return { removed, kept: there.filter((row) => !isUnchanged(row)).map((row) => row.id) };
}

function entryEvent(action: string, row: ImportedEntryRow & { id: number }): AuditEvent {
  return {
    action,
    subject: 'time-entry',
    subjectId: row.id,
    schoolId: row.school_id,
    personId: row.user_id,
  };
}
