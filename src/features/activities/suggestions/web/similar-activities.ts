import { foldForSearch } from '#shared/text-normalization.ts';

/** Maximum number of activities listed. */
const MAX_RESULTS = 3;
/** Names shorter than this are not compared. */
const MIN_LETTERS = 3;
/** Minimum similarity, from 0 to 1. */
const MIN_SIMILARITY = 0.6;
const SMALL_WORDS = new Set(['a', 'an', 'and', 'at', 'for', 'in', 'of', 'on', 'our', 'the', 'to', 'with']);

/**
 * Returns the activities that a typed name may mean, most similar first. Ignores case, accents, word order, plurals and
 * small typos.
 */
export function findSimilarActivities<A extends { name: string }>(
  typed: string,
  activities: readonly A[],
): A[] {
  const wanted = wordsOf(typed);
  if (wanted.join('').length < MIN_LETTERS) return [];
  return activities
    .map((activity) => ({ activity, score: similarity(wanted, wordsOf(activity.name)) }))
    .filter(({ score }) => score >= MIN_SIMILARITY)
    .toSorted((a, b) => b.score - a.score || a.activity.name.localeCompare(b.activity.name))
    .slice(0, MAX_RESULTS)
    .map(({ activity }) => activity);
}

function wordsOf(name: string): string[] {
  const words = foldForSearch(name)
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '');
  const significant = words.filter((word) => !SMALL_WORDS.has(word));
  return (significant.length > 0 ? significant : words).map(singular);
}

// 'stories' -> 'story', 'dishes' -> 'dish', 'books' -> 'book'; 'class' and 'gas' are unchanged.
function singular(word: string): string {
  if (word.length > 4 && word.endsWith('ies')) return `${word.slice(0, -3)}y`;
  if (word.length > 4 && /(?:s|x|z|ch|sh)es$/.test(word)) return word.slice(0, -2);
  return word.length > 3 && /[^s]s$/.test(word) ? word.slice(0, -1) : word;
}

function similarity(wanted: readonly string[], words: readonly string[]): number {
  if (words.length === 0) return 0;
  const joined = [wanted.join(''), words.join('')] as const;
  // 'Bookfair' matches 'Book Fair'. Two names are similar enough if every word of one occurs in the other.
  if (isSameWord(...joined)) return 1;
  const shared = wanted.filter((one, at) =>
    words.some((word) => isSameWord(one, word) || (at === wanted.length - 1 && isBeginning(one, word))),
  ).length;
  const found = Math.min(shared, words.length);
  if (found === wanted.length || found === words.length) {
    return MIN_SIMILARITY + (1 - MIN_SIMILARITY) * (found / Math.max(wanted.length, words.length)) * 0.9;
  }
  return (2 * found) / (wanted.length + words.length) - 0.05;
}

function isBeginning(typed: string, word: string): boolean {
  return typed.length >= MIN_LETTERS && word.startsWith(typed);
}

// Allows one typo per four letters, but at most two.
function isSameWord(one: string, other: string): boolean {
  if (one === other) return true;
  const allowed = Math.min(2, Math.floor(Math.max(one.length, other.length) / 4));
  if (Math.abs(one.length - other.length) > allowed) return false;
  // A different number is not a typo: 'Grade 1' is not 'Grade 2'.
  if (/\p{N}/u.test(one + other)) return false;
  return editDistance(one, other) <= allowed;
}

/** The edit distance: wrong, missing, extra or swapped letters. */
function editDistance(one: string, other: string): number {
  let [before, last]: number[][] = [[], Array.from({ length: other.length + 1 }, (_, at) => at)];
  for (let row = 1; row <= one.length; row++) {
    const line = [row];
    for (let at = 1; at <= other.length; at++) {
      const isSame = one[row - 1] === other[at - 1];
      const isSwapped = row > 1 && at > 1 && one[row - 1] === other[at - 2] && one[row - 2] === other[at - 1];
      line[at] = Math.min(
        (last?.[at] ?? 0) + 1,
        (line[at - 1] ?? 0) + 1,
        (last?.[at - 1] ?? 0) + (isSame ? 0 : 1),
        isSwapped ? (before?.[at - 2] ?? 0) + 1 : Number.POSITIVE_INFINITY,
      );
    }
    [before, last] = [last ?? [], line];
  }
  return last?.[other.length] ?? 0;
}
