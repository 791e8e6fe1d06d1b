import * as z from 'zod/mini';
import { CalendarDate } from '#shared/calendar-date.ts';
import { translationsOf, withoutNameQuery } from '#shared/content-translations.ts';
import { endpoint } from '#shared/endpoint.ts';
import { messageFactory } from '#shared/i18n/message.ts';
import { IdText } from '#shared/id.ts';
import { listExport, pageQuery, pageReply, searchQuery } from '#shared/list-query.ts';
import { requiredLine } from '#shared/text-normalization.ts';
import { NameListInput, NameListReply } from './content-translations/contract.ts';
import { LIMITS, messages, PublicSchool } from './contract.ts';
import type serverText from './messages.server.en.json';
import type text from './messages.staff.en.json';
import { LetterTemplate, LetterTemplateInput } from './service-letter-template.ts';

const say = messageFactory<typeof text>('schools');

/** The largest logo upload in bytes, and the stored logo's longest side in pixels. */
export const LOGO = { bytes: 5 * 1024 * 1024, side: 500 } as const;

/** The minimum and maximum number of days after which a school can close late hours. */
export const LATE_AFTER = { min: 1, max: 366 } as const;
const lateAfterDays = say('lateAfterDays', { min: LATE_AFTER.min, max: LATE_AFTER.max });

/** The translatable texts of a school. */
export const TRANSLATED = ['name'] as const;

/** Message for a translated name that another school has. */
export const translationTaken = messageFactory<typeof serverText>('schools')('translationTaken');

const translations = translationsOf<(typeof TRANSLATED)[number]>(LIMITS);

/** Whether a school's hours need verification (beyond section 1). */
export const Verification = z.enum(['off', 'on']);
export type Verification = z.infer<typeof Verification>;

/** A school for administrators, with counts of what belongs to it. `letter` is null until set. Changes raise `version`. */
export const School = z.object({
  ...PublicSchool.shape,
  letter: z.nullable(LetterTemplate),
  verification: Verification,
  closedBefore: z.nullable(CalendarDate),
  lateAfterDays: z.nullable(z.int()),
  translations: translations.Shown,
  version: z.int(),
  counts: z.object({ userSchools: z.int(), activityCategories: z.int() }),
});
export type School = z.infer<typeof School>;

/** A new school (specification section 5). */
export const SchoolInput = z.object({
  name: requiredLine(LIMITS.name, messages.nameRequired),
  letter: z.nullish(LetterTemplateInput),
  verification: z.optional(Verification),
  /** Hours before this day are closed: only users who may edit entries can change them, with a reason. */
  closedBefore: z.nullish(CalendarDate),
  /** Hours older than this many days are closed in the same way. */
  lateAfterDays: z.nullish(
    z
      .int(lateAfterDays)
      .check(z.minimum(LATE_AFTER.min, lateAfterDays), z.maximum(LATE_AFTER.max, lateAfterDays)),
  ),
  translations: translations.Given,
});

/** A change of a school; omitted fields stay. */
export const SchoolChange = z.partial(SchoolInput);

/** Lists schools by name for administrators. */
export const listSchools = endpoint('GET', '/admin/schools', {
  query: z.object({ ...pageQuery, ...searchQuery, ...withoutNameQuery }),
  reply: z.object({ schools: z.array(School), total: z.int(), ...pageReply }),
});

/** Exports the schools of `listSchools` as a file. */
export const exportSchools = endpoint('POST', '/admin/schools/export', {
  body: z.object({ format: listExport.format, search: listExport.search, ...withoutNameQuery }),
  file: true,
});

/** Translates school names in bulk, from a list of names in the first language. */
export const translateSchools = endpoint('POST', '/admin/schools/translations', {
  body: z.omit(NameListInput, { schoolId: true }),
  reply: NameListReply,
  status: 201,
});

const oneSchool = z.object({ school: School, message: z.string() });

export const createSchool = endpoint('POST', '/admin/schools', {
  body: SchoolInput,
  reply: oneSchool,
  status: 201,
});

export const updateSchool = endpoint('PUT', '/admin/schools/:id', {
  params: z.object({ id: IdText }),
  body: SchoolChange,
  reply: oneSchool,
});

export const deleteSchool = endpoint('DELETE', '/admin/schools/:id', {
  freshProof: 'always',
  params: z.object({ id: IdText }),
  reply: z.object({ message: z.string() }),
});

const byId = z.object({ id: IdText });

/**
 * Sets or replaces a school's logo: a JPEG, PNG, GIF, WebP or HEIC image, re-encoded to at most 500 x 500 pixels. Returns 400
 * for anything else, 413 above 5 MB.
 */
export const uploadLogo = endpoint('POST', '/admin/schools/:id/logo', {
  params: byId,
  files: {
    field: 'logo',
    most: 1,
    bytes: LOGO.bytes,
    tooMany: messages.logoTooMany,
    tooLarge: messages.logoTooLarge,
  },
  reply: oneSchool,
});

/** Removes a school's logo, if any. */
export const removeLogo = endpoint('DELETE', '/admin/schools/:id/logo', { params: byId, reply: oneSchool });

/** Messages about the district's logo. */
export const districtLogoMessages = {
  saved: say('districtLogoSaved'),
  removed: say('districtLogoRemoved'),
  tooMany: say('districtLogoTooMany'),
} as const;

const districtLogo = z.object({ logoUrl: z.nullable(z.string()), message: z.string() });

/** Sets or replaces the district's logo, with the same rules as a school's. */
export const uploadDistrictLogo = endpoint('POST', '/admin/settings/logo', {
  files: {
    field: 'logo',
    most: 1,
    bytes: LOGO.bytes,
    tooMany: districtLogoMessages.tooMany,
    tooLarge: messages.logoTooLarge,
  },
  reply: districtLogo,
});

/** Removes the district's logo, if any. */
export const removeDistrictLogo = endpoint('DELETE', '/admin/settings/logo', { reply: districtLogo });
