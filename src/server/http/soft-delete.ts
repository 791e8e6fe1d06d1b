import { type Instant, millisecondsOf } from '#shared/calendar-date.ts';
import { errors } from '#shared/errors.ts';
import type { Message } from '#shared/i18n/message.ts';
import { canAt, isWithin, type Viewer } from './viewer.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;

/** How long a deletion can be undone, by its user and by administrators (decisions: shapes). */
export const UNDO_WINDOW = { minutes: 10, adminDays: 30 } as const;

/** A soft-deletable row, and a deleted one. */
type Deletable = Readonly<{ deleted_at: Instant | null; deleted_by: number | null; school_id: number }>;
type Deleted = Readonly<{ deleted_at: Instant; deleted_by: number; school_id: number }>;

/** Whether a row is soft-deleted. */
export function isDeleted<Row extends Deletable>(row: Row | undefined): row is Row & Deleted {
  return row !== undefined && row.deleted_at !== null && row.deleted_by !== null;
}

/**
 * Throws 404 if another user deleted the row or if it left the viewer's schools, and 409 if it was deleted too long before
 * `at`. With the capability 'restore deleted' at the row's school, the viewer may restore any row, and for longer.
 */
export function checkRestore(
  viewer: Viewer,
  at: Instant,
  row: Deleted,
  says: { notFound: Message; tooLateToRestore: Message },
): void {
  const mayRestore = canAt(viewer, 'restore deleted', row.school_id);
  const isOwn = row.deleted_by === viewer.userId && isWithin(viewer.schools, row.school_id);
  if (!mayRestore && !isOwn) throw errors.notFound(says.notFound);
  const limitMs = mayRestore ? UNDO_WINDOW.adminDays * DAY_MS : UNDO_WINDOW.minutes * MINUTE_MS;
  if (millisecondsOf(at) - millisecondsOf(row.deleted_at) > limitMs) {
    throw errors.conflict(says.tooLateToRestore);
  }
}
