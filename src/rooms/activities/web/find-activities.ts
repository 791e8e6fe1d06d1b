import { fold } from '#base/text.ts';

type Named = { name: string; category: { name: string } };

/** An activity with the text that a search looks through, folded once for all key presses. */
export type Findable<A extends Named> = { activity: A; text: string };

/** Prepares activities for a search without regard to accents and case. */
export function findable<A extends Named>(activities: readonly A[]): Findable<A>[] {
  return activities.map((activity) => ({
    activity,
    text: `${fold(activity.name)} ${fold(activity.category.name)}`,
  }));
}

/** The activities in whose name or category every word of the query occurs; all of them for a blank query. */
export function findActivities<A extends Named>(all: readonly Findable<A>[], query: string): A[] {
  const words = fold(query).split(' ');
  return all.filter(({ text }) => words.every((word) => text.includes(word))).map(({ activity }) => activity);
}

/** Found activities with those ahead whose name has every word; of the others it was the category that matched. */
export function nameFirst<A extends Named>(found: readonly A[], query: string): A[] {
  const words = fold(query).split(' ');
  const isByName = (activity: A) => words.every((word) => fold(activity.name).includes(word));
  return found.toSorted((a, b) => Number(isByName(b)) - Number(isByName(a)));
}
