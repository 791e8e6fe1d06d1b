import { closedBefore, closedMessages, closingDayText } from '#features/schools/closed-period.ts';
import type { NameListInput } from '#features/schools/content-translations/contract.ts';
import type { TranslatableRecords } from '#features/schools/content-translations/server/actions.ts';
import { findRequestedSchools, schoolColumn } from '#features/schools/server/actions.ts';
import { type AuditEvent, recordEvent } from '#server/audit-log.ts';
import { type Db, type Trx, transaction } from '#server/db/database.ts';
import { databaseFailure } from '#server/db/database-errors.ts';
import { pageByName } from '#server/db/queries/pagination.ts';
import { countNames } from '#server/db/queries/translated-name.ts';
import { lockRow } from '#server/db/row-locks.ts';
import type { Deps } from '#server/deps.ts';
import { type ListColumn, listFile } from '#server/export/list-file.ts';
import { isUnchanged, throwIfStale } from '#server/http/change-checks.ts';
import { describeCounts } from '#server/http/reference-check.ts';
import type { FileAnswer } from '#server/http/route-mount.ts';
import {
  type Acting,
  actorOf,
  canAt,
  hiddenPhotoSchools,
  type Request,
  type SchoolScope,
  type Viewer,
} from '#server/http/viewer.ts';
import { defaultLanguage } from '#server/i18n/recipient-language.ts';
import { translate } from '#server/i18n/translator.ts';
import { rejectIfActivityUnderLegalHold } from '#server/personal-data/legal-hold-guards.ts';
import { lockLegalHolds } from '#server/personal-data/legal-hold-store.ts';
import { todayIn } from '#server/today.ts';
import { dayIn } from '#shared/calendar-date.ts';
import { changedTranslations, OTHER_LANGUAGES } from '#shared/content-translations.ts';
import type { BodyOf, QueryOf } from '#shared/endpoint.ts';
import { changedFields, fieldsOf, newRecordValues } from '#shared/entity-fields.ts';
import { errors } from '#shared/errors.ts';
import { ACTIVITY_FIELDS } from '../activity-fields.ts';
import { unavailability } from '../activity-groups.ts';
import { messages as categoryMessages } from '../categories/contract.ts';
import { requireCategory } from '../categories/server/actions.ts';
import {
  type Activity,
  type ActivityChange,
  type ActivityInput,
  type AdminActivity,
  activityProblem,
  type ClosedPeriod,
  type exportActivities,
  LIMITS,
  type listAdminActivities,
  messages,
  TRANSLATED,
  type VolunteerActivity,
} from '../contract.ts';
import {
  type ActivityText,
  deleteActivity,
  findActivitiesByName,
  findActivity,
  findClosingSchools,
  insertActivity,
  listAllActivities,
  listNameKeys,
  pageOfActivities,
  updateActivity,
} from './store.ts';

export { findActivityFor, findActivityToLogFor, findTerms, type Terms } from './store.ts';

const LIST = 'activities';

type Answer = { activity: AdminActivity; message: string };

/**
 * Returns every activity in the viewer's scope by name, inactive ones included, of one school or of all (decisions: not
 * paged). 404 for a school outside the scope.
 */
export async function listForViewer(deps: Deps, viewer: Viewer, query: { schoolId?: number | undefined }) {
  const { db } = deps.database;
  const schools = await findRequestedSchools(db, viewer, query.schoolId);
  const activities = await listAllActivities(db, schools, defaultLanguage(deps));
  const hidden = hiddenPhotoSchools(viewer);
  return {
    activities: hidden.length === 0 ? activities : activities.map((one) => withoutPhotos(one, hidden)),
    closed: await closedPeriods(deps, viewer, schools),
  };
}

function withoutPhotos(activity: VolunteerActivity, hidden: readonly number[]): VolunteerActivity {
  return hidden.includes(activity.schoolId) ? { ...activity, photoCount: 0 } : activity;
}

async function closedPeriods(
  deps: Deps,
  viewer: Viewer,
  schools: SchoolScope,
): Promise<ClosedPeriod[] | null> {
  const today = todayIn(deps.config.timeZone, deps.clock.now());
  const found = (await findClosingSchools(deps.database.db, schools)).flatMap(({ id, name, ...terms }) => {
    const before = closedBefore(terms, today);
    if (before === null) return [];
    const date = closingDayText(before, today, deps.translator.language);
    const { closed, closedHere } = closedMessages;
    const message = translate(
      deps,
      canAt(viewer, 'edit entries', id) ? closedHere(date) : closed(date, name),
    );
    return [{ schoolId: id, before, message }];
  });
  return found.length === 0 ? null : found;
}

/** Returns a page of activities by name, of one school or of all, with the total count. */
export async function listForAdministrators(
  deps: Deps,
  viewer: Viewer,
  query: QueryOf<typeof listAdminActivities>,
) {
  const { db } = deps.database;
  const filter = {
    schools: await findRequestedSchools(db, viewer, query.schoolId),
    search: query.search ?? '',
    without: query.without,
  };
  const { rows, ...rest } = await pageByName(deps.secretKey, LIST, query, {
    read: (page) => pageOfActivities(db, filter, page),
    count: () => countNames(db, 'activities', filter),
  });
  return { activities: rows, ...rest };
}

/**
 * Creates an activity, for an administrator or an approved suggestion. It is active by default. Throws 404 for an unknown
 * school or category, 400 for a category of another school or if `activityProblem` finds a problem.
 */
export async function createActivity(
  trx: Trx,
  { viewer, request }: Acting,
  input: ActivityInput,
): Promise<AdminActivity> {
  await findRequestedSchools(trx, viewer, input.schoolId);
  await requireCategoryOf(trx, viewer, input.schoolId, input.categoryId);
  const id = await insertActivity(trx, { ...newActivityValues(input), at: request.at }).catch(
    rejectDeletedCategory,
  );
  const created = await requireActivity(trx, viewer, id);
  await recordEvent(trx, actorOf(viewer, request), {
    action: 'activity.create',
    subject: 'activity',
    subjectId: id,
    schoolId: created.schoolId,
    after: fieldsOf(ACTIVITY_FIELDS, created),
  });
  return created;
}

/** Returns the values of a new activity with defaults. Throws 400 if `activityProblem` finds a problem. */
export function newActivityValues(input: ActivityInput) {
  const { isActive = DEFAULTS.isActive, requiresDescription = DEFAULTS.requiresDescription } = input;
  const { verifiedBy = DEFAULTS.verifiedBy } = input;
  const translations = changedTranslations(TRANSLATED, null, input.translations);
  const values = { ...input, isActive, requiresDescription, verifiedBy, translations };
  return validateActivity(newRecordValues(ACTIVITY_FIELDS, values));
}

/**
 * Changes an activity. Absent fields are unchanged, null clears a field, and the result must pass the rules of a new
 * activity. 409 if `ifMatch` is outdated.
 */
export function changeActivity(
  deps: Deps,
  { viewer, request }: Acting,
  call: { id: number; change: ActivityChange; ifMatch: number | undefined },
): Promise<Answer> {
  return transaction(deps.database, async (trx) => {
    await lockRow(trx, 'activities', call.id);
    const before = await requireActivity(trx, viewer, call.id);
    throwIfStale(call.ifMatch, before);
    await rejectSchoolChange(trx, viewer, before, call.change);
    const translations = changedTranslations(TRANSLATED, before.translations, call.change.translations);
    const after = validateActivity(changedFields(ACTIVITY_FIELDS, before, { ...call.change, translations }));
    if (isUnchanged<typeof after>(before, after)) {
      return { activity: before, message: translate(deps, messages.updated) };
    }
    await updateActivity(trx, call.id, after).catch(rejectDeletedCategory);
    const activity = await requireActivity(trx, viewer, call.id);
    await recordEvent(trx, actorOf(viewer, request), editEvent(before, activity));
    return { activity, message: translate(deps, messages.updated) };
  });
}

/**
 * Deletes an activity with its deleted hours and photos. Throws 409 while it has other time entries or photos (decisions:
 * deleting never removes records by surprise).
 */
export function removeActivity(
  deps: Deps,
  { viewer, request }: Acting,
  id: number,
): Promise<{ message: string }> {
  return transaction(deps.database, async (trx) => {
    await lockLegalHolds(trx);
    await lockRow(trx, 'activities', id);
    const activity = await requireActivity(trx, viewer, id);
    await rejectIfActivityUnderLegalHold(trx, activity);
    const things = describeCounts(deps, [
      { count: activity.counts.timeEntries, say: messages.countedTimeEntries },
      { count: activity.photoCount, say: messages.countedPhotos },
    ]);
    if (things !== '') throw errors.conflict(messages.inUse(activity.name, things));
    const trash = await deleteActivity(trx, id);
    await recordEvent(trx, actorOf(viewer, request), {
      action: 'activity.delete',
      subject: 'activity',
      subjectId: id,
      schoolId: activity.schoolId,
      before: { ...fieldsOf(ACTIVITY_FIELDS, activity), trash },
    });
    return { message: translate(deps, messages.deleted) };
  });
}

function editEvent(before: AdminActivity, after: AdminActivity): AuditEvent {
  return {
    action: 'activity.edit',
    subject: 'activity',
    subjectId: before.id,
    schoolId: before.schoolId,
    before: fieldsOf(ACTIVITY_FIELDS, before),
    after: fieldsOf(ACTIVITY_FIELDS, after),
  };
}

async function requireActivity(db: Db, { schools }: Viewer, id: number): Promise<AdminActivity> {
  const activity = await findActivity(db, schools, id);
  if (activity === undefined) throw errors.notFound(messages.notFound);
  return activity;
}

async function requireCategoryOf(
  trx: Trx,
  viewer: Viewer,
  schoolId: number,
  categoryId: number,
): Promise<void> {
  const category = await requireCategory(trx, viewer, categoryId);
  if (category.schoolId !== schoolId) {
    throw errors.invalid(messages.categoryElsewhere, { categoryId: messages.categoryElsewhere });
  }
}

async function rejectSchoolChange(
  trx: Trx,
  viewer: Viewer,
  before: AdminActivity,
  change: ActivityChange,
): Promise<void> {
  if (change.schoolId !== undefined && change.schoolId !== before.schoolId) {
    throw errors.invalid(messages.schoolFixed, { schoolId: messages.schoolFixed });
  }
  if (change.categoryId !== undefined) {
    await requireCategoryOf(trx, viewer, before.schoolId, change.categoryId);
  }
}

// The default values of a new activity.
const DEFAULTS = { isActive: true, requiresDescription: false, verifiedBy: 'school' } as const;

// An activity that requires a description needs a prompt (specification section 4).
function validateActivity<Values extends ActivityText>(activity: Values): Values {
  const descriptionPrompt = activity.requiresDescription ? activity.descriptionPrompt : null;
  const problem = activityProblem({ ...activity, descriptionPrompt });
  if (problem !== undefined) throw errors.invalid(problem.message, { [problem.field]: problem.message });
  // Only an external verifier has an email.
  const outsideVerifier = activity.verifiedBy === 'outside' ? activity.outsideVerifier : null;
  const translations = activity.requiresDescription
    ? activity.translations
    : withoutPrompts(activity.translations);
  return { ...activity, descriptionPrompt, outsideVerifier, translations };
}

function withoutPrompts(translations: AdminActivity['translations']): AdminActivity['translations'] {
  const none = OTHER_LANGUAGES.filter((language) => translations?.[language] !== undefined).map(
    (language) => [language, { descriptionPrompt: null }] as const,
  );
  return changedTranslations(TRANSLATED, translations, Object.fromEntries(none));
}

// Throws 404 if another user deleted the category between the read and the write.
function rejectDeletedCategory(error: unknown): never {
  if (databaseFailure(error) === 'foreignKey') throw errors.notFound(categoryMessages.notFound);
  throw error;
}

const STATUS_TEXTS = {
  inactive: 'activities:inactive',
  future: 'activities:notYet',
  past: 'activities:over',
} as const;

/** Exports the activities of a list as a file. */
export async function buildActivitiesFile(
  deps: Deps,
  acting: Acting,
  input: BodyOf<typeof exportActivities>,
): Promise<FileAnswer> {
  return listFile(deps, acting, {
    list: 'activities',
    title: 'activities:title',
    input,
    columns: [await schoolColumn(deps), ...buildColumns(deps, acting.request)],
    read: async (query) => {
      const { activities: rows, nextCursor } = await listForAdministrators(deps, acting.viewer, query);
      return { rows, nextCursor };
    },
  });
}

function buildColumns(deps: Deps, request: Request): ListColumn<Activity>[] {
  const { t } = deps.translator;
  const day = dayIn(deps.config.timeZone, request.at);
  const status = (activity: Activity) => {
    const reason = unavailability(activity, day);
    return t(reason === undefined ? 'activities:active' : STATUS_TEXTS[reason]);
  };
  return [
    { title: 'activities:name', kind: 'text', width: 32, value: ({ name }) => name },
    { title: 'activities:category', kind: 'text', width: 20, value: ({ category }) => category.name },
    { title: 'activities:status', kind: 'text', width: 10, value: status },
    { title: 'activities:startDate', kind: 'day', width: 12, value: ({ activeFrom }) => activeFrom },
    { title: 'activities:endDate', kind: 'day', width: 12, value: ({ activeUntil }) => activeUntil },
    { title: 'activities:description', kind: 'text', width: 50, value: ({ description }) => description },
    { title: 'activities:prompt', kind: 'text', width: 28, value: (activity) => activity.descriptionPrompt },
    { title: 'activities:entries', kind: 'number', width: 12, value: ({ counts }) => counts.timeEntries },
  ];
}

/** Returns how a translation list finds, locks and renames activities. Throws 404 for a school outside the viewer's scope. */
export async function translatableActivities(
  db: Db,
  viewer: Viewer,
  { schoolId }: NameListInput,
): Promise<TranslatableRecords<AdminActivity>> {
  const schools = await findRequestedSchools(db, viewer, schoolId ?? undefined);
  return {
    max: LIMITS.name,
    find: (from, keys) => findActivitiesByName(from, schools, keys),
    table: 'activities',
    rename: (activity, language, name) => ({
      ...activity,
      translations: changedTranslations(TRANSLATED, activity.translations, { [language]: { name } }),
    }),
    write: (trx, activity) => updateActivity(trx, activity.id, activity),
    auditEvent: editEvent,
  };
}

/** Removes the year from a folded name: 'book fair 2026' and '2025-26 book fair' are the same event. */
export function withoutYear(nameKey: string): string {
  return nameKey
    .replace(/\b20\d\d(\s?[-/–]\s?(20)?\d\d)?\b/g, ' ')
    .replace(/\s+/g, ' ')
    .trim();
}

/** Returns the ids of a school's activities with this folded name, ignoring a year in it. */
export async function findEditions(db: Db, schoolId: number, nameKey: string): Promise<number[]> {
  const name = withoutYear(nameKey);
  const all = await listNameKeys(db, schoolId);
  return all.filter((one) => withoutYear(one.nameKey) === name).map(({ id }) => id);
}
