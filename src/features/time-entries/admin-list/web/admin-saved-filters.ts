import type { Id } from '#shared/id.ts';
import { type Filters, NO_FILTERS } from './admin-filters.ts';

/** Whose filters they are and for which school's entries; undefined means all schools. */
export type FilterOwner = Readonly<{ userId: Id; schoolId: Id | undefined }>;

const storageKey = ({ userId, schoolId }: FilterOwner) => `entryFilters.${userId}.${schoolId ?? 'all'}`;

// Stored for this tab only, because a filter may name a person. Without session storage they last until the page
// closes.
const memoryFallback = new Map<string, string>();

/** The filters as the user left them; `NO_FILTERS` at first. */
export function savedFilters(listed: FilterOwner): Filters {
  try {
    const name = storageKey(listed);
    return { ...NO_FILTERS, ...JSON.parse(memoryFallback.get(name) ?? sessionStorage.getItem(name) ?? '{}') };
  } catch {
    return NO_FILTERS;
  }
}

export function saveFilters(listed: FilterOwner, filters: Filters): void {
  const name = storageKey(listed);
  const text = JSON.stringify(filters);
  memoryFallback.delete(name);
  try {
    sessionStorage.setItem(name, text);
  } catch {
    memoryFallback.set(name, text);
  }
}
