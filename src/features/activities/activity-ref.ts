import type { CalendarDate } from '#shared/calendar-date.ts';
import type { Kind } from './categories/contract.ts';
import type { ActivityRef } from './contract.ts';

/** The columns that a query joining `activities` and `categories` selects for `toActivityRef`. */
export const ACTIVITY_REF_COLUMNS = [
  'activities.id as activity_id',
  'activities.name as activity_name',
  'activities.is_active',
  'activities.active_from',
  'activities.requires_description',
  'activities.description_prompt',
  'categories.id as category_id',
  'categories.name as category_name',
  'categories.color as category_color',
  'categories.kind as category_kind',
] as const;

/** A row with those columns. */
export type ActivityRefRow = Readonly<{
  activity_id: number;
  activity_name: string;
  is_active: 0 | 1;
  active_from: CalendarDate | null;
  requires_description: 0 | 1;
  description_prompt: string | null;
  category_id: number;
  category_name: string;
  category_color: string;
  category_kind: Kind;
}>;

/** Converts a row to an `ActivityRef`. Every feature that selects these columns uses it. */
export function toActivityRef(row: ActivityRefRow): ActivityRef {
  return {
    id: row.activity_id,
    name: row.activity_name,
    category: {
      id: row.category_id,
      name: row.category_name,
      color: row.category_color,
      kind: row.category_kind,
    },
    isActive: row.is_active === 1,
    activeFrom: row.active_from,
    requiresDescription: row.requires_description === 1,
    descriptionPrompt: row.description_prompt,
  };
}
