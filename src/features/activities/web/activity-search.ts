import { foldForSearch, searchWords } from '#shared/text-normalization.ts';

/** `originalName` is the name in the first language if `name` is a translation. */
type Named = { name: string; originalName?: string | undefined; category: { name: string } };

/** An activity with its searchable text, folded once instead of on every key press. */
export type Searchable<A extends Named> = { activity: A; text: string };

/** Prepares activities for a search that ignores accents and case. */
export function toSearchable<A extends Named>(activities: readonly A[]): Searchable<A>[] {
  return activities.map((activity) => ({
    activity,
    text: foldForSearch(`${activity.name} ${activity.originalName ?? ''} ${activity.category.name}`),
  }));
}

/**
 * Returns the activities that contain every word of the query in their name, original name or category; all of them for a blank
 * query.
 */
export function findActivities<A extends Named>(all: readonly Searchable<A>[], query: string): A[] {
  const words = searchWords(query);
  return all.filter(({ text }) => words.every((word) => text.includes(word))).map(({ activity }) => activity);
}

/** Sorts activities whose name contains every word before those that match by category. */
export function sortByNameMatch<A extends Named>(found: readonly A[], query: string): A[] {
  const words = searchWords(query);
  const isByName = (activity: A) =>
    words.every((word) => foldForSearch(`${activity.name} ${activity.originalName ?? ''}`).includes(word));
  return found.toSorted((a, b) => Number(isByName(b)) - Number(isByName(a)));
}
