import { findRequestedSchools } from '#features/schools/server/actions.ts';
import { recordEvent } from '#server/audit-log.ts';
import { type Trx, transaction } from '#server/db/database.ts';
import { cutPage, type PageKey, readPage } from '#server/db/queries/pagination.ts';
import { lockRow } from '#server/db/row-locks.ts';
import type { Deps } from '#server/deps.ts';
import { queueEmail } from '#server/email/outbox.ts';
import { type ListColumn, listFile } from '#server/export/list-file.ts';
import type { FileAnswer } from '#server/http/route-mount.ts';
import {
  type Acting,
  actorOf,
  canAt,
  requireRecentAuth,
  scopeFor,
  type Viewer,
} from '#server/http/viewer.ts';
import { withRecipientNames } from '#server/i18n/recipient-language.ts';
import { translate } from '#server/i18n/translator.ts';
import {
  rejectIfPersonUnderLegalHold,
  rejectIfSchoolUnderLegalHold,
} from '#server/personal-data/legal-hold-guards.ts';
import { lockLegalHolds } from '#server/personal-data/legal-hold-store.ts';
import { dayIn } from '#shared/calendar-date.ts';
import type { BodyOf } from '#shared/endpoint.ts';
import { changedFields, fieldsOf } from '#shared/entity-fields.ts';
import { errors } from '#shared/errors.ts';
import type { Message } from '#shared/i18n/message.ts';
import { fullName } from '#shared/person-name.ts';
import {
  type ActivityChange,
  type ActivityInput,
  type AdminActivity,
  messages as activityMessages,
} from '../../contract.ts';
import { createActivity } from '../../server/actions.ts';
import { type AdminSuggestion, type exportSuggestions, messages, type Status } from '../contract.ts';
import { COPIED_TO_ACTIVITY, SUGGESTION_FIELDS } from '../suggestion-fields.ts';
import { findDecisionRecipient } from './email-preferences-store.ts';
import { decisionEmail } from './emails.ts';
import {
  countPending,
  type Decision,
  findSuggestion,
  listSuggestions,
  purgeSuggestion,
  writeDecision,
} from './store.ts';

const LIST = 'admin/activity-suggestions';
const PENDING = 0;
const DECIDED = 1;

/** Returns a page of suggestions: pending ones, then decided ones unless filtered out, each latest first. */
export async function listForAdministrators(
  deps: Deps,
  viewer: Viewer,
  query: {
    schoolId?: number | undefined;
    status?: 'pending' | undefined;
    limit?: number | undefined;
    cursor?: string | undefined;
  },
) {
  const { db } = deps.database;
  const schools = await findRequestedSchools(db, viewer, query.schoolId);
  const page = readPage(deps.secretKey, LIST, query);
  const found: AdminSuggestion[] = [];
  for (const part of query.status === 'pending' ? [PENDING] : [PENDING, DECIDED]) {
    const limit = page.limit + 1 - found.length;
    if (limit <= 0 || isPast(page.after, part)) continue;
    const before = idIn(page.after, part);
    found.push(
      ...(await listSuggestions(db, viewer, { schools, isPending: part === PENDING, before, limit })),
    );
  }
  const { rows, nextCursor } = cutPage(
    deps.secretKey,
    { list: LIST, rows: found, limit: page.limit },
    ({ status, id }) => [status === 'pending' ? PENDING : DECIDED, id],
  );
  return { suggestions: [...rows], nextCursor };
}

/** Counts the pending suggestions of a school, or of all schools. */
export async function countPendingSuggestions(
  deps: Deps,
  viewer: Viewer,
  query: { schoolId?: number | undefined },
) {
  const { db } = deps.database;
  return { pendingCount: await countPending(db, await findRequestedSchools(db, viewer, query.schoolId)) };
}

/**
 * Approves a suggestion: creates the activity and links it. Fields missing from the body have their suggested values. Throws
 * 409 if the suggestion is already decided.
 */
export async function approve(
  trx: Trx,
  deps: Deps,
  acting: Acting,
  call: { id: number; change: ActivityChange },
): Promise<{ suggestion: AdminSuggestion; activity: AdminActivity; message: string }> {
  const before = await lockPending(trx, deps, acting.viewer, call.id);
  const activity = await createActivity(trx, acting, asActivity(before, call.change));
  const decision = { status: 'approved', reason: null, activityId: activity.id } as const;
  const suggestion = await storeDecision(trx, deps, acting, { before, decision, from: ['pending'] });
  return { suggestion, activity, message: translate(deps, messages.approved) };
}

/** Rejects a suggestion, with or without a reason. Throws 409 if it is already decided. */
export async function reject(
  trx: Trx,
  deps: Deps,
  acting: Acting,
  call: { id: number; reason: string | null },
): Promise<{ suggestion: AdminSuggestion; message: string }> {
  const before = await lockPending(trx, deps, acting.viewer, call.id);
  const decision = { status: 'rejected', reason: call.reason } as const;
  const suggestion = await storeDecision(trx, deps, acting, { before, decision, from: ['pending'] });
  return { suggestion, message: translate(deps, messages.rejected) };
}

/**
 * Deletes a suggestion. With a reason the suggestion is only marked as deleted, and its author still sees it. Without a reason
 * it is deleted permanently. Throws 409 if `ifMatch` is outdated, or if a suggestion to mark is already marked as deleted; the
 * message names the decision.
 */
export function removeSuggestion(
  deps: Deps,
  { viewer, request }: Acting,
  call: { id: number; reason: string | null; ifMatch: number | undefined },
): Promise<{ message: string }> {
  return transaction(deps.database, async (trx) => {
    if (call.reason === null) await lockLegalHolds(trx);
    const before = await lockAndFind(trx, viewer, call.id);
    if (call.ifMatch !== undefined && call.ifMatch !== before.version)
      throw alreadyDecidedError(deps, before);
    if (call.reason === null) {
      await rejectIfSchoolUnderLegalHold(trx, before.schoolId);
      await rejectIfPersonUnderLegalHold(trx, before.user.id);
      requireRecentAuth(viewer, request);
      await purgeSuggestion(trx, call.id);
      await recordEvent(trx, actorOf(viewer, request), {
        action: 'suggestion.remove',
        subject: 'suggestion',
        subjectId: call.id,
        schoolId: before.schoolId,
        personId: before.user.id,
        before: storedValues(before),
      });
      return { message: translate(deps, messages.removed) };
    }
    const from = ['pending', 'approved', 'rejected'] as const;
    const decision = { status: 'deleted', reason: call.reason } as const;
    await storeDecision(trx, deps, { viewer, request }, { before, decision, from });
    return { message: translate(deps, messages.markedDeleted) };
  });
}

const isPast = (after: PageKey | undefined, part: number) => after !== undefined && Number(after[0]) > part;

function idIn(after: PageKey | undefined, part: number): number | undefined {
  return after !== undefined && Number(after[0]) === part ? Number(after[1]) : undefined;
}

async function lockAndFind(trx: Trx, viewer: Viewer, id: number): Promise<AdminSuggestion> {
  await lockRow(trx, 'activity_suggestions', id);
  const suggestion = await findSuggestion(trx, viewer, id);
  if (suggestion === undefined) throw errors.notFound(messages.notFound);
  return suggestion;
}

async function lockPending(trx: Trx, deps: Deps, viewer: Viewer, id: number): Promise<AdminSuggestion> {
  const suggestion = await lockAndFind(trx, viewer, id);
  if (suggestion.status !== 'pending') throw alreadyDecidedError(deps, suggestion);
  return suggestion;
}

function alreadyDecidedError(deps: Deps, { status, decidedBy }: AdminSuggestion) {
  const name = decidedBy === null ? translate(deps, messages.somebody) : fullName(decidedBy);
  return errors.conflict(DECISION_MESSAGES[status](name));
}

const DECISION_MESSAGES: Readonly<Record<Status, (name: string) => Message>> = {
  pending: () => messages.notFound,
  approved: messages.alreadyApproved,
  rejected: messages.alreadyRejected,
  deleted: messages.alreadyDeleted,
};

// The specification says that approving "takes the activity body". The suggestion provides the missing fields.
function asActivity(suggestion: AdminSuggestion, change: ActivityChange): ActivityInput {
  if (change.schoolId !== undefined && change.schoolId !== suggestion.schoolId) {
    throw errors.invalid(messages.otherSchool, { schoolId: messages.otherSchool });
  }
  const categoryId = change.categoryId ?? suggestion.categoryId;
  if (categoryId === null) {
    const { categoryRequired } = activityMessages;
    throw errors.invalid(categoryRequired, { categoryId: categoryRequired });
  }
  const { schoolId } = suggestion;
  return { ...change, ...changedFields(COPIED_TO_ACTIVITY, suggestion, change), categoryId, schoolId };
}

// If requests are concurrent, the conditional update lets only one of them decide. The email and the audit event are in the
// same transaction.
async function storeDecision(
  trx: Trx,
  deps: Deps,
  { viewer, request }: Acting,
  what: { before: AdminSuggestion; decision: Omit<Decision, 'by' | 'at'>; from: readonly Status[] },
): Promise<AdminSuggestion> {
  const { before, decision, from } = what;
  const { id, schoolId } = before;
  const isDecided = await writeDecision(trx, id, from, { ...decision, by: viewer.userId, at: request.at });
  if (!isDecided) throw alreadyDecidedError(deps, before);
  const after = await lockAndFind(trx, viewer, id);
  await recordEvent(trx, actorOf(viewer, request), {
    action: VERBS[decision.status],
    subject: 'suggestion',
    subjectId: id,
    schoolId,
    personId: before.user.id,
    before: { status: before.status, adminReason: before.adminReason },
    after: {
      status: after.status,
      adminReason: after.adminReason,
      ...(decision.activityId === undefined ? {} : { activityId: decision.activityId }),
    },
  });
  await emailSuggester(trx, deps, { viewer, request }, after);
  return after;
}

const VERBS = {
  approved: 'suggestion.approve',
  rejected: 'suggestion.reject',
  deleted: 'suggestion.delete',
} as const;

async function emailSuggester(
  trx: Trx,
  deps: Deps,
  { viewer, request }: Acting,
  suggestion: AdminSuggestion,
): Promise<void> {
  const recipient = await findDecisionRecipient(trx, suggestion.user.id);
  if (recipient === undefined) return;
  const translated = await withRecipientNames(deps, recipient, () =>
    findSuggestion(trx, viewer, suggestion.id),
  );
  await queueEmail(trx, deps, {
    kind: `suggestion-${suggestion.status}`,
    userId: recipient.id,
    letter: decisionEmail(deps, recipient, translated ?? suggestion),
    at: request.at,
  });
}

// The values that the audit log stores for a permanently deleted suggestion.
function storedValues(suggestion: AdminSuggestion) {
  const { status, adminReason } = suggestion;
  return { ...fieldsOf(SUGGESTION_FIELDS, suggestion), status, adminReason };
}

const STATUS_TEXTS = {
  pending: 'suggestions:pending',
  approved: 'suggestions:approvedStatus',
  rejected: 'suggestions:rejectedStatus',
  deleted: 'suggestions:deletedStatus',
} as const satisfies Readonly<Record<Status, string>>;

/** Exports the suggestions of a list as a file. */
export function buildSuggestionsFile(
  deps: Deps,
  acting: Acting,
  input: BodyOf<typeof exportSuggestions>,
): Promise<FileAnswer> {
  const { viewer } = acting;
  return listFile(deps, acting, {
    list: 'suggestions',
    title: 'suggestions:title',
    input,
    columns: columnsFor(deps, viewer),
    read: async (query) => {
      const { suggestions: rows, nextCursor } = await listForAdministrators(deps, viewer, query);
      return { rows, nextCursor };
    },
  });
}

function columnsFor(deps: Deps, viewer: Viewer): ListColumn<AdminSuggestion>[] {
  const { t } = deps.translator;
  const zone = deps.config.timeZone;
  const address = ({ user, schoolId }: AdminSuggestion) =>
    canAt(viewer, 'export addresses', schoolId) ? user.email : null;
  return [
    { title: 'suggestions:school', kind: 'text', width: 28, value: ({ school }) => school.name },
    { title: 'activities:name', kind: 'text', width: 32, value: ({ name }) => name },
    { title: 'suggestions:description', kind: 'text', width: 50, value: ({ description }) => description },
    {
      title: 'suggestions:category',
      kind: 'text',
      width: 20,
      value: ({ category }) => category?.name ?? null,
    },
    { title: 'suggestions:reason', kind: 'text', width: 50, value: ({ reason }) => reason },
    { title: 'activities:startDate', kind: 'day', width: 12, value: ({ activeFrom }) => activeFrom },
    { title: 'activities:endDate', kind: 'day', width: 12, value: ({ activeUntil }) => activeUntil },
    { title: 'users:status', kind: 'text', width: 12, value: ({ status }) => t(STATUS_TEXTS[status]) },
    { title: 'suggestions:feedback', kind: 'text', width: 50, value: ({ adminReason }) => adminReason },
    {
      title: 'time-entries:created',
      kind: 'day',
      width: 12,
      value: ({ createdAt }) => dayIn(zone, createdAt),
    },
    { title: 'users:firstName', kind: 'text', width: 16, value: ({ user }) => user.firstName },
    { title: 'users:lastName', kind: 'text', width: 18, value: ({ user }) => user.lastName },
    ...(scopeFor(viewer, 'export addresses').length > 0
      ? [{ title: 'users:email', kind: 'text', width: 28, value: address } as const]
      : []),
    { title: 'time-entries:fileAccount', kind: 'number', width: 10, value: ({ user }) => user.id },
  ];
}
