import type { Db, Trx } from '#server/db/database.ts';
import type { Deps } from '#server/deps.ts';
import { allPages, type Column, type Person, type Section } from '#server/personal-data/data-export.ts';
import { deleteEmailPreferences, findOwnEmailPreferences, readOwnSuggestions } from './privacy-store.ts';

/** The data export's sections about suggestions. */
export function exportPersonalData(db: Db, { id }: Person): readonly Section[] {
  return [
    { name: 'suggestionMail', read: async () => (await findOwnEmailPreferences(db, id)) ?? null },
    { name: 'suggestions', pages: () => allPages(db, id, readOwnSuggestions) },
  ];
}

/** Deletes the email preferences. The suggestions stay. */
export async function deletePersonalData(trx: Trx, _deps: Deps, person: Person): Promise<void> {
  await deleteEmailPreferences(trx, person.id);
}

export const DELETED_COLUMNS = ['suggestion_email_preferences.user_id'] as const satisfies readonly Column[];

const DISTRICT_RECORD = "the district's record, under 'Former volunteer' (decisions)";
const DECISION = "an administrator's answer, which is the district's record";

export const RETAINED_COLUMNS = {
  'activity_suggestions.user_id': DISTRICT_RECORD,
  'activity_suggestions.name': DISTRICT_RECORD,
  'activity_suggestions.description': DISTRICT_RECORD,
  'activity_suggestions.reason': DISTRICT_RECORD,
  'activity_suggestions.status': DECISION,
  'activity_suggestions.admin_reason': DECISION,
  'activity_suggestions.decided_by': DECISION,
} as const satisfies Partial<Record<Column, string>>;
