import { setImmediate as turn } from 'node:timers/promises';
import { mapYielding } from '#server/process/event-loop.ts';
import { canonicalMailbox } from '#shared/email-address.ts';
import { foldForSearch } from '#shared/text-normalization.ts';
import { REASONS, type Reason } from '../contract.ts';
import type { Candidate } from './duplicates-store.ts';

/**
 * Two possible duplicates, lower ID first, with the reason. `name` sorts pairs that have the same reason, and searches match
 * `names`.
 */
export type Pair = Readonly<{
  low: number;
  high: number;
  reason: Reason;
  name: string;
  names: readonly string[];
}>;

/** A larger block only shows that a name is common, so each person is compared with just the next few. */
const NEXT_OF_MANY = 8;

type Read = Candidate & Readonly<{ first: string; last: string; words: string }>;
type Found = Map<string, Pair>;

/**
 * Finds the pairs of possible duplicates, strongest reason first. Compares people only within blocks: the same address, the
 * same two names, or one equal name and another that differs by one letter.
 */
export async function findDuplicatePairs(people: readonly Candidate[]): Promise<readonly Pair[]> {
  const read = await mapYielding(
    people,
    (one): Read => ({
      ...one,
      first: letters(one.firstName),
      last: letters(one.lastName),
      words: foldForSearch(`${one.firstName} ${one.lastName} ${one.email}`),
    }),
  );
  const found: Found = new Map();
  await inTurns(
    blocksOf(read, (one) => addressKey(one.email)),
    (block) => pairUp(found, block, () => 'address'),
  );
  await inTurns(blocksOf(read, bothNames), (block) => pairUp(found, block, sameNames));
  await inTurns(
    blocksOf(read, ({ last }) => last),
    (block) => pairTypos(found, block, 'first'),
  );
  await inTurns(
    blocksOf(read, ({ first }) => first),
    (block) => pairTypos(found, block, 'last'),
  );
  return [...found.values()].toSorted(inOrder);
}

/** The sort key of a pair in the list. */
export function sortKeyOf({ reason, name, low, high }: Pair): readonly [number, string, number, number] {
  return [rankOf(reason), name, low, high];
}

function rankOf(reason: Reason): number {
  return REASONS.indexOf(reason);
}

/** Whether one sort key comes before another. */
export function isBefore(
  one: readonly (string | number | null)[],
  other: readonly (string | number | null)[],
): boolean {
  for (const [at, value] of one.entries()) {
    const theirs = other[at] ?? 0;
    if (value !== theirs) return (value ?? 0) < theirs;
  }
  return false;
}

/** Whether two texts differ by one letter: one replaced, added or missing, or two swapped. */
export function differsByOneLetter(one: string, other: string): boolean {
  const [short, long] = one.length <= other.length ? [one, other] : [other, one];
  if (long.length - short.length > 1 || short === long) return false;
  let at = 0;
  while (at < short.length && short[at] === long[at]) at += 1;
  if (short.length < long.length) return short.slice(at) === long.slice(at + 1);
  if (short.slice(at + 1) === long.slice(at + 1)) return true;
  const isTurned = short[at] === long[at + 1] && short[at + 1] === long[at];
  return isTurned && short.slice(at + 2) === long.slice(at + 2);
}

function inOrder(one: Pair, other: Pair): number {
  if (isBefore(sortKeyOf(one), sortKeyOf(other))) return -1;
  return isBefore(sortKeyOf(other), sortKeyOf(one)) ? 1 : 0;
}

// Keeps only letters and digits, without accents and case.
function letters(name: string): string {
  return foldForSearch(name).replaceAll(/[^\p{L}\p{N}]/gu, '');
}

// Ignores tags and dots for every mail provider, because an administrator makes the decision.
function addressKey(email: string): string {
  if (email === '') return '';
  const mailbox = canonicalMailbox(email);
  const at = mailbox.lastIndexOf('@');
  const local = mailbox.slice(0, at).split('+', 1)[0] ?? '';
  return `${local.replaceAll('.', '')}${mailbox.slice(at)}`;
}

function bothNames({ first, last }: Read): string {
  if (first === '' || last === '') return '';
  return first < last ? `${first} ${last}` : `${last} ${first}`;
}

// Yields to other requests between chunks.
async function inTurns(
  blocks: Iterable<readonly Read[]>,
  work: (block: readonly Read[]) => void,
): Promise<void> {
  let worked = 0;
  for (const block of blocks) {
    work(block);
    worked += block.length;
    if (worked < 2000) continue;
    worked = 0;
    await turn();
  }
}

function* blocksOf(people: readonly Read[], keyOf: (one: Read) => string): Iterable<readonly Read[]> {
  for (const [key, block] of Map.groupBy(people, keyOf)) {
    if (key !== '' && block.length > 1) yield block;
  }
}

function pairUp(
  found: Found,
  block: readonly Read[],
  why: (one: Read, other: Read) => Reason | undefined,
): void {
  for (const [at, one] of block.entries()) {
    for (const other of block.slice(at + 1, at + 1 + NEXT_OF_MANY)) note(found, one, other, why(one, other));
  }
}

function sameNames(one: Read, other: Read): Reason {
  if (!sharesSchool(one, other)) return 'elsewhere';
  if (one.isWalkIn || other.isWalkIn) return 'walkIn';
  return one.first === other.first ? 'name' : 'swapped';
}

// Groups names by keys, each with one letter left out. Two names that differ by one letter share a key.
function pairTypos(found: Found, block: readonly Read[], other: 'first' | 'last'): void {
  const named = Map.groupBy(block, (one) => one[other]);
  if (named.size < 2) return;
  const long = [...named.keys()].filter((name) => name.length >= 3);
  const spellings = long.flatMap((name) => [...withOneLess(name)].map((key) => ({ key, name })));
  for (const near of Map.groupBy(spellings, ({ key }) => key).values()) {
    for (const [at, { name }] of near.entries()) {
      for (const { name: next } of near.slice(at + 1, at + 1 + NEXT_OF_MANY)) {
        if (isTypo(name, next)) pairNames(found, named.get(name) ?? [], named.get(next) ?? []);
      }
    }
  }
}

// Short names of equal length that differ by a letter, such as 'Tim' and 'Tom', are different names.
function isTypo(one: string, other: string): boolean {
  const isLong = Math.min(one.length, other.length) >= 5 || one.length !== other.length;
  return isLong && differsByOneLetter(one, other);
}

function pairNames(found: Found, some: readonly Read[], others: readonly Read[]): void {
  for (const one of some.slice(0, NEXT_OF_MANY)) {
    for (const other of others.slice(0, NEXT_OF_MANY)) {
      if (sharesSchool(one, other))
        note(found, one, other, one.isWalkIn || other.isWalkIn ? 'walkIn' : 'alike');
    }
  }
}

function withOneLess(name: string): Set<string> {
  const less = Array.from(name, (_, at) => name.slice(0, at) + name.slice(at + 1));
  return new Set([name, ...less]);
}

function sharesSchool(one: Read, other: Read): boolean {
  return one.schools.some((school) => other.schools.includes(school));
}

function note(found: Found, one: Read, other: Read, reason: Reason | undefined): void {
  if (reason === undefined || one.id === other.id) return;
  const [low, high] = one.id < other.id ? [one, other] : [other, one];
  const key = `${low.id} ${high.id}`;
  const known = found.get(key);
  if (known !== undefined && rankOf(known.reason) <= rankOf(reason)) return;
  found.set(key, {
    low: low.id,
    high: high.id,
    reason,
    name: `${low.last} ${low.first}`,
    names: [low.words, high.words],
  });
}
