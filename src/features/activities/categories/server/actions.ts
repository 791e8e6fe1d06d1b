import colorNames from 'color-name';
import type { NameListInput } from '#features/schools/content-translations/contract.ts';
import type { TranslatableRecords } from '#features/schools/content-translations/server/actions.ts';
import { messages as schoolMessages } from '#features/schools/contract.ts';
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
import { type Acting, actorOf, type Viewer } from '#server/http/viewer.ts';
import { translate } from '#server/i18n/translator.ts';
import { rejectIfSchoolUnderLegalHold } from '#server/personal-data/legal-hold-guards.ts';
import { lockLegalHolds } from '#server/personal-data/legal-hold-store.ts';
import { changedTranslations } from '#shared/content-translations.ts';
import type { BodyOf, QueryOf } from '#shared/endpoint.ts';
import { changedFields, fieldsOf, newRecordValues } from '#shared/entity-fields.ts';
import { errors } from '#shared/errors.ts';
import { CATEGORY_FIELDS } from '../category-fields.ts';
import {
  type Category,
  type CategoryChange,
  type CategoryInput,
  DEFAULT_COLOR,
  type exportCategories,
  kindFromName,
  LIMITS,
  type listCategories,
  messages,
  TRANSLATED,
} from '../contract.ts';
import {
  type CategoryText,
  deleteCategory,
  findCategoriesByName,
  findCategoriesByTranslation,
  findCategory,
  insertCategory,
  isTranslationTaken,
  lockEmptyCategories,
  pageOfCategories,
  updateCategory,
} from './store.ts';

export { findCategoryIds } from './store.ts';

const LIST = 'categories';

type CategoryReply = { category: Category; message: string };

/** Returns a category in the viewer's scope, or throws 404 'Category not found'. */
export async function requireCategory(db: Db, { schools }: Viewer, id: number): Promise<Category> {
  const category = await findCategory(db, schools, id);
  if (category === undefined) throw errors.notFound(messages.notFound);
  return category;
}

/** Returns a page of categories by name, of one school or of all, with the total count. */
export async function listForAdministrators(
  deps: Deps,
  viewer: Viewer,
  query: QueryOf<typeof listCategories>,
) {
  const { db } = deps.database;
  const filter = {
    schools: await findRequestedSchools(db, viewer, query.schoolId),
    search: query.search ?? '',
    without: query.without,
  };
  const { rows, ...rest } = await pageByName(deps.secretKey, LIST, query, {
    read: (page) => pageOfCategories(db, filter, page),
    count: () => countNames(db, 'categories', filter),
  });
  return { categories: rows, ...rest };
}

/**
 * Adds a category. The default kind is derived from the name (specification section 4). Throws 404 for an unknown school, 409
 * if the school has a category of that name. `batchId` is set if a bulk add creates the category.
 */
export async function addCategory(
  trx: Trx,
  deps: Deps,
  { viewer, request }: Acting,
  input: CategoryInput & Readonly<{ batchId?: number }>,
): Promise<CategoryReply> {
  await findRequestedSchools(trx, viewer, input.schoolId);
  const color = validColor(input.color ?? DEFAULT_COLOR);
  const kind = input.kind ?? kindFromName(input.name);
  const translations = changedTranslations(TRANSLATED, null, input.translations);
  const values = newRecordValues(CATEGORY_FIELDS, { ...input, color, kind, translations });
  await rejectTakenTranslation(trx, { id: null, schoolId: input.schoolId }, values);
  const id = await insertCategory(trx, { ...values, at: request.at, batchId: input.batchId ?? null }).catch(
    rejectConflict,
  );
  const category = await requireCategory(trx, viewer, id);
  await recordEvent(trx, actorOf(viewer, request), {
    action: 'category.create',
    subject: 'category',
    subjectId: id,
    schoolId: category.schoolId,
    after: fieldsOf(CATEGORY_FIELDS, category),
  });
  return { category, message: translate(deps, messages.created) };
}

/**
 * Changes a category. Absent fields are unchanged, a null color resets to the default, and a rename does not change the kind.
 * Throws 409 if the name is taken or `ifMatch` is outdated.
 */
export function changeCategory(
  deps: Deps,
  { viewer, request }: Acting,
  call: { id: number; change: CategoryChange; ifMatch: number | undefined },
): Promise<CategoryReply> {
  return transaction(deps.database, async (trx) => {
    await lockRow(trx, 'categories', call.id);
    const before = await requireCategory(trx, viewer, call.id);
    throwIfStale(call.ifMatch, before);
    const after = applyChange(before, call.change);
    if (isUnchanged<CategoryText>(before, after))
      return { category: before, message: translate(deps, messages.updated) };
    await rejectTakenTranslation(trx, { id: call.id, schoolId: before.schoolId }, after);
    await updateCategory(trx, call.id, after).catch(rejectTakenName);
    const category = await requireCategory(trx, viewer, call.id);
    await recordEvent(trx, actorOf(viewer, request), editEvent(before, category));
    return { category, message: translate(deps, messages.updated) };
  });
}

/** Deletes a category. Throws 409 while it has activities, including inactive ones (decisions). */
export function removeCategory(
  deps: Deps,
  { viewer, request }: Acting,
  id: number,
): Promise<{ message: string }> {
  return transaction(deps.database, async (trx) => {
    await lockLegalHolds(trx);
    await lockRow(trx, 'categories', id);
    const category = await requireCategory(trx, viewer, id);
    await rejectIfSchoolUnderLegalHold(trx, category.schoolId);
    const things = describeCounts(deps, [
      { count: category.counts.activities, say: messages.countedActivities },
    ]);
    if (things !== '') throw errors.conflict(messages.inUse(category.name, things));
    await deleteAndRecord(trx, { viewer, request }, category);
    return { message: translate(deps, messages.deleted) };
  });
}

/** Deletes the empty categories that were created for a batch of activities. Returns how many. */
export async function deleteEmptyCategories(trx: Trx, acting: Acting, batchId: number): Promise<number> {
  const empty = await lockEmptyCategories(trx, batchId);
  for (const category of empty) await deleteAndRecord(trx, acting, category);
  return empty.length;
}

async function deleteAndRecord(trx: Trx, { viewer, request }: Acting, category: Category): Promise<void> {
  await deleteCategory(trx, category.id);
  await recordEvent(trx, actorOf(viewer, request), {
    action: 'category.delete',
    subject: 'category',
    subjectId: category.id,
    schoolId: category.schoolId,
    before: fieldsOf(CATEGORY_FIELDS, category),
  });
}

function editEvent(before: Category, after: Category): AuditEvent {
  return {
    action: 'category.edit',
    subject: 'category',
    subjectId: before.id,
    schoolId: before.schoolId,
    before: fieldsOf(CATEGORY_FIELDS, before),
    after: fieldsOf(CATEGORY_FIELDS, after),
  };
}

function applyChange(before: Category, change: CategoryChange): CategoryText {
  if (change.schoolId !== undefined && change.schoolId !== before.schoolId) {
    throw errors.invalid(messages.schoolFixed, { schoolId: messages.schoolFixed });
  }
  const color = change.color === undefined ? undefined : validColor(change.color ?? DEFAULT_COLOR);
  const translations = changedTranslations(TRANSLATED, before.translations, change.translations);
  return changedFields(CATEGORY_FIELDS, before, { ...change, color, translations });
}

// The contract accepts any word as a color name, because it does not load the list of CSS colors.
function validColor(color: string): string {
  if (color.startsWith('#') || Object.hasOwn(colorNames, color.toLowerCase())) return color;
  throw errors.invalid(messages.color, { color: messages.color });
}

// Throws 409 if another user took the name, or 404 if the school was deleted, between the read and the write.
function rejectConflict(error: unknown): never {
  if (databaseFailure(error) === 'foreignKey') throw errors.notFound(schoolMessages.notFound);
  return rejectTakenName(error);
}

async function rejectTakenTranslation(
  trx: Trx,
  at: Readonly<{ id: number | null; schoolId: number }>,
  category: Pick<CategoryText, 'name' | 'translations'>,
): Promise<void> {
  if (await isTranslationTaken(trx, at, category)) throw errors.conflict(messages.translationTaken);
}

function rejectTakenName(error: unknown): never {
  if (databaseFailure(error) === 'unique') throw errors.conflict(messages.nameTaken);
  throw error;
}

/** Exports the categories of a list as a file. */
export async function buildCategoriesFile(
  deps: Deps,
  acting: Acting,
  input: BodyOf<typeof exportCategories>,
): Promise<FileAnswer> {
  return listFile(deps, acting, {
    list: 'categories',
    title: 'categories:title',
    input,
    columns: [await schoolColumn(deps), ...buildColumns(deps)],
    read: async (query) => {
      const { categories: rows, nextCursor } = await listForAdministrators(deps, acting.viewer, query);
      return { rows, nextCursor };
    },
  });
}

function buildColumns({ translator: { t } }: Deps): ListColumn<Category>[] {
  return [
    { title: 'categories:name', kind: 'text', width: 28, value: ({ name }) => name },
    { title: 'categories:kindShort', kind: 'text', width: 12, value: ({ kind }) => t(`categories:${kind}`) },
    { title: 'categories:colorField', kind: 'text', width: 12, value: ({ color }) => color },
    { title: 'categories:description', kind: 'text', width: 50, value: ({ description }) => description },
    { title: 'categories:activities', kind: 'number', width: 10, value: ({ counts }) => counts.activities },
  ];
}

/** Returns how a translation list finds, locks and renames categories. Throws 404 for a school outside the viewer's scope. */
export async function translatableCategories(
  db: Db,
  viewer: Viewer,
  { schoolId }: NameListInput,
): Promise<TranslatableRecords<Category>> {
  const schools = await findRequestedSchools(db, viewer, schoolId ?? undefined);
  return {
    max: LIMITS.name,
    find: (from, keys) => findCategoriesByName(from, schools, keys),
    table: 'categories',
    unique: {
      scopeOf: (category) => category.schoolId,
      findOwners: (from, keys) => findCategoriesByTranslation(from, schools, keys),
    },
    rename: (category, language, name) => ({
      ...category,
      translations: changedTranslations(TRANSLATED, category.translations, { [language]: { name } }),
    }),
    write: (trx, category) => updateCategory(trx, category.id, category),
    auditEvent: editEvent,
  };
}
