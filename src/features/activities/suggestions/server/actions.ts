import { findRequestedSchools } from '#features/schools/server/actions.ts';
import { recordEvent } from '#server/audit-log.ts';
import { type Trx, transaction } from '#server/db/database.ts';
import { pageByKey } from '#server/db/queries/pagination.ts';
import type { Deps } from '#server/deps.ts';
import { isUnchanged } from '#server/http/change-checks.ts';
import { type Acting, actorOf, type Viewer } from '#server/http/viewer.ts';
import { translate } from '#server/i18n/translator.ts';
import { assertDefined } from '#shared/assert-defined.ts';
import { newRecordValues } from '#shared/entity-fields.ts';
import { errors } from '#shared/errors.ts';
import type { Id } from '#shared/id.ts';
import { capabilitiesOf } from '#shared/permissions.ts';
import { requireCategory } from '../../categories/server/actions.ts';
import { messages as activityMessages, datesProblem } from '../../contract.ts';
import {
  type MailChange,
  type MailChoice,
  messages,
  type Status,
  type Suggestion,
  type SuggestionInput,
} from '../contract.ts';
import { SUGGESTION_FIELDS } from '../suggestion-fields.ts';
import { findEmailPreference, saveEmailPreference } from './email-preferences-store.ts';
import { countByStatus, findSuggestion, insertSuggestion, readPageOfOwn } from './store.ts';

/** Returns a page of the viewer's own suggestions, latest first, with counts by status. */
export async function listOwnSuggestions(
  deps: Deps,
  viewer: Viewer,
  query: { status?: Status | undefined; limit?: number | undefined; cursor?: string | undefined },
) {
  const { db } = deps.database;
  const list = `my-activity-suggestions ${query.status ?? ''}`;
  const { rows, nextCursor } = await pageByKey(deps.secretKey, list, query, {
    read: (page) => readPageOfOwn(db, viewer, query.status, page),
    keyOf: ({ id }) => [id],
  });
  return { suggestions: rows, statusCounts: await countByStatus(db, viewer.userId), nextCursor };
}

/**
 * Creates a suggestion for one of the viewer's schools. Throws 404 for a school or category outside the scope; 400 if the
 * school is ambiguous or the category belongs to another school.
 */
export async function createSuggestionForViewer(
  trx: Trx,
  deps: Deps,
  { viewer, request }: Acting,
  input: SuggestionInput,
): Promise<{ suggestion: Suggestion; message: string }> {
  const { schoolId, categoryId } = await resolveSchool(trx, viewer, input);
  const values = suggestionValues(input, { schoolId, categoryId });
  const id = await insertSuggestion(trx, { ...values, userId: viewer.userId, at: request.at });
  const suggestion = assertDefined(await findSuggestion(trx, viewer, id));
  await recordEvent(trx, actorOf(viewer, request), {
    action: 'suggestion.submit',
    subject: 'suggestion',
    subjectId: id,
    schoolId,
    after: values,
  });
  return { suggestion, message: translate(deps, messages.submitted) };
}

/** Returns the viewer's email preferences for suggestions. */
export async function readSuggestionEmailPreference(
  deps: Deps,
  viewer: Viewer,
): Promise<{ mail: MailChoice }> {
  return { mail: withAllowedDigest(viewer, await findEmailPreference(deps.database.db, viewer.userId)) };
}

/**
 * Updates the viewer's email preferences; absent fields are unchanged. Only users who may decide suggestions get the
 * digest.
 */
export function updateSuggestionEmailPreference(deps: Deps, viewer: Viewer, change: MailChange) {
  return transaction(deps.database, async (trx) => {
    const before = await findEmailPreference(trx, viewer.userId);
    const mail = withAllowedDigest(viewer, {
      decisions: change.decisions ?? before.decisions,
      digest: change.digest ?? before.digest,
    });
    if (!isUnchanged(before, mail)) await saveEmailPreference(trx, viewer.userId, mail);
    return { mail, message: translate(deps, messages.emailSaved) };
  });
}

function withAllowedDigest(viewer: Viewer, choice: MailChoice): MailChoice {
  return { ...choice, digest: choice.digest && capabilitiesOf(viewer).includes('decide suggestions') };
}

/** Unsubscribes a user from the digest. Works without a session. */
export function unsubscribeDigest(deps: Deps, userId: number): Promise<void> {
  return transaction(deps.database, async (trx) => {
    const before = await findEmailPreference(trx, userId);
    if (before.digest) await saveEmailPreference(trx, userId, { ...before, digest: false });
  });
}

// The requested school, else the category's, else the viewer's only school (decisions: who may do what).
async function resolveSchool(
  trx: Trx,
  viewer: Viewer,
  input: SuggestionInput,
): Promise<{ schoolId: Id; categoryId: Id | null }> {
  const categoryId = input.categoryId ?? null;
  const sent = input.schoolId ?? undefined;
  // Checked before the category, whose error would be misleading for an unknown school.
  if (sent !== undefined) await findRequestedSchools(trx, viewer, sent);
  const category = categoryId === null ? undefined : await requireCategory(trx, viewer, categoryId);
  const [first, ...others] = viewer.schoolIds;
  const schoolId = sent ?? category?.schoolId ?? (others.length === 0 ? first : undefined);
  if (schoolId === undefined) {
    throw errors.invalid(activityMessages.schoolRequired, { schoolId: activityMessages.schoolRequired });
  }
  if (category !== undefined && category.schoolId !== schoolId) {
    throw errors.invalid(activityMessages.categoryElsewhere, {
      categoryId: activityMessages.categoryElsewhere,
    });
  }
  return { schoolId, categoryId };
}

function suggestionValues(input: SuggestionInput, place: { schoolId: Id; categoryId: Id | null }) {
  const isYearLong = input.isYearLong === true;
  const noDates = isYearLong ? { activeFrom: null, activeUntil: null } : {};
  const values = newRecordValues(SUGGESTION_FIELDS, { ...input, ...noDates, ...place, isYearLong });
  const problem = datesProblem(values);
  if (problem !== undefined) throw errors.invalid(problem.message, { [problem.field]: problem.message });
  return values;
}
