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
  type ActionKind,
  type Change,
  type ChangedValue,
  DESCRIBED_BY_KIND,
  isAction,
  type ListedAuditEvent,
} from '../contract.ts';

/** Describes an audit event in one sentence: 'Maria Lopez changed the hours of ... from 2 to 3'. */
export function describeEvent(record: ListedAuditEvent, text: Text): string {
  const { t, language } = text;
  const { thing, person } = record;
  const names = {
    who: auditActorName(record, text),
    thing: describeSubject(record, text),
    name: thing.name ?? t('audit:formerName'),
    person: person?.name ?? t('audit:formerName'),
    school: record.school?.name ?? '',
    day: thing.day === null ? '' : formatDay(thing.day, language),
    hours: fieldValueLabel('hours', valueAfter(record, 'hours'), text),
    counted: fieldValueLabel('countedHours', valueAfter(record, 'countedHours'), text),
    by: String(valueAfter(record, 'by') ?? ''),
    reason: String(valueAfter(record, 'decisionNote') ?? valueAfter(record, 'reason') ?? ''),
    note: String(valueAfter(record, 'reopenNote') ?? ''),
    state: fieldValueLabel('verification', valueAfter(record, 'verification'), text),
  };
  const role = findRoleChange(record, text);
  if (role !== undefined) return t(role.key, { ...names, role: role.words });
  const own = findOwnMessage(record);
  if (own !== undefined) return t(own, names);
  const kind = isAction(record.action) ? ACTIONS[record.action].kind : undefined;
  if (kind === 'change') return describeChange(record, names, text);
  return t(BY_KIND[kind ?? ''] ?? 'audit:change', names);
}

const valueAfter = ({ changes }: ListedAuditEvent, field: string): ChangedValue =>
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
  const key = FIELD_MESSAGES[field];
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
  if (field === 'language' || field === 'languages') return listLanguageNames(value);
  const key = VALUE_MESSAGES[`${field} ${value}`];
  if (key !== undefined) return t(key);
  // An instant is shown as its day.
  const day = /^\d{4}-\d{2}-\d{2}T[\d:.]+Z$/.test(value) ? value.slice(0, 10) : value;
  return isCalendarDate(day) ? formatDay(day, language) : t('audit:quoted', { text: value });
}

// Names each language in that language.
function listLanguageNames(value: string): string {
  return value
    .split(', ')
    .map((one) => OWN_NAMES[one as Language] ?? one)
    .join(', ');
}

/** Whether the sentence about an event already contains all of its changes. */
export function isShownInDescription(record: ListedAuditEvent, text: Text): boolean {
  const { action, changes } = record;
  if (findRoleChange(record, text) !== undefined) return true;
  if (STATE_ACTIONS.includes(action)) {
    return changes.every(({ field }) => STATE_FIELDS.includes(field));
  }
  const [only, ...others] = changes;
  if (only === undefined) return true;
  if (others.length > 0 || !isAction(action) || ACTIONS[action].kind !== 'change') return false;
  return FIELDS_WITHOUT_VALUES.includes(only.field) || fitsInSentence(only, text);
}

/** Formats the old and new value of a field; only the new value for a created item, only the old one for a deleted item. */
export function describeFieldChange({ field, before, after }: Change, text: Text): string {
  if (FIELDS_WITHOUT_VALUES.includes(field)) return text.t('audit:changed');
  if (before === null) return fieldValueLabel(field, after, text);
  if (after === null) return text.t('audit:was', { before: fieldValueLabel(field, before, text) });
  return text.t('audit:fromTo', {
    before: fieldValueLabel(field, before, text),
    after: fieldValueLabel(field, after, text),
  });
}

// Describes one role that was granted or revoked: 'coordinator of Lincoln'.
function findRoleChange({ action, changes }: ListedAuditEvent, text: Text) {
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

// The sentence about a decision on hours contains all details: the reviewer, the hours and the reason.
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
const FIELDS_WITHOUT_VALUES = ['logoUrl', 'password'];

// Longer values are shown below the sentence.
const MAX_IN_SENTENCE = 60;

function describeChange({ changes }: ListedAuditEvent, names: Names, text: Text): string {
  const [only, ...others] = changes;
  if (only === undefined) return text.t('audit:changeNothing', names);
  if (others.length > 0) return text.t('audit:change', names);
  const field = fieldLabel(only.field, text);
  if (!fitsInSentence(only, text)) return text.t('audit:changeOne', { ...names, field });
  const [before, after] = [only.before, only.after].map((value) => fieldValueLabel(only.field, value, text));
  return text.t('audit:changeFromTo', { ...names, field, before: before ?? '', after: after ?? '' });
}

function fitsInSentence({ field, before, after }: Change, text: Text): boolean {
  const values = [before, after].map((value) => fieldValueLabel(field, value, text));
  return !FIELDS_WITHOUT_VALUES.includes(field) && values.join('').length <= MAX_IN_SENTENCE;
}

/** Returns the name of the actor. */
export function auditActorName({ actor, isSystem }: ListedAuditEvent, { t }: Text): string {
  if (actor === null) return t(isSystem ? 'audit:system' : 'audit:nobody');
  return actor.name ?? t('audit:formerAccount');
}

function describeSubject({ thing, person, actor }: ListedAuditEvent, { t, language }: Text): string {
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
} satisfies Partial<Record<ActionKind, MessageKey>>;

const LIST_EXPORT_MESSAGES: Readonly<Record<string, MessageKey>> = {
  users: 'audit:listExportUsers',
  schools: 'audit:listExportSchools',
  categories: 'audit:listExportCategories',
  activities: 'audit:listExportActivities',
  suggestions: 'audit:listExportSuggestions',
};

/** Actions with a message that depends on the event. */
const VARYING = {
  'entry.log': (record) => {
    const isOwn = record.person === null;
    if (valueAfter(record, 'fromImport') !== null)
      return isOwn ? 'audit:entryImport' : 'audit:entryImportFor';
    return isOwn ? 'audit:entryLog' : 'audit:entryLogFor';
  },
  'entry.ask-reopening': (record) =>
    valueAfter(record, 'reopenNote') === null ? 'audit:entryAskReopening' : 'audit:entryAskReopeningNote',
  'entry.verify-outside': (record) =>
    valueAfter(record, 'hours') === null ? 'audit:entryVerifyOutside' : 'audit:entryVerifyOutsideHours',
  'entry.decline-outside': (record) =>
    valueAfter(record, 'reason') === null ? 'audit:entryDeclineOutside' : 'audit:entryDeclineOutsideReason',
  'entry.verify': (record) =>
    valueAfter(record, 'countedHours') === null ? 'audit:entryVerify' : 'audit:entryVerifyHours',
  'entry.decline': (record) =>
    valueAfter(record, 'decisionNote') === null ? 'audit:entryDecline' : 'audit:entryDeclineReason',
  'entry.undo-decision': (record) =>
    valueAfter(record, 'verification') === null ? 'audit:entryUndoDecision' : 'audit:entryUndoDecisionTo',
  'list.export': (record) => LIST_EXPORT_MESSAGES[String(valueAfter(record, 'list'))] ?? 'audit:listExport',
  'session.fail': ({ thing }) => (thing.id === null ? 'audit:sessionFailUnknown' : 'audit:sessionFail'),
  'session.ask-link': ({ thing }) =>
    thing.id === null ? 'audit:sessionAskLinkUnknown' : 'audit:sessionAskLink',
  'password.forget': ({ thing }) =>
    thing.id === null ? 'audit:passwordForgetUnknown' : 'audit:passwordForget',
} as const satisfies Partial<Record<Action, (record: ListedAuditEvent) => MessageKey>>;

type OwnAction = Exclude<Action, (typeof DESCRIBED_BY_KIND)[number] | keyof typeof VARYING>;
type CamelCase<Name extends string> = Name extends `${infer First}.${infer Rest}`
  ? `${CamelCase<First>}${Capitalize<CamelCase<Rest>>}`
  : Name extends `${infer First}-${infer Rest}`
    ? `${First}${Capitalize<CamelCase<Rest>>}`
    : Name;

/**
 * Returns the action's own message, such as `sessionEnd` for 'session.end'; undefined if the message of its kind describes it.
 */
function findOwnMessage(record: ListedAuditEvent): MessageKey | undefined {
  const { action } = record;
  if (!isAction(action) || DESCRIBED_BY_KIND.some((one) => one === action)) return undefined;
  if (isVarying(action)) return VARYING[action](record);
  const name = action.replace(/[.-](\w)/g, (_, letter: string) => letter.toUpperCase());
  return `audit:${name as CamelCase<OwnAction>}`;
}

function isVarying(action: Action): action is keyof typeof VARYING {
  return Object.hasOwn(VARYING, action);
}

const FIELD_MESSAGES: Readonly<Record<string, MessageKey>> = {
  ...listFieldMessages(ENTRY_FIELDS),
  ...listFieldMessages(ACTIVITY_FIELDS),
  ...listFieldMessages(CATEGORY_FIELDS),
  ...listFieldMessages(SCHOOL_FIELDS),
  ...listFieldMessages(SUGGESTION_FIELDS),
  ...listFieldMessages(PHOTO_FIELDS),
  ...listFieldMessages(USER_FIELDS),
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

function listFieldMessages(
  fields: Readonly<Record<string, { readonly log: { readonly text: MessageKey; readonly as?: string } }>>,
): Record<string, MessageKey> {
  return Object.fromEntries(Object.entries(fields).map(([name, { log }]) => [log.as ?? name, log.text]));
}

const VALUE_MESSAGES: Readonly<Record<string, MessageKey>> = {
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
