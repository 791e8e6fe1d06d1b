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

/** Lengths, in characters. */
export const LIMITS = { name: 80, description: 500 } as const;

/** The texts of a category that may be there in other languages too. */
export const TRANSLATED = ['name', 'description'] as const;

const translations = translationsOf<(typeof TRANSLATED)[number]>(LIMITS);

/** The colour of a category that names none (specification section 9). */
export const DEFAULT_COLOR = '#3498db';

/** Sentences of this room. */
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
 * How the activities of a category are grouped (specification section 4). It is set from the name at creation and
 * then stands by itself, so that a rename or a translation moves nothing.
 */
export const KINDS = ['event', 'classroom', 'other'] as const;
export const Kind = z.enum(KINDS, messages.kind);
export type Kind = z.infer<typeof Kind>;

/** The kind that a name stands for: the specification's 'events' and 'classroom', without regard to case. */
export function kindFromName(name: string): Kind {
  const folded = foldForSearch(name);
  if (folded === 'events') return 'event';
  return folded === 'classroom' ? 'classroom' : 'other';
}

/** A category beside an activity. */
export const CategoryRef = z.object({ id: Id, name: z.string(), color: z.string(), kind: Kind });
export type CategoryRef = z.infer<typeof CategoryRef>;

/** A category for administrators, with its first texts, those in other languages, and how many activities it has. */
export const Category = z.object({
  ...CategoryRef.shape,
  description: z.nullable(z.string()),
  schoolId: Id,
  translations: translations.Shown,
  version: z.int(),
  counts: z.object({ activities: z.int() }),
});
export type Category = z.infer<typeof Category>;

// A form's blank colour is no colour. Whether a name is a CSS colour is the server's to say (it has the list).
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

/** A new category (specification section 5: school and name required). */
export const CategoryInput = z.object({
  schoolId: idOr(messages.schoolRequired),
  name: requiredLine(LIMITS.name, messages.nameRequired),
  description: optionalText(LIMITS.description),
  color: Color,
  kind: z.optional(Kind),
  translations: translations.Given,
});
export type CategoryInput = z.infer<typeof CategoryInput>;

/** Changes of a category: absent fields stay, a null colour is the default again. */
export const CategoryChange = z.partial(CategoryInput);
export type CategoryChange = z.infer<typeof CategoryChange>;

/** Categories by name; of one school, or of all. */
export const listCategories = endpoint('GET', '/admin/categories', {
  query: z.object({ schoolId: z.optional(IdText), ...pageQuery, ...searchQuery, ...withoutNameQuery }),
  reply: z.object({ categories: z.array(Category), total: z.int(), ...pageReply }),
});

/** The same categories as a file. */
export const exportCategories = endpoint('POST', '/admin/categories/export', {
  body: z.object({ ...listExport, ...withoutNameQuery }),
  file: true,
});

/** What categories are called in another language, by a list of their first names. */
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
