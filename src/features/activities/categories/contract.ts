import * as z from 'zod/mini';
import { NameListInput, NameListReply } from '#features/schools/content-translations/contract.ts';
import { translationsOf, withoutNameQuery } from '#shared/content-translations.ts';
import { endpoint } from '#shared/endpoint.ts';
import { messageFactory } from '#shared/i18n/message.ts';
import { Id, IdText, idOr } from '#shared/id.ts';
import { listExport, pageQuery, pageReply, searchQuery } from '#shared/list-query.ts';
import { foldForSearch, normalizeText, optionalText, requiredLine } from '#shared/text-normalization.ts';
import type text from './messages.en.json';

const say = messageFactory<typeof text>('categories');

/** Maximum lengths in characters. */
export const LIMITS = { name: 80, description: 500 } as const;

/** The texts of a category that can be translated. */
export const TRANSLATED = ['name', 'description'] as const;

const translations = translationsOf<(typeof TRANSLATED)[number]>(LIMITS);

/** The default color of a category (specification section 9). */
export const DEFAULT_COLOR = '#3498db';

/** Messages of this feature. */
export const messages = {
  notFound: say('notFound'),
  nameRequired: say('nameRequired'),
  schoolRequired: say('schoolRequired'),
  nameTaken: say('nameTaken'),
  translationTaken: say('translationTaken'),
  color: say('color'),
  kind: say('kind'),
  schoolFixed: say('schoolFixed'),
  created: say('created'),
  updated: say('updated'),
  deleted: say('deleted'),
  inUse: (name: string, things: string) => say('inUse', { name, things }),
  countedActivities: (count: number) => say('countedActivities', { count }),
  failedToLoad: say('failedToLoad'),
} as const;

/**
 * The kind of a category, which decides how its activities are grouped (specification section 4). It is derived from the name
 * at creation and stored, so a rename or a translation does not regroup anything.
 */
export const KINDS = ['event', 'classroom', 'other'] as const;
export const Kind = z.enum(KINDS, messages.kind);
export type Kind = z.infer<typeof Kind>;

/** Returns the kind for a name: the specification's 'events' and 'classroom', ignoring case. */
export function kindFromName(name: string): Kind {
  const folded = foldForSearch(name);
  if (folded === 'events') return 'event';
  return folded === 'classroom' ? 'classroom' : 'other';
}

/** The category of an activity. */
export const CategoryRef = z.object({ id: Id, name: z.string(), color: z.string(), kind: Kind });
export type CategoryRef = z.infer<typeof CategoryRef>;

/** A category for administrators, with texts in the first language, translations, and the number of activities. */
export const Category = z.object({
  ...CategoryRef.shape,
  description: z.nullable(z.string()),
  schoolId: Id,
  translations: translations.Shown,
  version: z.int(),
  counts: z.object({ activities: z.int() }),
});
export type Category = z.infer<typeof Category>;

// A blank color becomes null, which means the default. The server also validates color names; this file does not load the CSS
// list.
const Color = z.nullish(
  z.pipe(
    z.string(messages.color),
    z.pipe(
      z.transform((color: string) => normalizeText(color) || null),
      z.nullable(
        z.string().check(z.regex(/^(#([0-9a-f]{3}|[0-9a-f]{6}|[0-9a-f]{8})|[a-z]{3,30})$/i, messages.color)),
      ),
    ),
  ),
);

/** A new category (specification section 5: school and name are required). */
export const CategoryInput = z.object({
  schoolId: idOr(messages.schoolRequired),
  name: requiredLine(LIMITS.name, messages.nameRequired),
  description: optionalText(LIMITS.description),
  color: Color,
  kind: z.optional(Kind),
  translations: translations.Given,
});
export type CategoryInput = z.infer<typeof CategoryInput>;

/** Changes to a category. Absent fields are unchanged; a null color resets to the default. */
export const CategoryChange = z.partial(CategoryInput);
export type CategoryChange = z.infer<typeof CategoryChange>;

/** Lists categories by name, of one school or of all. */
export const listCategories = endpoint('GET', '/admin/categories', {
  query: z.object({ schoolId: z.optional(IdText), ...pageQuery, ...searchQuery, ...withoutNameQuery }),
  reply: z.object({ categories: z.array(Category), total: z.int(), ...pageReply }),
});

/** Exports the categories of `listCategories` as a file. */
export const exportCategories = endpoint('POST', '/admin/categories/export', {
  body: z.object({ ...listExport, ...withoutNameQuery }),
  file: true,
});

/** Translates category names in bulk, from a list of names in the first language. */
export const translateCategories = endpoint('POST', '/admin/categories/translations', {
  body: NameListInput,
  reply: NameListReply,
  status: 201,
});

const oneCategory = z.object({ category: Category, message: z.string() });

export const createCategory = endpoint('POST', '/admin/categories', {
  body: CategoryInput,
  reply: oneCategory,
  status: 201,
});

export const updateCategory = endpoint('PUT', '/admin/categories/:id', {
  params: z.object({ id: IdText }),
  body: CategoryChange,
  reply: oneCategory,
});

export const deleteCategory = endpoint('DELETE', '/admin/categories/:id', {
  freshProof: 'always',
  params: z.object({ id: IdText }),
  reply: z.object({ message: z.string() }),
});
