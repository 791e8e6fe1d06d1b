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
 * The values of an audit event that a data export contains, if the event is about the person or one of their items. For an
 * action that is not listed, it contains only the action and the time. The reason of a takedown request is never included,
 * because it is only for reviewers (decisions).
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
  'entry.export': [],
  'entry.download': [],
  'list.export': [],
  'entry.verify-outside': EXTERNAL_DECISION,
  'entry.decline-outside': EXTERNAL_DECISION,
  'outside.stop': [],
  'account.register': ACCOUNT,
  'account.create': ACCOUNT,
  'account.link': [],
  'account.first-administrator': [],
  'account.edit': ACCOUNT,
  'account.change': [...ACCOUNT, 'password'],
  'account.confirm-address': [],
  'account.delete': [],
  'account.erase': [],
  'account.merge': [],
  'account.merge-away': [],
  'account.apart': [],
  'account.alike': [],
  'account.part': [],
  'account.part-away': [],
  'account.download': [],
  'erasure.ask': ['reason'],
  'erasure.withdraw': [],
  'erasure.decline': ['reason'],
  'people.write': ['subject', 'letters'],
  'membership.add': ['schoolIds'],
  'membership.remove': [],
  'membership.approve': GRANTS,
  'membership.decline': [],
  'session.start': ['secondProof'],
  'session.provider': ['provider', 'secondProof'],
  'provider.link': ['provider'],
  'provider.unlink': ['provider'],
  'second-proof.add': [],
  'second-proof.remove': [],
  'second-proof.codes': [],
  'second-proof.reset': [],
  'second-proof.settings': ['secondFactor', 'secondFactorGraceDays'],
  'second-proof.fail': [],
  'session.fail': [],
  'session.end': [],
  'session.mailed-link': [],
  'session.ask-link': [],
  'session.end-provider': ['provider', 'ended'],
  'session.end-others': ['ended'],
  'session.prove': [],
  'session.passkey': [],
  'passkey.add': [],
  'passkey.remove': [],
  'passkey.cloned': [],
  'session.end-one': [],
  'access.refuse': ['request'],
  'access.miss': ['request'],
  'access.claim': ['request', 'fields'],
  'password.fail': [],
  'password.forget': [],
  'password.change': [],
  'password.reset': [],
  'invite.create': [],
  'invite.resend': [],
  'invite.revoke': [],
  'users.import': [],
  'users.import-undo': [],
  'hours.import': [],
  'hours.import-undo': [],
  'school.create': [],
  'school.edit': [],
  'school.logo': [],
  'school.logo-remove': [],
  'school.delete': [],
  'category.create': [],
  'category.edit': [],
  'category.delete': [],
  'activities.add': [],
  'activities.undo': [],
  'activity.create': [],
  'activity.edit': [],
  'activity.log-code': [],
  'activity.sign-in-sheet': [],
  'activity.delete': [],
  'photo.upload': PHOTO,
  'photo.caption': ['caption'],
  'photo.delete': PHOTO,
  'photo.restore': PHOTO,
  'photo.approve': ['review'],
  'photo.takedown': ['review'],
  'photo.settings': [],
  'drive.connect': [],
  'drive.disconnect': [],
  'drive.settings': [],
  'drive.sync': [],
  'drive.sync-cancel': [],
  'system.mail-retry': [],
  'system.mail-drop': [],
  'system.mail-test': [],
  'system.job-run': [],
  'system.clock-confirm': [],
  'system.key-rotate': [],
  'district.first-run': [],
  'district.logo': [],
  'district.logo-remove': [],
  'district.settings': [],
  'retention.settings': [],
  'retention.shorten': [],
  'retention.cancel': [],
  'retention.delete': [],
  'hold.place': [],
  'hold.lift': [],
  'letter.issue': LETTER,
  'letter.withdraw': ['letter'],
  'letter.stop': [],
  'letter.download': [],
  'report.statement': [],
  'report.summary': [],
  'report.in-kind': [],
  'milestones.export': [],
  'milestones.settings': [],
  'report.rate': [],
  'suggestion.submit': SUGGESTION,
  'suggestion.approve': DECISION,
  'suggestion.reject': DECISION,
  'suggestion.delete': DECISION,
  'suggestion.remove': [...SUGGESTION, ...DECISION],
};

/** Converts an event for the data export of its actor or of the person it concerns. */
export function exportableAuditValues(userId: number, row: Row<'audit_events'>) {
  const { at, action } = row;
  const fields = isAction(action) ? EXPORTED_FIELDS[action] : undefined;
  if (fields === undefined) return { at, action };
  const address = row.actor_id === userId ? row.address : null;
  if (!isAbout(userId, row)) return { at, action, address };
  const { subject, subject_id: subjectId } = row;
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
