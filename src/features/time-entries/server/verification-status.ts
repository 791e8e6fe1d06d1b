import type { Terms } from '#features/activities/server/actions.ts';
import { recordEvent } from '#server/audit-log.ts';
import { type Db, transaction } from '#server/db/database.ts';
import type { Deps } from '#server/deps.ts';
import { NO_DECISION } from '#server/entry-decisions-store.ts';
import { type Acting, actorOf } from '#server/http/viewer.ts';
import { translate } from '#server/i18n/translator.ts';
import { assertDefined } from '#shared/assert-defined.ts';
import type { Instant } from '#shared/calendar-date.ts';
import { errors } from '#shared/errors.ts';
import { fromHundredths, toHundredths } from '#shared/hours.ts';
import { messages, type TimeEntry } from '../contract.ts';
import { verificationMessages } from '../verification-contract.ts';
import type { Status } from '../verification-status.ts';
import { entryEvent } from './entry-rules.ts';
import { findAndLockEntry } from './store.ts';
import { type StateChange, saveReopenRequest } from './verification-status-store.ts';
import { findActivityEditors } from './volunteers-store.ts';

/** The state of hours after a move to another activity: unset, verified without a decision, or waiting. */
export function stateAfterMove(
  terms: Terms,
  hours: number,
  { at, outsideVerifier, isTrusted }: { at: Instant; outsideVerifier: string | null; isTrusted: boolean },
): StateChange {
  if (!terms.school.isVerifying) return { ...NO_DECISION, verification: null, external_verifier: null };
  if (!isTrusted) return { ...NO_DECISION, verification: 'waiting', external_verifier: outsideVerifier };
  return {
    ...NO_DECISION,
    verification: 'verified',
    counted_hundredths: toHundredths(hours),
    decided_at: at,
    decided_version: 1,
    external_verifier: null,
  };
}

/**
 * The state after an edit that keeps the activity. Verified hours stay verified, no matter who edits them, and
 * changed hours count with their new value.
 */
export function stateAfterEdit(
  before: TimeEntry,
  hours: number,
  { by, at }: { by: number; at: Instant },
): StateChange {
  // Entries that change while verification is off wait when it is turned on again.
  if (before.verification === null) return { ...NO_DECISION, verification: null };
  if (before.verification.status !== 'verified') return {};
  return {
    ...(hours === before.hours ? {} : { counted_hundredths: toHundredths(hours) }),
    decided_by: by,
    decided_by_external: null,
    decided_at: at,
    decided_version: before.version + 1,
    reopen_note: null,
    reopen_asked_at: null,
  };
}

/**
 * Returns a function that tests whose hours of an activity count without a decision. At a trusted activity everyone's do,
 * except those of people who may edit activities there, since they could mark an activity trusted for their own hours.
 */
export async function trustCheck(
  db: Db,
  { school, verifiedBy }: Terms,
  schoolId: number,
  userIds: readonly number[],
): Promise<(userId: number) => boolean> {
  if (!school.isVerifying || verifiedBy !== 'trusted') return () => false;
  const mayEdit = await findActivityEditors(db, userIds);
  return (userId) => !mayEdit(userId, schoolId);
}

/** The audit values of new hours; empty unless they count without a decision. */
export function initialAuditedStatus(isTrusted: boolean): { verification?: Status } {
  return isTrusted ? { verification: 'verified' } : {};
}

/** The audit values of an entry's verification; empty at a school that does not verify hours. */
export function auditedStatus({ verification }: TimeEntry): { verification?: Status; countedHours?: number } {
  if (verification === null) return {};
  return { verification: verification.status, countedHours: verification.hours };
}

/** The audit values of an entry's verification after a change. */
export function auditedStatusAfter(before: TimeEntry, state: StateChange) {
  const was = auditedStatus(before);
  const { verification = was.verification ?? null, counted_hundredths: counted } = state;
  if (verification === null) return {};
  return {
    verification,
    countedHours: counted === undefined ? (was.countedHours ?? 0) : fromHundredths(counted),
  };
}

/** Asks the school to reopen an entry of the viewer's that was verified or declined. 409 if a request is already pending. */
export function createReopenRequest(
  deps: Deps,
  { viewer, request }: Acting,
  { id, note }: { id: number; note: string },
): Promise<{ timeEntry: TimeEntry; message: string }> {
  return transaction(deps.database, async (trx) => {
    const own = { schools: viewer.schools, userId: viewer.userId };
    const before = await findAndLockEntry(trx, viewer, own, id);
    if (before === undefined) throw errors.notFound(messages.notFound);
    const { verification } = before;
    if (verification === null || verification.status === 'waiting') {
      throw errors.conflict(verificationMessages.notLocked);
    }
    if (verification.reopenRequested) throw errors.conflict(verificationMessages.alreadyAsked);
    await saveReopenRequest(trx, id, { note, at: request.at });
    const event = entryEvent(before, { action: 'entry.ask-reopening', after: { reopenNote: note } });
    await recordEvent(trx, actorOf(viewer, request), event);
    const entry = assertDefined(await findAndLockEntry(trx, viewer, own, id));
    return {
      timeEntry: entry,
      message: translate(deps, verificationMessages.reopenAsked(entry.school.name)),
    };
  });
}
