import { type Actor, type Deed, recordAll } from '#server/audit-log.ts';
import type { Db, Trx } from '#server/db/database.ts';
import type { Deps } from '#server/deps.ts';
import type { Acting } from '#server/http/viewer.ts';
import type { CalendarDate, Instant } from '#shared/calendar-date.ts';
import { fromHundredths, toHundredths } from '#shared/hours.ts';
import { type AffectedHours, rejectClosedPeriod } from './entry-rules.ts';
import {
  findSchoolVerificationTerms,
  findTrustedActivities,
  type ImportedEntryRow,
  insertImportedEntries,
  lockImportedEntries,
  softDeleteEntries,
} from './imported-hours-store.ts';
import { countAll } from './verification-status-store.ts';
import { activityEditors } from './volunteers-store.ts';

/** Whether a school verifies hours, and up to which day they are closed there. */
export type Closing = Readonly<{ schoolId: number; terms: AffectedHours['terms'] }>;

/** What holds for hours that come in at a school. */
export async function findClosingTerms(db: Db, schoolId: number): Promise<Closing> {
  const row = await findSchoolVerificationTerms(db, schoolId);
  const { name, closed_before: closedBefore, late_after_days: lateAfterDays } = row;
  return {
    schoolId,
    terms: { school: { name, isVerifying: row.verification === 'on' }, closedBefore, lateAfterDays },
  };
}

/** Refuses hours of a closed period without a reason, as for one entry. Returns what is to be recorded of it. */
export function requireReasonIfClosed(
  deps: Deps,
  acting: Acting,
  { schoolId, terms }: Closing,
  { dates, reason }: Pick<AffectedHours, 'dates' | 'reason'>,
): { reason?: string } {
  return rejectClosedPeriod(deps, acting, { schoolId, terms, dates, reason });
}

/** An entry from elsewhere. */
export type ImportedEntry = Readonly<{
  userId: number;
  schoolId: number;
  activityId: number;
  entryDate: CalendarDate;
  hours: number;
  notes: string | null;
}>;

/** The import that entries come with: who vouches for them, if anybody, and why in a closed period. */
export type ImportContext = Readonly<{ importId: number; verifiedBy: number | null; reason: string | null }>;

/**
 * Adds entries that come from elsewhere, each with its own record. At a school that verifies they wait, unless their
 * activity is trusted or somebody vouches for them; nobody does for hours of their own, and those of people who may edit
 * activities are not trusted. Returns them as they are stored.
 */
export async function addImportedEntries(
  trx: Trx,
  actor: Actor,
  entries: readonly ImportedEntry[],
  bringing: ImportContext,
): Promise<readonly Readonly<{ id: number; hours: number }>[]> {
  const { importId, verifiedBy, reason } = bringing;
  const added = await insertImportedEntries(trx, entries.map(asRow), actor.at);
  const waiting = added.filter((entry) => entry.verification === 'waiting');
  const trusted = await findTrustedActivities(trx, [...new Set(waiting.map((entry) => entry.activity_id))]);
  const mayEdit = await activityEditors(
    trx,
    waiting.map((entry) => entry.user_id),
  );
  const isAtOnce = (entry: (typeof waiting)[number]) =>
    trusted.has(entry.activity_id) && !mayEdit(entry.user_id, entry.school_id);
  const isVouched = (entry: { user_id: number }) => verifiedBy !== null && entry.user_id !== verifiedBy;
  const atOnce = waiting.filter(isAtOnce);
  const vouched = waiting.filter((entry) => !isAtOnce(entry) && isVouched(entry));
  const idsOf = (some: readonly { id: number }[]) => some.map(({ id }) => id);
  await countAll(trx, idsOf(atOnce), actor.at);
  await countAll(trx, idsOf(vouched), actor.at, verifiedBy);
  const counted = new Set([...idsOf(atOnce), ...idsOf(vouched)]);
  await recordAll(
    trx,
    actor,
    added.map((entry) => ({
      ...aboutEntry('entry.log', entry),
      after: {
        ...valuesIn(entry),
        ...(counted.has(entry.id) ? { verification: 'verified' } : {}),
        ...(reason === null ? {} : { reason }),
        fromImport: importId,
      },
    })),
  );
  return added.map(({ id, hours_hundredths }) => ({ id, hours: fromHundredths(hours_hundredths) }));
}

/** What became of entries that were to be taken back; those in the trash already are in neither list. */
export type UndoneImportEntries = Readonly<{ removed: readonly number[]; kept: readonly number[] }>;

/** Puts entries of an import into the trash that nobody has changed or decided about since it was begun. */
export async function undoImportedEntries(
  trx: Trx,
  actor: Actor,
  ids: readonly number[],
  of: { importId: number; importedAt: Instant; reason: string | null },
): Promise<UndoneImportEntries> {
  const rows = await lockImportedEntries(trx, ids);
  const there = rows.filter((row) => row.deleted_at === null);
  const isAsMade = (row: (typeof rows)[number]) =>
    row.version === 1 &&
    row.reopen_asked_at === null &&
    (row.decided_at === null || row.decided_at === of.importedAt);
  const unchanged = there.filter(isAsMade);
  const removed = unchanged.map((row) => row.id);
  if (removed.length > 0) await softDeleteEntries(trx, removed, { at: actor.at, by: actor.userId });
  await recordAll(
    trx,
    actor,
    unchanged.map((row) => ({
      ...aboutEntry('entry.delete', row),
      before: {
        ...valuesIn(row),
        ...(row.verification === null
          ? {}
          : { verification: row.verification, countedHours: fromHundredths(row.counted_hundredths) }),
        ...(of.reason === null ? {} : { reason: of.reason }),
        fromImport: of.importId,
      },
    })),
  );
  return { removed, kept: there.filter((row) => !isAsMade(row)).map((row) => row.id) };
}

function aboutEntry(action: string, row: ImportedEntryRow & { id: number }): Deed {
  return {
    action,
    subject: 'time-entry',
    subjectId: row.id,
    schoolId: row.school_id,
    personId: row.user_id,
  };
}

function asRow({ userId, schoolId, activityId, entryDate, hours, notes }: ImportedEntry): ImportedEntryRow {
  return {
    user_id: userId,
    school_id: schoolId,
    activity_id: activityId,
    hours_hundredths: toHundredths(hours),
    entry_date: entryDate,
    notes,
  };
}

function valuesIn(row: ImportedEntryRow) {
  return {
    entryDate: row.entry_date,
    userId: row.user_id,
    schoolId: row.school_id,
    activityId: row.activity_id,
    hours: fromHundredths(row.hours_hundredths),
    notes: row.notes,
  };
}
