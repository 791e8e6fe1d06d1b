import type { QueueEntry } from '#features/verification/web/admin-verification-groups.ts';
import { day, type Instant } from '#shared/calendar-date.ts';

/** An entry that waits to be verified; a test may change any of its values. */
export function aWaitingEntry(id: number, given: Partial<QueueEntry> = {}): QueueEntry {
  return anEntry(id, { verification: WAITING, flags: [], ...given });
}

/** An entry at a school that does not verify hours; a test may change any of its values. */
export function anEntry(id: number, given: Partial<QueueEntry> = {}): QueueEntry {
  return {
    id,
    activityId: 3,
    activity: {
      id: 3,
      name: 'Book fair',
      category: { id: 1, name: 'Events', color: '#3498db', kind: 'event' },
      isActive: true,
      activeFrom: null,
      requiresDescription: false,
      descriptionPrompt: null,
    },
    hours: 1.5,
    entryDate: day('2026-03-20'),
    notes: null,
    createdAt: '2026-03-20T00:00:00.000Z' as Instant,
    schoolId: 7,
    school: { id: 7, name: 'Lincoln Elementary' },
    user: { id: 9, firstName: 'Maria', lastName: 'Lopez' },
    version: 1,
    canEdit: true,
    canDelete: true,
    verification: null,
    flags: null,
    ...given,
  };
}

/** The verification of an undecided entry. */
export const WAITING = {
  status: 'waiting',
  hours: 0,
  by: null,
  at: null,
  note: null,
  reopenRequested: false,
  reopenNote: null,
} as const;
