import type { Db } from '#server/db/database.ts';
import type { Row } from '#server/db/tables.ts';
import type { Deps } from '#server/deps.ts';
import type { ReopenedEntry } from '#server/entry-decisions-store.ts';
import { isWithin, type Viewer } from '#server/http/viewer.ts';
import { underHold } from '#server/personal-data/legal-hold-guards.ts';
import { usersUnderLegalHold } from '#server/personal-data/legal-hold-store.ts';
import { listSetAsideRows, type Merge, type RowEncryption } from '#server/personal-data/merged-rows-store.ts';
import { seal, unseal } from '#server/secrets.ts';
import { type Instant, plusMilliseconds } from '#shared/calendar-date.ts';
import { errors, type HttpError } from '#shared/errors.ts';
import { type Grant, isDistrictAdministrator } from '#shared/permissions.ts';
import { plain } from '../../roles/server/actions.ts';
import {
  accountsByIds,
  isEmailFreeFor,
  type LockedAccount,
  permissionProblem,
} from '../../server/accounts.ts';
import { messages, UNDO_DAYS } from '../contract.ts';
import { hasLaterMerge } from './store.ts';

/** The encryption purpose of a merge's rows. */
export const PURPOSE = 'account-merge';

/** Encrypts and decrypts rows that a merge sets aside. */
export function sealing({ secretKey }: Deps): RowEncryption {
  return {
    seal: (text) => seal(secretKey, PURPOSE, text),
    open: (sealed) => unseal(secretKey, PURPOSE, sealed),
  };
}

const DAY_MS = 24 * 3_600_000;

/**
 * Both rows of `users` before a merge, the rights of the surviving account, and the decisions on hours that were reset to
 * pending.
 */
export type Before = Readonly<{
  from: Row<'users'>;
  into: Row<'users'>;
  rights?: Rights;
  reopened: readonly ReopenedEntry[];
}>;

/** The schools that an account belongs to or asked to join, and its roles there. */
export type Rights = Readonly<{ schoolIds: readonly number[]; grants: readonly Grant[] }>;

export function snapshotRights({ account: { schools, pendingSchools, grants } }: LockedAccount): Rights {
  return { schoolIds: [...schools, ...pendingSchools].map(({ id }) => id), grants: grants.map(plain) };
}

/** Encrypts the snapshot for undoing a merge. */
export function encryptUnmergeSnapshot({ secretKey }: Deps, before: Before): string {
  return seal(secretKey, PURPOSE, JSON.stringify(before));
}

/** The time since which merges can be undone. */
export const undoableSince = (now: Instant) => plusMilliseconds(now, -UNDO_DAYS * DAY_MS);

/**
 * Returns the former accounts if the viewer may undo a merge now; otherwise the error that the undo would return. Reveals
 * nothing outside the viewer's schools.
 */
export async function checkUndo(
  db: Db,
  deps: Deps,
  { viewer, at }: { viewer: Viewer; at: Instant },
  found: Row<'account_merges'>,
): Promise<HttpError | { before: Before }> {
  const { sealed, merged_at, undone_at } = found;
  const merge: Merge = { id: found.id, from: found.from_user_id, into: found.into_user_id };
  const kept = (await accountsByIds(db, [merge.into])).get(merge.into);
  const isOut =
    kept === undefined ? viewer.schools !== 'all' : permissionProblem(viewer, 'deletion', kept) !== undefined;
  if (isOut) return errors.notFound(messages.mergeNotFound);
  if (undone_at !== null) return errors.conflict(messages.undoneAlready);
  if (sealed === null || merged_at <= undoableSince(at)) return errors.conflict(messages.tooOld);
  if (kept === undefined) return errors.conflict(messages.keptApart);
  if (await hasLaterMerge(db, merge)) return errors.conflict(messages.laterFirst);
  if ((await usersUnderLegalHold(db, [merge.into])).size > 0) return errors.conflict(underHold);
  const before: Before = { reopened: [], ...JSON.parse(unseal(deps.secretKey, PURPOSE, sealed)) };
  if (await hadWiderRights(db, deps, viewer, { merge, before }))
    return errors.notFound(messages.mergeNotFound);
  return (await areAddressesFree(db, merge, before)) ? { before } : errors.conflict(messages.addressTaken);
}

// An undo restores roles with the account, and administrators may restore only those at their own schools.
async function hadWiderRights(
  db: Db,
  deps: Deps,
  { schools }: Viewer,
  { merge, before }: { merge: Merge; before: Before },
): Promise<boolean> {
  if (schools === 'all') return false;
  if (isDistrictAdministrator(before.from)) return true;
  const rows = await listSetAsideRows(db, sealing(deps), { merge, column: 'user_grants.user_id' });
  return !rows.every((row) => isWithin(schools, Number(row['school_id'] ?? 0)));
}

async function areAddressesFree(db: Db, merge: Merge, { from, into }: Before): Promise<boolean> {
  for (const { email, is_walk_in } of [from, into]) {
    if (is_walk_in === 0 && !(await isEmailFreeFor(db, email, [merge.from, merge.into]))) return false;
  }
  return true;
}
