import * as z from 'zod/mini';
import type { Db } from '#server/db/database.ts';
import { blanksAsNull } from '#server/http/blank-fields.ts';
import { canAt, type Viewer } from '#server/http/viewer.ts';
import type { CalendarDate } from '#shared/calendar-date.ts';
import { baseMessages } from '#shared/common-messages.ts';
import { type Message, readMessage } from '#shared/i18n/message.ts';
import { clean, fold } from '#shared/text-normalization.ts';
import { activityProblem } from '../../contract.ts';
import { BulkActivity, type BulkInput, bulkMessages } from '../contract.ts';
import { categoriesAt, namesAt } from './store.ts';

export type Problem = Readonly<{ field: string; text: Message }>;

/** A row with what becomes of it. */
export type PlannedRow = Readonly<{ row: number; name: string; category: string }> &
  (
    | Readonly<{ outcome: 'new'; activity: BulkActivity }>
    | Readonly<{ outcome: 'duplicate'; note: Message }>
    | Readonly<{ outcome: 'problem'; problems: readonly Problem[] }>
  );

/** The rows, the categories of the school by `fold`ed name, and the names of those that are missing. */
export type Plan = Readonly<{
  rows: readonly PlannedRow[];
  categories: ReadonlyMap<string, number>;
  newCategories: readonly string[];
}>;

/** What would become of each row; nothing is written. The same name on the same day is the same activity. */
export async function planBulk(db: Db, viewer: Viewer, input: BulkInput): Promise<Plan> {
  const categories = await categoriesAt(db, input.schoolId);
  const here = new Set((await namesAt(db, input.schoolId)).map((one) => keyOf(one.name, one.activeFrom)));
  const mayMake = canAt(viewer, 'edit categories', input.schoolId);
  const added = new Map<string, number>();
  const missing = new Map<string, string>();
  const rows = input.activities.map((given, at): PlannedRow => {
    const row = { row: at + 1, name: textOf(given['name']), category: textOf(given['category']) };
    const read = readRow(given);
    if ('problems' in read) return { ...row, outcome: 'problem', problems: read.problems };
    const { activity } = read;
    const key = keyOf(activity.name, activity.activeFrom ?? null);
    const same = added.get(key);
    if (here.has(key)) return { ...row, outcome: 'duplicate', note: bulkMessages.alreadyHere };
    if (same !== undefined) return { ...row, outcome: 'duplicate', note: bulkMessages.sameAsRow(same) };
    const category = fold(activity.category);
    if (!categories.has(category)) {
      if (!mayMake) {
        const text = bulkMessages.mayNotMakeCategory(activity.category);
        return { ...row, outcome: 'problem', problems: [{ field: 'category', text }] };
      }
      if (!missing.has(category)) missing.set(category, activity.category);
    }
    added.set(key, row.row);
    return { ...row, outcome: 'new', activity };
  });
  return { rows, categories, newCategories: [...missing.values()] };
}

// By what two activities are told apart: the name, without case and accents, and the first day.
function keyOf(name: string, activeFrom: CalendarDate | null): string {
  return `${activeFrom ?? ''} ${fold(name)}`;
}

function readRow(given: unknown): { activity: BulkActivity } | { problems: Problem[] } {
  const read = z.safeParse(BulkActivity, blanksAsNull(BulkActivity, given));
  if (!read.success) return { problems: problemsIn(read.error.issues) };
  const { data } = read;
  const problem = activityProblem({
    activeFrom: data.activeFrom ?? null,
    activeUntil: data.activeUntil ?? null,
    requiresDescription: data.requiresDescription ?? false,
    descriptionPrompt: data.descriptionPrompt ?? null,
  });
  if (problem === undefined) return { activity: data };
  return { problems: [{ field: problem.field, text: problem.message }] };
}

// One for each field; a schema without its own message (such as a flag) has only the library's text.
function problemsIn(issues: readonly z.core.$ZodIssue[]): Problem[] {
  const found = new Map<string, Problem>();
  for (const { path, message } of issues) {
    const field = String(path[0] ?? 'name');
    const text = readMessage(message) === undefined ? baseMessages.invalidRequest : (message as Message);
    if (!found.has(field)) found.set(field, { field, text });
  }
  return [...found.values()];
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? clean(value).slice(0, 200) : '';
}
