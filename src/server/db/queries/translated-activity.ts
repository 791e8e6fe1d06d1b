import { sql } from 'kysely';
import { forEachLanguageSql } from './translated-name.ts';

const SAME_IN_ALL = [
  'activities.id as activity_id',
  'activities.is_active',
  'activities.active_from',
  'activities.requires_description',
  'categories.id as category_id',
  'categories.color as category_color',
  'categories.kind as category_kind',
] as const;

/** The columns of an activity beside something else (`ACTIVITY_REF_COLUMNS`), its texts as their reader sees them. */
export const translatedActivityColumns = forEachLanguageSql((shown) => [
  ...SAME_IN_ALL,
  sql.raw<string>(shown('activities', 'name')).as('activity_name'),
  sql.raw<string | null>(shown('activities', 'description_prompt')).as('description_prompt'),
  sql.raw<string>(shown('categories', 'name')).as('category_name'),
]);

/** The same as SQL. */
export const translatedActivitySql = forEachLanguageSql((shown) =>
  [
    ...SAME_IN_ALL,
    `${shown('activities', 'name')} as activity_name`,
    `${shown('activities', 'description_prompt')} as description_prompt`,
    `${shown('categories', 'name')} as category_name`,
  ].join(', '),
);
