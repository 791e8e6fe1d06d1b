import type * as z from 'zod/mini';
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
import { type Acting, actorOf, narrowTo, type SchoolScope, type Viewer } from '#server/http/viewer.ts';
import { withNameLanguage } from '#server/i18n/locale.ts';
import { translate } from '#server/i18n/translator.ts';
import { rejectIfSchoolOrSuggestionUnderLegalHold } from '#server/personal-data/legal-hold-guards.ts';
import { lockLegalHolds } from '#server/personal-data/legal-hold-store.ts';
import { changedTranslations } from '#shared/content-translations.ts';
import type { BodyOf, QueryOf } from '#shared/endpoint.ts';
import { changedFields, newRecordValues } from '#shared/entity-fields.ts';
import { errors } from '#shared/errors.ts';
import { LANGUAGES } from '#shared/i18n/languages.ts';
import { AUDITED_ROLE_NAMES } from '#shared/permissions.ts';
import {
  type exportSchools,
  type listSchools,
  type School,
  type SchoolChange,
  type SchoolInput,
  TRANSLATED,
  translationTaken,
} from '../admin-contract.ts';
import type { TranslatableRecords } from '../content-translations/server/actions.ts';
import { LIMITS, messages } from '../contract.ts';
import { fieldsOfSchool, SCHOOL_FIELDS, toStoredSchool } from '../school-fields.ts';
import {
  countExisting,
  countSchoolDependents,
  deleteSchool,
  findSchool,
  findSchoolsByName,
  findSchoolsByTranslation,
  insertSchool,
  isTranslationTaken,
  listAllSchools,
  listGrantsAtSchool,
  listMemberIds,
  pageOfSchools,
  type SchoolText,
  updateSchool,
} from './store.ts';

const LIST = 'schools';

/** A changed school and the message for the user. */
export type SchoolReply = { school: School; message: string };

/** Whether every id is a school; true for an empty list. */
export async function schoolsExist(db: Db, ids: readonly number[]): Promise<boolean> {
  const asked = [...new Set(ids)];
  return (await countExisting(db, asked)) === asked.length;
}

/**
 * Returns the schools that a list covers: the requested one, or all in the viewer's scope. Throws 404 'School not found' for an
 * unknown school or one outside the scope (security 2.1).
 */
export async function findRequestedSchools(
  db: Db,
  viewer: Viewer,
  schoolId: number | undefined,
): Promise<SchoolScope> {
  const scope = viewer.schools;
  if (schoolId === undefined) return scope;
  const narrowed = narrowTo(scope, schoolId);
  if (narrowed === undefined) throw errors.notFound(messages.notFound);
  // Schools named in a scope exist; a viewer of all schools may send any id.
  if (scope === 'all' && !(await schoolsExist(db, [schoolId]))) throw errors.notFound(messages.notFound);
  return narrowed;
}

/** Returns a page of schools by name, and the total number of matches. */
export async function listForAdministrators(
  deps: Deps,
  { schools }: Viewer,
  query: QueryOf<typeof listSchools>,
) {
  const { db } = deps.database;
  const filter = { schools, search: query.search ?? '', without: query.without };
  const { rows, ...rest } = await pageByName(deps.secretKey, LIST, query, {
    read: (page) => pageOfSchools(db, filter, page),
    count: () => countNames(db, 'schools', filter),
  });
  return { schools: rows, ...rest };
}

/** Adds a school. Throws 409 if another name differs only in case or accents. */
export async function addSchool(
  trx: Trx,
  deps: Deps,
  { viewer, request }: Acting,
  input: z.output<typeof SchoolInput>,
): Promise<SchoolReply> {
  const { name, verification = 'off' } = input;
  const values = newRecordValues(SCHOOL_FIELDS, { ...toStoredSchool(input, null), name, verification });
  await rejectTakenTranslation(trx, null, values);
  const id = await insertSchool(trx, { ...values, at: request.at }).catch(rejectTakenName);
  const school = await requireSchool(trx, viewer, id);
  await recordEvent(trx, actorOf(viewer, request), {
    action: 'school.create',
    subject: 'school',
    subjectId: id,
    schoolId: id,
    after: auditedFields(school),
  });
  return { school, message: translate(deps, messages.created) };
}

/** Changes a school; omitted fields stay. Throws 409 if the name is taken or `ifMatch` is outdated. */
export function changeSchool(
  deps: Deps,
  { viewer, request }: Acting,
  call: { id: number; change: z.output<typeof SchoolChange>; ifMatch: number | undefined },
): Promise<SchoolReply> {
  return transaction(deps.database, async (trx) => {
    const before = await lockAndFindSchool(trx, viewer, call.id, call.ifMatch);
    const stored = fieldsOfSchool(before);
    const after = changedFields(SCHOOL_FIELDS, stored, toStoredSchool(call.change, before.translations));
    if (isUnchanged<typeof after>(stored, after))
      return { school: before, message: translate(deps, messages.updated) };
    await rejectTakenTranslation(trx, call.id, after);
    await updateSchool(trx, call.id, after).catch(rejectTakenName);
    const school = await requireSchool(trx, viewer, call.id);
    await recordEvent(trx, actorOf(viewer, request), changeEvent('school.edit', before, school));
    return { school, message: translate(deps, messages.updated) };
  });
}

/**
 * Deletes a school. Throws 409 with what prevents it: categories, activities, entries, photos and suggestions that are not
 * deleted (decisions: nothing with records is deleted by surprise), and volunteers without another school, since every
 * volunteer needs one (specification section 5). Members of other schools lose only this membership. Soft-deleted items are
 * deleted with the school.
 */
export function removeSchool(
  deps: Deps,
  { viewer, request }: Acting,
  id: number,
): Promise<{ message: string }> {
  return transaction(deps.database, async (trx) => {
    await lockLegalHolds(trx);
    await lockRow(trx, 'schools', id);
    const school = await requireSchool(trx, viewer, id);
    await rejectIfSchoolOrSuggestionUnderLegalHold(trx, id);
    await rejectInUse(trx, deps, school);
    const members = await listMemberIds(trx, id);
    const ended = await listGrantsAtSchool(trx, id);
    await deleteSchool(trx, id);
    await recordEvent(trx, actorOf(viewer, request), {
      action: 'school.delete',
      subject: 'school',
      subjectId: id,
      schoolId: id,
      before: { ...auditedFields(school), members },
    });
    for (const { userId, role } of ended) {
      await recordEvent(trx, actorOf(viewer, request), {
        action: 'account.change',
        subject: 'user',
        subjectId: userId,
        schoolId: id,
        before: { [AUDITED_ROLE_NAMES[role]]: [id] },
        after: {},
      });
    }
    return { message: translate(deps, messages.deleted) };
  });
}

/**
 * Locks a school until the transaction ends and returns it. Throws 404 outside the viewer's scope, 409 if `ifMatch` is
 * outdated.
 */
export async function lockAndFindSchool(
  trx: Trx,
  viewer: Viewer,
  id: number,
  ifMatch: number | undefined,
): Promise<School> {
  await lockRow(trx, 'schools', id);
  const school = await requireSchool(trx, viewer, id);
  throwIfStale(ifMatch, school);
  return school;
}

/** Returns a school in the viewer's scope. Throws 404 'School not found' otherwise. */
export async function requireSchool(db: Db, { schools }: Viewer, id: number): Promise<School> {
  const school = await findSchool(db, schools, id);
  if (school === undefined) throw errors.notFound(messages.notFound);
  return school;
}

async function rejectInUse(trx: Trx, deps: Deps, school: School): Promise<void> {
  const counts = await countSchoolDependents(trx, school.id);
  const things = describeCounts(deps, [
    { count: counts.categories, say: messages.countedCategories },
    { count: counts.activities, say: messages.countedActivities },
    { count: counts.timeEntries, say: messages.countedTimeEntries },
    { count: counts.photos, say: messages.countedPhotos },
    { count: counts.suggestions, say: messages.countedSuggestions },
    { count: counts.volunteers, say: messages.countedVolunteers },
  ]);
  if (things !== '') throw errors.conflict(messages.inUse(school.name, things));
}

async function rejectTakenTranslation(trx: Trx, id: number | null, school: SchoolText): Promise<void> {
  if (await isTranslationTaken(trx, id, school)) throw errors.conflict(translationTaken);
}

function rejectTakenName(error: unknown): never {
  if (databaseFailure(error) === 'unique') throw errors.conflict(messages.nameTaken);
  throw error;
}

/** The audit event for a change of a school or its logo. */
export function changeEvent(
  action: 'school.edit' | 'school.logo' | 'school.logo-remove',
  before: School,
  after: School,
): AuditEvent {
  return {
    action,
    subject: 'school',
    subjectId: after.id,
    schoolId: after.id,
    before: auditedFields(before),
    after: auditedFields(after),
  };
}

function auditedFields(school: School) {
  return { ...fieldsOfSchool(school), logoUrl: school.logoUrl };
}

const COLUMNS: readonly ListColumn<School>[] = [
  { title: 'schools:name', kind: 'text', width: 32, value: ({ name }) => name },
  { title: 'schools:volunteers', kind: 'number', width: 12, value: ({ counts }) => counts.userSchools },
  {
    title: 'schools:categories',
    kind: 'number',
    width: 12,
    value: ({ counts }) => counts.activityCategories,
  },
];

/** Exports the schools of a list as a file. */
export function buildSchoolsFile(
  deps: Deps,
  acting: Acting,
  input: BodyOf<typeof exportSchools>,
): Promise<FileAnswer> {
  return listFile(deps, acting, {
    list: 'schools',
    title: 'schools:title',
    input,
    columns: COLUMNS,
    read: async (query) => {
      const { schools: rows, nextCursor } = await listForAdministrators(deps, acting.viewer, query);
      return { rows, nextCursor };
    },
  });
}

// School names are unique in the district.
const DISTRICT = 0;

/** Returns how a translation list finds, locks and renames the schools in the viewer's scope. */
export function translatableSchools({ schools }: Viewer): TranslatableRecords<School> {
  return {
    max: LIMITS.name,
    find: (from, keys) => findSchoolsByName(from, schools, keys),
    table: 'schools',
    unique: {
      scopeOf: () => DISTRICT,
      findOwners: async (from, keys) =>
        (await findSchoolsByTranslation(from, keys)).map((one) => ({ ...one, scope: DISTRICT })),
    },
    rename: (school, language, name) => ({
      ...school,
      translations: changedTranslations(TRANSLATED, school.translations, { [language]: { name } }),
    }),
    write: (trx, school) => updateSchool(trx, school.id, fieldsOfSchool(school)),
    auditEvent: (before, after) => changeEvent('school.edit', before, after),
  };
}

/** Returns the export column with the school of each row. */
export async function schoolColumn(deps: Deps): Promise<ListColumn<Readonly<{ schoolId: number }>>> {
  const schools = new Map(
    (await withNameLanguage(LANGUAGES[0], () => listAllSchools(deps.database.db))).map(({ id, name }) => [
      id,
      name,
    ]),
  );
  return {
    title: 'schools:one',
    kind: 'text',
    width: 28,
    value: ({ schoolId }) => schools.get(schoolId) ?? null,
  };
}
