import * as z from 'zod/mini';
import { NameListInput, NameListReply } from '#features/schools/content-translations/contract.ts';
import { emailOr, messages as userMessages } from '#features/users/contract.ts';
import { CalendarDate, Instant } from '#shared/calendar-date.ts';
import { translationsOf, withoutNameQuery } from '#shared/content-translations.ts';
import { endpoint } from '#shared/endpoint.ts';
import { LANGUAGES } from '#shared/i18n/languages.ts';
import { messageFactory } from '#shared/i18n/message.ts';
import { Id, IdText, idOr } from '#shared/id.ts';
import { listExport, pageQuery, pageReply, searchQuery } from '#shared/list-query.ts';
import { optionalText, requiredLine } from '#shared/text-normalization.ts';
import { CategoryRef } from './categories/contract.ts';
import type text from './messages.en.json';

const say = messageFactory<typeof text>('activities');

/** Maximum lengths in characters. */
export const LIMITS = { name: 120, description: 1000, prompt: 200 } as const;

/** The texts of an activity that can be translated. */
export const TRANSLATED = ['name', 'description', 'descriptionPrompt'] as const;

const translations = translationsOf<(typeof TRANSLATED)[number]>({
  name: LIMITS.name,
  description: LIMITS.description,
  descriptionPrompt: LIMITS.prompt,
});

/** Messages of this feature (specification sections 4, 5 and 8). */
export const messages = {
  notFound: say('notFound'),
  nameRequired: say('nameRequired'),
  schoolRequired: say('schoolRequired'),
  categoryRequired: say('categoryRequired'),
  categoryElsewhere: say('categoryElsewhere'),
  promptRequired: say('promptRequired'),
  endNeedsStart: say('endNeedsStart'),
  endBeforeStart: say('endBeforeStart'),
  schoolFixed: say('schoolFixed'),
  created: say('created'),
  updated: say('updated'),
  deleted: say('deleted'),
  inUse: (name: string, things: string) => say('inUse', { name, things }),
  countedTimeEntries: (count: number) => say('countedTimeEntries', { count }),
  countedPhotos: (count: number) => say('countedPhotos', { count }),
  failedToLoad: say('failedToLoad'),
} as const;

/** The activity of a time entry, photo or suggestion, with the fields a form needs to show and validate it. */
export const ActivityRef = z.object({
  id: Id,
  name: z.string(),
  category: CategoryRef,
  isActive: z.boolean(),
  activeFrom: z.nullable(CalendarDate),
  requiresDescription: z.boolean(),
  descriptionPrompt: z.nullable(z.string()),
});
export type ActivityRef = z.infer<typeof ActivityRef>;

/**
 * Who verifies an activity's hours at a school with verification: `school` means the school's staff, `trusted` means no one
 * because hours count immediately, and `outside` means an external verifier by email (beyond section 1).
 */
export const VerifiedBy = z.enum(['school', 'trusted', 'outside']);
export type VerifiedBy = z.infer<typeof VerifiedBy>;

/** A complete activity. Without `activeFrom` it is ongoing (specification section 3). */
export const Activity = z.object({
  ...ActivityRef.shape,
  description: z.nullable(z.string()),
  categoryId: Id,
  schoolId: Id,
  activeUntil: z.nullable(CalendarDate),
  verifiedBy: VerifiedBy,
  outsideVerifier: z.nullable(z.string()),
  createdAt: Instant,
  version: z.int(),
  counts: z.object({ timeEntries: z.int() }),
  photoCount: z.int(),
});
export type Activity = z.infer<typeof Activity>;

/** An activity for administrators: texts in the first language, plus translations. */
export const AdminActivity = z.object({ ...Activity.shape, translations: translations.Shown });
export type AdminActivity = z.infer<typeof AdminActivity>;

/**
 * An activity for volunteers, in their language. `originalName` is set if `name` is a translation, so a search matches
 * both. `descriptionLanguage` is set if the description is in another language.
 */
export const VolunteerActivity = z.object({
  ...Activity.shape,
  originalName: z.optional(z.string()),
  descriptionLanguage: z.optional(z.enum(LANGUAGES)),
});
export type VolunteerActivity = z.infer<typeof VolunteerActivity>;

/** A new activity (specification section 5: name, school and category are required). */
export const ActivityInput = z.object({
  name: requiredLine(LIMITS.name, messages.nameRequired),
  schoolId: idOr(messages.schoolRequired),
  categoryId: idOr(messages.categoryRequired),
  description: optionalText(LIMITS.description),
  isActive: z.optional(z.boolean()),
  activeFrom: z.nullish(CalendarDate),
  activeUntil: z.nullish(CalendarDate),
  requiresDescription: z.optional(z.boolean()),
  descriptionPrompt: optionalText(LIMITS.prompt),
  verifiedBy: z.optional(VerifiedBy),
  /** The external verifier's email; without it, volunteers enter one. */
  outsideVerifier: z.nullish(emailOr(userMessages.emailInvalid)),
  translations: translations.Given,
});
export type ActivityInput = z.infer<typeof ActivityInput>;

/** Changes to an activity. Absent fields are unchanged; null clears a field. */
export const ActivityChange = z.partial(ActivityInput);
export type ActivityChange = z.infer<typeof ActivityChange>;

type Dates = { activeFrom: CalendarDate | null; activeUntil: CalendarDate | null };

/** Validates the dates of an activity or a suggestion. */
export function datesProblem({ activeFrom, activeUntil }: Dates) {
  if (activeUntil === null) return undefined;
  if (activeFrom === null) return { field: 'activeUntil', message: messages.endNeedsStart } as const;
  if (activeUntil < activeFrom) return { field: 'activeUntil', message: messages.endBeforeStart } as const;
  return undefined;
}

/** Validates fields that depend on each other, for a new activity and for the result of a change. */
export function activityProblem(
  activity: Dates & { requiresDescription: boolean; descriptionPrompt: string | null },
) {
  const problem = datesProblem(activity);
  if (problem !== undefined) return problem;
  if (activity.requiresDescription && activity.descriptionPrompt === null) {
    return { field: 'descriptionPrompt', message: messages.promptRequired } as const;
  }
  return undefined;
}

/**
 * The closed period of a school: only users who may edit entries can change hours dated before `before`, and they must give a
 * reason (beyond section 1). `message` says so or, for other users, whom to ask.
 */
export const ClosedPeriod = z.object({
  schoolId: Id,
  before: CalendarDate,
  message: z.string(),
});
export type ClosedPeriod = z.infer<typeof ClosedPeriod>;

/**
 * Lists activities by name, inactive ones included, of one school or of all schools in the viewer's scope. Not paged. `closed`
 * is null if no school has a closed period.
 */
export const listActivities = endpoint('GET', '/activities', {
  query: z.object({ schoolId: z.optional(IdText) }),
  reply: z.object({ activities: z.array(VolunteerActivity), closed: z.nullable(z.array(ClosedPeriod)) }),
});

/** Lists activities by name for administrators. */
export const listAdminActivities = endpoint('GET', '/admin/activities', {
  query: z.object({ schoolId: z.optional(IdText), ...pageQuery, ...searchQuery, ...withoutNameQuery }),
  reply: z.object({ activities: z.array(AdminActivity), total: z.int(), ...pageReply }),
});

/** Exports the activities of `listAdminActivities` as a file. */
export const exportActivities = endpoint('POST', '/admin/activities/export', {
  body: z.object({ ...listExport, ...withoutNameQuery }),
  file: true,
});

/** Translates activity names in bulk, from a list of names in the first language. */
export const translateActivities = endpoint('POST', '/admin/activities/translations', {
  body: NameListInput,
  reply: NameListReply,
  status: 201,
});

const oneActivity = z.object({ activity: AdminActivity, message: z.string() });

export const createActivity = endpoint('POST', '/admin/activities', {
  body: ActivityInput,
  reply: oneActivity,
  status: 201,
});

export const updateActivity = endpoint('PUT', '/admin/activities/:id', {
  params: z.object({ id: IdText }),
  body: ActivityChange,
  reply: oneActivity,
});

export const deleteActivity = endpoint('DELETE', '/admin/activities/:id', {
  freshProof: 'always',
  params: z.object({ id: IdText }),
  reply: z.object({ message: z.string() }),
});
