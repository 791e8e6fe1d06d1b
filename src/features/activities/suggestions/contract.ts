import * as z from 'zod/mini';
import { PersonRef } from '#features/users/contract.ts';
import { CalendarDate, Instant } from '#shared/calendar-date.ts';
import { commonMessages } from '#shared/common-messages.ts';
import { endpoint } from '#shared/endpoint.ts';
import { messageFactory } from '#shared/i18n/message.ts';
import { Id, IdText } from '#shared/id.ts';
import { listExport, pageQuery, pageReply } from '#shared/list-query.ts';
import { optionalText, requiredLine } from '#shared/text-normalization.ts';
import { CategoryRef } from '../categories/contract.ts';
import { ActivityChange, AdminActivity, messages as activityMessages } from '../contract.ts';
import type text from './messages.en.json';

const say = messageFactory<typeof text>('suggestions');

/** Maximum lengths in characters (specification sections 5 and 9). */
export const LIMITS = { name: 100, description: 200, reason: 500, adminReason: 500 } as const;

/** The hour of the day, in the district's time zone, from which the digest is sent. */
export const DIGEST_HOUR = 7;

/** The statuses of a suggestion (specification section 4). */
export const STATUSES = ['pending', 'approved', 'rejected', 'deleted'] as const;
export const Status = z.enum(STATUSES, commonMessages.invalidRequest);
export type Status = z.infer<typeof Status>;

/** Messages of this feature (specification section 8). */
export const messages = {
  notFound: say('notFound'),
  submitted: say('submitted'),
  approved: say('approved'),
  rejected: say('rejected'),
  markedDeleted: say('markedDeleted'),
  removed: say('removed'),
  alreadyApproved: (name: string) => say('alreadyApproved', { name }),
  alreadyRejected: (name: string) => say('alreadyRejected', { name }),
  alreadyDeleted: (name: string) => say('alreadyDeleted', { name }),
  somebody: say('somebody'),
  otherSchool: say('otherSchool'),
  emailSaved: say('emailSaved'),
  failedToLoadOwn: say('failedToLoadOwn'),
  failedToLoad: say('failedToLoad'),
  failedWithStatus: (status: number) => say('failedWithStatus', { status }),
  http: (status: number) => say('http', { status }),
} as const;

/** A suggested activity. `adminReason` is the administrator's reason; `approvedActivity` is the activity created from it. */
export const Suggestion = z.object({
  id: Id,
  name: z.string(),
  description: z.nullable(z.string()),
  categoryId: z.nullable(Id),
  category: z.nullable(CategoryRef),
  reason: z.nullable(z.string()),
  isYearLong: z.boolean(),
  activeFrom: z.nullable(CalendarDate),
  activeUntil: z.nullable(CalendarDate),
  status: Status,
  adminReason: z.nullable(z.string()),
  approvedActivity: z.nullable(z.object({ id: Id, name: z.string(), isActive: z.boolean() })),
  createdAt: Instant,
  decidedAt: z.nullable(Instant),
  schoolId: Id,
  school: z.object({ id: Id, name: z.string() }),
  /** The suggester. `email` is null if the account was deleted. */
  user: z.object({ ...PersonRef.shape, email: z.nullable(z.string()) }),
  version: z.int(),
  /** Whether the viewer may approve or reject the suggestion, which is possible only while it is pending. */
  canEdit: z.boolean(),
  canDelete: z.boolean(),
});
export type Suggestion = z.infer<typeof Suggestion>;

/** A suggestion for administrators, with the administrator who decided it. */
export const AdminSuggestion = z.object({ ...Suggestion.shape, decidedBy: z.nullable(PersonRef) });
export type AdminSuggestion = z.infer<typeof AdminSuggestion>;

/** The number of a user's suggestions by status. `total` includes deleted ones. */
export const StatusCounts = z.object({
  pending: z.int(),
  approved: z.int(),
  rejected: z.int(),
  total: z.int(),
});
export type StatusCounts = z.infer<typeof StatusCounts>;

/** A new suggestion (specification section 5: only the name is required). */
export const SuggestionInput = z.object({
  name: requiredLine(LIMITS.name, activityMessages.nameRequired),
  description: optionalText(LIMITS.description),
  categoryId: z.nullish(Id),
  reason: optionalText(LIMITS.reason),
  isYearLong: z.nullish(z.boolean()),
  activeFrom: z.nullish(CalendarDate),
  activeUntil: z.nullish(CalendarDate),
  schoolId: z.nullish(Id),
});
export type SuggestionInput = z.infer<typeof SuggestionInput>;

/** The reason for a rejection or deletion; a blank one counts as none. */
export const ReasonInput = z.object({ reason: optionalText(LIMITS.adminReason) });

/** Lists the viewer's own suggestions at all schools, latest first. `statusCounts` ignores the filter. */
export const listMySuggestions = endpoint('GET', '/my-activity-suggestions', {
  query: z.object({ status: z.optional(Status), ...pageQuery }),
  reply: z.object({ suggestions: z.array(Suggestion), statusCounts: StatusCounts, ...pageReply }),
});

export const createSuggestion = endpoint('POST', '/activity-suggestions', {
  body: SuggestionInput,
  reply: z.object({ suggestion: Suggestion, message: z.string() }),
  status: 201,
});

/**
 * Lists suggestions for administrators: pending ones first, then decided ones, each latest first; or only pending ones.
 */
export const listSuggestions = endpoint('GET', '/admin/activity-suggestions', {
  query: z.object({
    schoolId: z.optional(IdText),
    status: z.optional(z.literal('pending', commonMessages.invalidRequest)),
    ...pageQuery,
  }),
  reply: z.object({ suggestions: z.array(AdminSuggestion), ...pageReply }),
});

/** Exports the suggestions of `listSuggestions` as a file. Includes email addresses if the viewer may export them. */
export const exportSuggestions = endpoint('POST', '/admin/activity-suggestions/export', {
  body: z.object({
    format: listExport.format,
    schoolId: listExport.schoolId,
    status: z.nullish(z.literal('pending', commonMessages.invalidRequest)),
  }),
  file: true,
  freshProof: 'always',
});

export const countPending = endpoint('GET', '/admin/activity-suggestions/count', {
  query: z.object({ schoolId: z.optional(IdText) }),
  reply: z.object({ pendingCount: z.int() }),
});

/** Creates the activity and links it to the suggestion. Fields missing from the body have their suggested values. */
export const approveSuggestion = endpoint('POST', '/admin/activity-suggestions/:id/approve', {
  params: z.object({ id: IdText }),
  body: ActivityChange,
  reply: z.object({ suggestion: AdminSuggestion, activity: AdminActivity, message: z.string() }),
});

export const rejectSuggestion = endpoint('POST', '/admin/activity-suggestions/:id/reject', {
  params: z.object({ id: IdText }),
  body: ReasonInput,
  reply: z.object({ suggestion: AdminSuggestion, message: z.string() }),
});

/**
 * Deletes a suggestion. With a reason the suggestion is only marked as deleted, and its author still sees it. Without a reason
 * it is deleted permanently.
 */
export const deleteSuggestion = endpoint('DELETE', '/admin/activity-suggestions/:id', {
  freshProof: { when: 'no reason is given, because the suggestion is then deleted permanently' },
  params: z.object({ id: IdText }),
  body: ReasonInput,
  reply: z.object({ message: z.string() }),
});

/**
 * A user's email preferences for suggestions: decisions about their own suggestions and, for users who decide suggestions, a
 * digest of the pending ones at their schools.
 */
export const MailChoice = z.object({ decisions: z.boolean(), digest: z.boolean() });
export type MailChoice = z.infer<typeof MailChoice>;

/** A change of the email preferences. Absent fields are unchanged. */
export const MailChange = z.partial(MailChoice);
export type MailChange = z.infer<typeof MailChange>;

export const getMailChoice = endpoint('GET', '/my-activity-suggestions/mail', {
  reply: z.object({ mail: MailChoice }),
});

export const setMailChoice = endpoint('PUT', '/my-activity-suggestions/mail', {
  body: MailChange,
  reply: z.object({ mail: MailChoice, message: z.string() }),
});
