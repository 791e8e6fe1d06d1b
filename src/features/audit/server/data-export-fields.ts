import type { Row } from '#server/db/tables.ts';
import { type Action, isAction } from '../contract.ts';

const STATE = ['verification', 'countedHours', 'decisionNote', 'reopenNote'];
const ENTRY = ['userId', 'schoolId', 'activityId', 'hours', 'entryDate', 'notes', 'reason', ...STATE];
const GRANTS = ['schoolAdminOf', 'coordinatorOf', 'auditorOf', 'auditorOfAll'];
const EXTERNAL_DECISION = ['by', 'hours', 'reason'];
const ACCOUNT = [
  'email',
  'firstName',
  'lastName',
  'role',
  'isActive',
  'language',
  'schoolIds',
  'pendingSchoolIds',
  ...GRANTS,
];
const LETTER = ['letter', 'startDate', 'endDate', 'hours'];
const SUGGESTION = ['name', 'description', 'categoryId', 'reason', 'isYearLong', 'activeFrom', 'activeUntil'];
const DECISION = ['status', 'adminReason', 'activityId'];
const PHOTO = ['activityId', 'caption', 'originalName', 'containsStudents', 'consent', 'review'];

/**
 * The values of an audit event that a data export contains, if the event is about the person or one of their items. Other
 * actions export none. The reason of a takedown request is never included, because it is only for reviewers (decisions).
 */
const EXPORTED_FIELDS: Readonly<Partial<Record<Action, readonly string[]>>> = {
  'entry.log': ENTRY,
  'entry.edit': ENTRY,
  'entry.delete': ENTRY,
  'entry.restore': ENTRY,
  'entry.ask-outside': ['by'],
  'entry.ask-reopening': STATE,
  'entry.name-supervisor': ['by'],
  'entry.verify': STATE,
  'entry.decline': STATE,
  'entry.reopen': STATE,
  'entry.undo-decision': STATE,
  'entry.verify-outside': EXTERNAL_DECISION,
  'entry.decline-outside': EXTERNAL_DECISION,
  'account.register': ACCOUNT,
  'account.create': ACCOUNT,
  'account.edit': ACCOUNT,
  'account.change': [...ACCOUNT, 'password'],
  'erasure.ask': ['reason'],
  'erasure.decline': ['reason'],
  'people.write': ['subject', 'letters'],
  'membership.add': ['schoolIds'],
  'membership.approve': GRANTS,
  'session.start': ['secondProof'],
  'session.provider': ['provider', 'secondProof'],
  'provider.link': ['provider'],
  'provider.unlink': ['provider'],
  'second-proof.settings': ['secondFactor', 'secondFactorGraceDays'],
  'session.end-provider': ['provider', 'ended'],
  'session.end-others': ['ended'],
  'access.refuse': ['request'],
  'access.miss': ['request'],
  'access.claim': ['request', 'fields'],
  'photo.upload': PHOTO,
  'photo.caption': ['caption'],
  'photo.delete': PHOTO,
  'photo.restore': PHOTO,
  'photo.approve': ['review'],
  'photo.takedown': ['review'],
  'letter.issue': LETTER,
  'letter.withdraw': ['letter'],
  'suggestion.submit': SUGGESTION,
  'suggestion.approve': DECISION,
  'suggestion.reject': DECISION,
  'suggestion.delete': DECISION,
  'suggestion.remove': [...SUGGESTION, ...DECISION],
};

/** Converts an event for the data export of its actor or of the person it concerns. */
export function exportableAuditValues(userId: number, row: Row<'audit_events'>) {
  const { at, action } = row;
  if (!isAction(action)) return { at, action };
  const address = row.actor_id === userId ? row.address : null;
  if (!isAbout(userId, row)) return { at, action, address };
  const { subject, subject_id: subjectId } = row;
  const fields = EXPORTED_FIELDS[action] ?? [];
  const values = { before: pickFields(fields, row.before), after: pickFields(fields, row.after) };
  return { at, action, subject, subjectId, ...values, address };
}

// Items that a person can own. For the actor's own items, the event stores no `person_id`.
const OWNABLE = ['time-entry', 'photo', 'suggestion'];

function isAbout(userId: number, row: Row<'audit_events'>): boolean {
  if (row.person_id !== null) return row.person_id === userId;
  if (row.subject === 'user') return row.subject_id === userId;
  return row.actor_id === userId && OWNABLE.includes(row.subject);
}

function pickFields(
  fields: readonly string[],
  saved: string | null,
): Readonly<Record<string, unknown>> | null {
  if (saved === null) return null;
  const values = Object.entries(JSON.parse(saved)).filter(([field]) => fields.includes(field));
  return values.length === 0 ? null : Object.fromEntries(values);
}
