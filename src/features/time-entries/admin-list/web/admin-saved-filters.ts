import type { Id } from '#shared/id.ts';
import { type Filters, NO_FILTERS } from './admin-filters.ts';

/** Whose filters they are, and of which school's entries; undefined: all schools. */
export type Listed = Readonly<{ userId: Id; schoolId: Id | undefined }>;

const nameOf = ({ userId, schoolId }: Listed) => `entryFilters.${userId}.${schoolId ?? 'all'}`;

// Of this tab alone, and gone with the session: a filter may name a person. Where storage is switched off or full they
// last as long as the page.
const unkept = new Map<string, string>();

/** The filters as they were left; none at first. */
export function savedFilters(listed: Listed): Filters {
  try {
    const name = nameOf(listed);
    return { ...NO_FILTERS, ...JSON.parse(unkept.get(name) ?? sessionStorage.getItem(name) ?? '{}') };
  } catch {
    return NO_FILTERS;
  }
}

export function saveFilters(listed: Listed, filters: Filters): void {
  const name = nameOf(listed);
  const text = JSON.stringify(filters);
  unkept.delete(name);
  try {
    sessionStorage.setItem(name, text);
  } catch {
    unkept.set(name, text);
  }
}
