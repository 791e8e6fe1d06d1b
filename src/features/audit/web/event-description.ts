import { ACTIVITY_FIELDS } from '#features/activities/activity-fields.ts';
import { CATEGORY_FIELDS } from '#features/activities/categories/category-fields.ts';
import { SUGGESTION_FIELDS } from '#features/activities/suggestions/suggestion-fields.ts';
import { PHOTO_FIELDS } from '#features/photos/photo-fields.ts';
import { SCHOOL_FIELDS } from '#features/schools/school-fields.ts';
import { ENTRY_FIELDS } from '#features/time-entries/time-entry-fields.ts';
import { PROFILE_FIELDS, USER_FIELDS } from '#features/users/user-fields.ts';
import { formatDay, isCalendarDate } from '#shared/calendar-date.ts';
import { TRANSLATIONS } from '#shared/content-translations.ts';
import { formatHours } from '#shared/hours.ts';
import type { Language } from '#shared/i18n/languages.ts';
import { AUDITED_ROLE_NAMES } from '#shared/permissions.ts';
import { languageName, OWN_NAMES } from '#web/i18n/language.ts';
import type { MessageKey, Text } from '#web/i18n/translate.ts';
import {
  ACTIONS,
  type Action,
  type Change,
  type ChangedValue,
  isAction,
  type Kind,
  type ListedAuditEvent,
} from '../contract.ts';

/** Describes an audit event in one sentence: 'Maria Lopez changed the hours of ... from 2 to 3'. */
export function sentenceOf(record: ListedAuditEvent, text: Text): string {
  const { t, language } = text;
  const { thing, person } = record;
  const names = {
    who: auditActorName(record, text),
    thing: thingIn(record, text),
    name: thing.name ?? t('audit:formerName'),
    person: person?.name ?? t('audit:formerName'),
    school: record.school?.name ?? '',
    day: thing.day === null ? '' : formatDay(thing.day, language),
    hours: fieldValueLabel('hours', after(record, 'hours'), text),
    counted: fieldValueLabel('countedHours', after(record, 'countedHours'), text),
    by: String(after(record, 'by') ?? ''),
    reason: String(after(record, 'decisionNote') ?? after(record, 'reason') ?? ''),
    note: String(after(record, 'reopenNote') ?? ''),
    state: fieldValueLabel('verification', after(record, 'verification'), text),
  };
  const role = roleChange(record, text);
  if (role !== undefined) return t(role.key, { ...names, role: role.words });
  const own = OWN[record.action]?.(record);
  if (own !== undefined) return t(own, names);
  const kind = isAction(record.action) ? ACTIONS[record.action].kind : undefined;
  if (kind === 'change') return changeOf(record, names, text);
  return t(BY_KIND[kind ?? ''] ?? 'audit:change', names);
}

const after = ({ changes }: ListedAuditEvent, field: string): ChangedValue =>
  changes.find((change) => change.field === field)?.after ?? null;

/** Returns the title of a changed field. */
export function fieldLabel(field: string, text: Text): string {
  const { t } = text;
  const [whole, language, name] = field.split('.');
  if (whole === TRANSLATIONS && language !== undefined && name !== undefined) {
    return t('audit:fieldInLanguage', {
      field: fieldLabel(name, text),
      language: languageName(language, text),
    });
  }
  const key = FIELDS[field];
  // A field without a message is shown by its own name, split into words.
  return key === undefined ? field.replace(/([A-Z])/g, ' $1').toLowerCase() : t(key);
}

/** Formats a field's value. */
export function fieldValueLabel(field: string, value: ChangedValue, { t, language }: Text): string {
  if (value === null || value === '') return t('audit:nothing');
  if (Array.isArray(value)) return value.length === 0 ? t('audit:nothing') : value.join(', ');
  if (typeof value === 'number') return formatHours(value, language);
  if (field === 'isActive') return t(value === true ? 'audit:active' : 'audit:inactive');
  if (typeof value === 'boolean') return t(value ? 'audit:yes' : 'audit:no');
  if (field === 'language' || field === 'languages') return namesIn(value);
  const key = WORDS[`${field} ${value}`];
  if (key !== undefined) return t(key);
  // An instant is shown as its day.
  const day = /^\d{4}-\d{2}-\d{2}T[\d:.]+Z$/.test(value) ? value.slice(0, 10) : value;
  return isCalendarDate(day) ? formatDay(day, language) : t('audit:quoted', { text: value });
}

// Each language by its own name.
function namesIn(value: string): string {
  return value
    .split(', ')
    .map((one) => OWN_NAMES[one as Language] ?? one)
    .join(', ');
}

/** Whether the sentence of an event already contains everything that changed. */
export function isShownInDescription(record: ListedAuditEvent, text: Text): boolean {
  const { action, changes } = record;
  if (roleChange(record, text) !== undefined) return true;
  if (STATE_ACTIONS.includes(action) && OWN[action]?.(record) !== undefined) {
    return changes.every(({ field }) => STATE_FIELDS.includes(field));
  }
  const [only, ...others] = changes;
  if (only === undefined) return true;
  if (others.length > 0 || !isAction(action) || ACTIONS[action].kind !== 'change') return false;
  return SILENT.includes(only.field) || isShort(only, text);
}

/**
 * The old and new value of a field in words; only the new value for a created item, only the old one for a deleted
 * item.
 */
export function describeFieldChange({ field, before, after }: Change, text: Text): string {
  if (SILENT.includes(field)) return text.t('audit:changed');
  if (before === null) return fieldValueLabel(field, after, text);
  if (after === null) return text.t('audit:was', { before: fieldValueLabel(field, before, text) });
  return text.t('audit:fromTo', {
    before: fieldValueLabel(field, before, text),
    after: fieldValueLabel(field, after, text),
  });
}

// One role that was given or taken: 'coordinator of Lincoln'.
function roleChange({ action, changes }: ListedAuditEvent, text: Text) {
  const [only, ...others] = changes;
  if (action !== 'account.change' || only === undefined || others.length > 0) return undefined;
  const isGiven = only.before === null;
  const places = isGiven ? only.after : only.before;
  if (!ROLE_FIELDS.includes(only.field) || (!isGiven && only.after !== null)) return undefined;
  const where = Array.isArray(places) ? ` ${places.join(', ')}` : '';
  const key: MessageKey = isGiven ? 'audit:roleGiven' : 'audit:roleTaken';
  return { key, words: `${fieldLabel(only.field, text)}${where}` };
}

const ROLE_FIELDS: readonly string[] = [...Object.values(AUDITED_ROLE_NAMES), 'auditorOfAll'];

type Names = Readonly<Record<'who' | 'thing', string>>;

// The sentence about a decision on hours contains everything: by whom, which hours, and why.
const STATE_ACTIONS: readonly string[] = [
  'entry.ask-outside',
  'entry.ask-reopening',
  'entry.name-supervisor',
  'entry.verify-outside',
  'entry.decline-outside',
  'entry.verify',
  'entry.decline',
  'entry.reopen',
  'entry.undo-decision',
] satisfies Action[];
const STATE_FIELDS: readonly string[] = [
  'verification',
  'countedHours',
  'decisionNote',
  'reopenNote',
  'by',
  'hours',
  'reason',
];

// Fields whose values mean nothing to a reader, such as an image or a password.
const SILENT = ['logoUrl', 'password'];

// Longer values are shown below the sentence.
const LONGEST_IN_SENTENCE = 60;

function changeOf({ changes }: ListedAuditEvent, names: Names, text: Text): string {
  const [only, ...others] = changes;
  if (only === undefined) return text.t('audit:changeNothing', names);
  if (others.length > 0) return text.t('audit:change', names);
  const field = fieldLabel(only.field, text);
  if (!isShort(only, text)) return text.t('audit:changeOne', { ...names, field });
  const [before, after] = [only.before, only.after].map((value) => fieldValueLabel(only.field, value, text));
  return text.t('audit:changeFromTo', { ...names, field, before: before ?? '', after: after ?? '' });
}

function isShort({ field, before, after }: Change, text: Text): boolean {
  const values = [before, after].map((value) => fieldValueLabel(field, value, text));
  return !SILENT.includes(field) && values.join('').length <= LONGEST_IN_SENTENCE;
}

/** Describes who did it. */
export function auditActorName({ actor, isSystem }: ListedAuditEvent, { t }: Text): string {
  if (actor === null) return t(isSystem ? 'audit:system' : 'audit:nobody');
  return actor.name ?? t('audit:formerAccount');
}

function thingIn({ thing, person, actor }: ListedAuditEvent, { t, language }: Text): string {
  const name = thing.name ?? t('audit:formerName');
  switch (thing.kind) {
    case 'time-entry': {
      if (thing.name === null || thing.day === null) return t('audit:anUnknownTimeEntry');
      const day = formatDay(thing.day, language);
      if (person === null) return t('audit:aTimeEntry', { name, day });
      return t('audit:aPersonsTimeEntry', { name, day, person: person.name ?? t('audit:formerName') });
    }
    case 'user':
      return thing.id === actor?.id ? t('audit:theirAccount') : t('audit:anAccount', { name });
    case 'invite':
      return thing.name === null ? t('audit:anUnknownInvite') : t('audit:anInvite', { name });
    case 'school':
      return t('audit:aSchool', { name });
    case 'category':
      return t('audit:aCategory', { name });
    case 'photo':
      return thing.name === null ? t('audit:anUnknownPhoto') : t('audit:aPhoto', { name });
    case 'drive':
      return t('audit:driveSettings');
    case 'setting':
      return t('audit:photoSettings');
    case 'suggestion':
      return t('audit:aSuggestion', { name });
    case 'activity':
      return t('audit:anActivity', { name });
    default:
      return thing.name ?? t('audit:somethingElse');
  }
}

const BY_KIND: Readonly<Record<string, MessageKey>> = {
  create: 'audit:create',
  delete: 'audit:delete',
  restore: 'audit:restore',
} satisfies Partial<Record<Kind, MessageKey>>;

const LIST_TEXTS: Readonly<Record<string, MessageKey>> = {
  users: 'audit:listExportUsers',
  schools: 'audit:listExportSchools',
  categories: 'audit:listExportCategories',
  activities: 'audit:listExportActivities',
  suggestions: 'audit:listExportSuggestions',
};

/** Actions with a sentence of their own, because the sentence of their kind does not fit. */
const OWN: Readonly<Record<string, (record: ListedAuditEvent) => MessageKey>> = {
  'entry.log': (record) => {
    const isOwn = record.person === null;
    if (after(record, 'fromImport') !== null) return isOwn ? 'audit:entryImport' : 'audit:entryImportFor';
    return isOwn ? 'audit:entryLog' : 'audit:entryLogFor';
  },
  'entry.ask-outside': () => 'audit:entryAskOutside',
  'entry.ask-reopening': (record) =>
    after(record, 'reopenNote') === null ? 'audit:entryAskReopening' : 'audit:entryAskReopeningNote',
  'entry.name-supervisor': () => 'audit:entryNameSupervisor',
  'entry.verify-outside': (record) =>
    after(record, 'hours') === null ? 'audit:entryVerifyOutside' : 'audit:entryVerifyOutsideHours',
  'entry.decline-outside': (record) =>
    after(record, 'reason') === null ? 'audit:entryDeclineOutside' : 'audit:entryDeclineOutsideReason',
  'outside.stop': () => 'audit:outsideStop',
  'entry.verify': (record) =>
    after(record, 'countedHours') === null ? 'audit:entryVerify' : 'audit:entryVerifyHours',
  'entry.decline': (record) =>
    after(record, 'decisionNote') === null ? 'audit:entryDecline' : 'audit:entryDeclineReason',
  'entry.reopen': () => 'audit:entryReopen',
  'entry.undo-decision': (record) =>
    after(record, 'verification') === null ? 'audit:entryUndoDecision' : 'audit:entryUndoDecisionTo',
  'entry.export': () => 'audit:entryExport',
  'list.export': (record) => LIST_TEXTS[String(after(record, 'list'))] ?? 'audit:listExport',
  'entry.download': () => 'audit:entryDownload',
  'letter.issue': () => 'audit:letterIssue',
  'letter.withdraw': () => 'audit:letterWithdraw',
  'letter.stop': () => 'audit:letterStop',
  'letter.download': () => 'audit:letterDownload',
  'report.statement': () => 'audit:reportStatement',
  'report.summary': () => 'audit:reportSummary',
  'report.in-kind': () => 'audit:reportInKind',
  'milestones.export': () => 'audit:milestonesExport',
  'milestones.settings': () => 'audit:milestonesSettings',
  'report.rate': () => 'audit:reportRate',
  'account.register': () => 'audit:accountRegister',
  'account.first-administrator': () => 'audit:accountFirstAdministrator',
  'account.confirm-address': () => 'audit:accountConfirmAddress',
  'account.erase': () => 'audit:accountErase',
  'account.merge': () => 'audit:accountMerge',
  'account.merge-away': () => 'audit:accountMergeAway',
  'account.apart': () => 'audit:accountApart',
  'account.alike': () => 'audit:accountAlike',
  'account.part': () => 'audit:accountPart',
  'account.part-away': () => 'audit:accountPartAway',
  'account.download': () => 'audit:accountDownload',
  'erasure.ask': () => 'audit:erasureAsk',
  'erasure.withdraw': () => 'audit:erasureWithdraw',
  'erasure.decline': () => 'audit:erasureDecline',
  'people.write': () => 'audit:peopleWrite',
  'membership.add': () => 'audit:membershipAdd',
  'membership.remove': () => 'audit:membershipRemove',
  'membership.approve': () => 'audit:membershipApprove',
  'membership.decline': () => 'audit:membershipDecline',
  'session.start': () => 'audit:sessionStart',
  'session.provider': () => 'audit:sessionProvider',
  'provider.link': () => 'audit:providerLink',
  'provider.unlink': () => 'audit:providerUnlink',
  'second-proof.add': () => 'audit:secondProofAdd',
  'second-proof.remove': () => 'audit:secondProofRemove',
  'second-proof.codes': () => 'audit:secondProofCodes',
  'account.link': () => 'audit:accountLink',
  'second-proof.reset': () => 'audit:secondProofReset',
  'second-proof.settings': () => 'audit:secondProofSettings',
  'second-proof.fail': () => 'audit:secondProofFail',
  'session.fail': ({ thing }) => (thing.id === null ? 'audit:sessionFailUnknown' : 'audit:sessionFail'),
  'session.end': () => 'audit:sessionEnd',
  'session.mailed-link': () => 'audit:sessionMailedLink',
  'session.ask-link': ({ thing }) =>
    thing.id === null ? 'audit:sessionAskLinkUnknown' : 'audit:sessionAskLink',
  'session.end-provider': () => 'audit:sessionEndProvider',
  'session.end-others': () => 'audit:sessionEndOthers',
  'session.prove': () => 'audit:sessionProve',
  'session.passkey': () => 'audit:sessionPasskey',
  'passkey.add': () => 'audit:passkeyAdd',
  'passkey.remove': () => 'audit:passkeyRemove',
  'passkey.cloned': () => 'audit:passkeyCloned',
  'session.end-one': () => 'audit:sessionEndOne',
  'access.refuse': () => 'audit:accessRefuse',
  'access.miss': () => 'audit:accessMiss',
  'access.claim': () => 'audit:accessClaim',
  'password.fail': () => 'audit:passwordFail',
  'password.forget': ({ thing }) =>
    thing.id === null ? 'audit:passwordForgetUnknown' : 'audit:passwordForget',
  'password.change': () => 'audit:passwordChange',
  'password.reset': () => 'audit:passwordReset',
  'drive.connect': () => 'audit:driveConnect',
  'drive.disconnect': () => 'audit:driveDisconnect',
  'drive.sync': () => 'audit:driveSync',
  'drive.sync-cancel': () => 'audit:driveSyncCancel',
  'system.mail-retry': () => 'audit:systemMailRetry',
  'system.mail-drop': () => 'audit:systemMailDrop',
  'system.mail-test': () => 'audit:systemMailTest',
  'system.job-run': () => 'audit:systemJobRun',
  'system.clock-confirm': () => 'audit:systemClockConfirm',
  'system.key-rotate': () => 'audit:systemKeyRotate',
  'district.first-run': () => 'audit:districtFirstRun',
  'district.logo': () => 'audit:districtLogo',
  'district.logo-remove': () => 'audit:districtLogoRemove',
  'district.settings': () => 'audit:districtSettings',
  'retention.settings': () => 'audit:retentionSettings',
  'retention.shorten': () => 'audit:retentionShorten',
  'retention.cancel': () => 'audit:retentionCancel',
  'retention.delete': () => 'audit:retentionDelete',
  'hold.place': () => 'audit:holdPlace',
  'hold.lift': () => 'audit:holdLift',
  'photo.approve': () => 'audit:photoApprove',
  'photo.takedown': () => 'audit:photoTakedown',
  'school.logo-remove': () => 'audit:schoolLogoRemove',
  'suggestion.submit': () => 'audit:suggestionSubmit',
  'suggestion.approve': () => 'audit:suggestionApprove',
  'suggestion.reject': () => 'audit:suggestionReject',
  'invite.create': () => 'audit:inviteCreate',
  'invite.resend': () => 'audit:inviteResend',
  'activity.log-code': () => 'audit:activityLogCode',
  'activity.sign-in-sheet': () => 'audit:activitySignInSheet',
  'activities.add': () => 'audit:activitiesAdd',
  'activities.undo': () => 'audit:activitiesUndo',
  'users.import': () => 'audit:usersImport',
  'users.import-undo': () => 'audit:usersImportUndo',
  'hours.import': () => 'audit:hoursImport',
  'hours.import-undo': () => 'audit:hoursImportUndo',
  'invite.revoke': () => 'audit:inviteRevoke',
} satisfies Partial<Record<Action, (record: ListedAuditEvent) => MessageKey>>;

const FIELDS: Readonly<Record<string, MessageKey>> = {
  ...wordsOf(ENTRY_FIELDS),
  ...wordsOf(ACTIVITY_FIELDS),
  ...wordsOf(CATEGORY_FIELDS),
  ...wordsOf(SCHOOL_FIELDS),
  ...wordsOf(SUGGESTION_FIELDS),
  ...wordsOf(PHOTO_FIELDS),
  ...wordsOf(USER_FIELDS),
  activities: 'audit:fieldActivities',
  categories: 'audit:fieldCategories',
  nightly: 'audit:fieldNightly',
  folder: 'audit:fieldFolder',
  schools: 'audit:fieldSchools',
  pendingSchools: 'audit:fieldPendingSchools',
  password: 'audit:fieldPassword',
  provider: 'audit:fieldProvider',
  secondProof: 'audit:fieldSecondProof',
  districtName: 'audit:fieldDistrictName',
  supportEmail: 'audit:fieldSupportEmail',
  schoolYearStart: 'audit:fieldSchoolYearStart',
  timeZone: 'audit:fieldTimeZone',
  registration: 'audit:fieldRegistration',
  photosSeenBy: 'audit:fieldPhotosSeenBy',
  language: PROFILE_FIELDS.language.log.text,
  languages: 'audit:fieldLanguages',
  mailServer: 'audit:fieldMailServer',
  mailFrom: 'audit:fieldMailFrom',
  secondFactor: 'audit:fieldSecondFactor',
  secondFactorGraceDays: 'audit:fieldSecondFactorGraceDays',
  adminReason: 'audit:fieldAdminReason',
  countedHours: 'audit:fieldCountedHours',
  by: 'audit:fieldOutsideVerifier',
  decisionNote: 'audit:fieldAdminReason',
  reopenNote: 'audit:fieldReopenNote',
  status: 'audit:fieldStatus',
  request: 'audit:fieldRequest',
  people: 'audit:fieldPeople',
  memberships: 'audit:fieldMemberships',
  entries: 'audit:fieldEntries',
  fromImport: 'audit:fieldFromImport',
  kept: 'audit:fieldKept',
  expiresAt: 'audit:fieldExpiresAt',
  format: 'audit:fieldFormat',
  rows: 'audit:fieldRows',
  sortBy: 'audit:fieldSortBy',
  sortOrder: 'audit:fieldSortOrder',
  startDate: 'audit:fieldActiveFrom',
  endDate: 'audit:fieldActiveUntil',
  consent: 'audit:fieldConsent',
  consentText: 'audit:fieldConsentText',
  review: 'audit:fieldReview',
  notify: 'audit:fieldNotify',
  logoUrl: 'audit:fieldLogo',
  members: 'audit:fieldMembers',
  schoolAdminOf: 'audit:fieldSchoolAdminOf',
  coordinatorOf: 'audit:fieldCoordinatorOf',
  auditorOf: 'audit:fieldAuditorOf',
  auditorOfAll: 'audit:fieldAuditorOfAll',
  job: 'audit:fieldJob',
  letter: 'audit:fieldLetter',
  subject: 'audit:fieldSubject',
  letters: 'audit:fieldLetters',
};

function wordsOf(
  fields: Readonly<Record<string, { readonly log: { readonly text: MessageKey; readonly as?: string } }>>,
): Record<string, MessageKey> {
  return Object.fromEntries(Object.entries(fields).map(([name, { log }]) => [log.as ?? name, log.text]));
}

const WORDS: Readonly<Record<string, MessageKey>> = {
  'role admin': 'users:roleAdmin',
  'role user': 'users:roleUser',
  'secondProof authenticator': 'audit:secondProofByApp',
  'secondFactor optional': 'audit:secondFactorOptional',
  'secondFactor administrators': 'audit:secondFactorAdministrators',
  'secondProof recovery-code': 'audit:secondProofByRecoveryCode',
  'sortOrder asc': 'time-entries:ascending',
  'sortOrder desc': 'time-entries:descending',
  'sortBy entryDate': 'time-entries:date',
  'sortBy userName': 'time-entries:user',
  'sortBy activityName': 'time-entries:activity',
  'sortBy hours': 'time-entries:hoursField',
  'sortBy activityDate': 'time-entries:activityDate',
  'verification waiting': 'audit:verificationWaiting',
  'verification verified': 'audit:verificationVerified',
  'verification declined': 'audit:verificationDeclined',
  'verification off': 'audit:verificationOff',
  'verification on': 'audit:verificationOn',
  'verifiedBy school': 'audit:verifiedBySchool',
  'verifiedBy trusted': 'audit:verifiedByNobody',
  'verifiedBy outside': 'audit:verifiedByOutside',
  'kind event': 'categories:event',
  'kind classroom': 'categories:classroom',
  'kind other': 'categories:other',
};
