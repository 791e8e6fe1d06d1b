/** A seeded sequence of random numbers, the same in every run. */
export type Random = Readonly<{
  /** From 0 up to, not including, 1. */
  next: () => number;
  /** An integer from `from` to `to`, inclusive. */
  between: (from: number, to: number) => number;
  /** True with this probability. */
  chance: (share: number) => boolean;
  pick: <T>(list: readonly T[]) => T;
  shuffled: <T>(list: readonly T[]) => T[];
  /** A separate sequence for one purpose: drawing more from it leaves the others unchanged. */
  fork: (purpose: string) => Random;
}>;

/** Draws by weight: `draw(random)` returns an index of the weights, or -1 when all of them are 0. */
export type Weighted = (random: Random) => number;

const RANGE = 2 ** 32;

/** The sequence of a seed (Chris Doty-Humphrey's sfc32, seeded by an FNV hash of the text). */
export function randomFrom(seed: string): Random {
  let [a, b, c, d] = [hashOf(`${seed}/a`), hashOf(`${seed}/b`), hashOf(`${seed}/c`), 1];
  const step = () => {
    const sum = (a + b + d) | 0;
    d = (d + 1) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = ((c << 21) | (c >>> 11)) + sum;
    return sum >>> 0;
  };
  for (let warm = 0; warm < 12; warm++) step();
  const next = () => step() / RANGE;
  const between = (from: number, to: number) => from + Math.floor(next() * (to - from + 1));
  return {
    next,
    between,
    chance: (share) => next() < share,
    pick: (list) => at(list, Math.floor(next() * list.length)),
    shuffled: (list) => {
      const left = [...list];
      return list.map(() => at(left.splice(between(0, left.length - 1), 1), 0));
    },
    fork: (purpose) => randomFrom(`${seed}/${purpose}`),
  };
}

/** Prepares drawing with these weights. */
export function weighted(weights: readonly number[]): Weighted {
  let sum = 0;
  const upTo = weights.map((weight) => {
    sum += weight;
    return sum;
  });
  return (random) => {
    if (sum <= 0) return -1;
    const target = random.next() * sum;
    let low = 0;
    let high = upTo.length - 1;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (at(upTo, middle) > target) high = middle;
      else low = middle + 1;
    }
    return low;
  };
}

/** Zipf's weights for `count` ranks. A larger `shift` flattens the top: the first is not twice the second. */
export function zipf(count: number, { exponent = 1, shift = 0 } = {}): number[] {
  return Array.from({ length: count }, (_, rank) => 1 / (rank + 1 + shift) ** exponent);
}

/** Splits an integer by weight into integers that add up to it exactly. */
export function apportion(total: number, weights: readonly number[]): number[] {
  const sum = weights.reduce((all, weight) => all + weight, 0);
  let reached = 0;
  let assigned = 0;
  return weights.map((weight) => {
    reached += weight;
    const share = Math.round((total * reached) / sum) - assigned;
    assigned += share;
    return share;
  });
}

/** The element at an index; throws when there is none. */
export function at<T>(list: readonly T[], index: number): T {
  const found = list[index];
  if (found === undefined) throw new Error(`no element ${index} in a list of ${list.length}`);
  return found;
}

function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (const letter of text) hash = Math.imul(hash ^ (letter.codePointAt(0) ?? 0), 0x01000193);
  return hash | 0;
}
