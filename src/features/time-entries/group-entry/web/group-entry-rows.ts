import { emailKey } from '#features/users/contract.ts';
import type { Id } from '#shared/id.ts';
import { fullName } from '#shared/person-name.ts';
import { foldForSearch, normalizeText } from '#shared/text-normalization.ts';

/** A member of the school that a row can refer to. */
export type Member = Readonly<{
  id: Id;
  firstName: string;
  lastName: string;
  email: string;
  isWalkIn: boolean;
}>;

/** A person without an account, as named in a row. */
export type Newcomer = Readonly<{ firstName: string; lastName: string; email: string | null }>;

/** The parsed text of one row of a sign-in sheet. */
export type ParsedRow = Readonly<{
  firstName: string;
  lastName: string;
  email: string | null;
  hours: number | undefined;
}>;

/** A row of a group entry. Without `userId` and `walkIn` it is unmatched. */
export type GroupEntryRow = Readonly<{
  key: string;
  /** The typed text, or the name of the matched person. */
  name: string;
  userId?: Id | undefined;
  walkIn?: Newcomer | undefined;
  hours: number | undefined;
}>;

/** Whether the row has not been matched to a person. */
export function isUnmatched({ userId, walkIn }: GroupEntryRow): boolean {
  return userId === undefined && walkIn === undefined;
}

/** The most matches shown at a time. */
export const OFFERED_MEMBERS = 6;

/** The non-empty lines of a pasted text. */
export function splitPastedLines(pasted: string): string[] {
  return pasted
    .split(/\r\n?|\n/)
    .map(normalizeText)
    .filter((line) => line !== '');
}

/** Reads 'Ann Lee', 'Lee, Ann', 'Lee, Ann, ann@school.example, 2.5' or the cells of a spreadsheet's row. */
export function parseRow(line: string): ParsedRow {
  const { rest, hours } = splitTrailingHours(line);
  const cells = rest
    .split(/[\t;,]/)
    .map(normalizeText)
    .filter((cell) => cell !== '');
  const email = cells.find((cell) => /^\S+@\S+$/.test(cell)) ?? null;
  const [first = '', second] = cells.filter((cell) => cell !== email);
  if (second === undefined) return { ...splitName(first), email, hours };
  // A comma reverses a name; the cells of a spreadsheet are in reading order.
  const isReversed = rest.includes(',');
  return isReversed
    ? { firstName: second, lastName: first, email, hours }
    : { firstName: first, lastName: second, email, hours };
}

// '2', '2.5', '2,5', '2h', '2.5 hours' or '2 horas' after a space, a tab, a comma or a semicolon.
const HOURS = /[\s,;]+(\d{1,2}(?:[.,]\d{1,2})?)\s*(?:h|hrs?|hours?|horas?)?$/i;

/** Splits a line into the text before the hours and the hours at its end; undefined if it has none. */
export function splitTrailingHours(line: string): { rest: string; hours: number | undefined } {
  const found = HOURS.exec(line);
  if (found === null) return { rest: line, hours: undefined };
  return { rest: line.slice(0, found.index), hours: Number(found[1]?.replace(',', '.')) };
}

function splitName(text: string): { firstName: string; lastName: string } {
  const words = text.split(' ').filter((word) => word !== '');
  const lastName = words.length > 1 ? (words.at(-1) ?? '') : '';
  return { firstName: words.slice(0, lastName === '' ? undefined : -1).join(' '), lastName };
}

/**
 * The members that a typed text matches: each typed word begins a word of their name or email address. Matches at the start
 * of the first or last name come first.
 */
export function findMembers(members: readonly Member[], typed: string): Member[] {
  const words = splitWords(typed);
  if (words.length === 0) return [];
  const hits = members.flatMap((member) => {
    const own = splitWords(`${member.firstName} ${member.lastName} ${member.email}`);
    const isHit = words.every((word) => own.some((one) => one.startsWith(word)));
    return isHit ? [{ member, rank: rankMatch(member, words) }] : [];
  });
  // The sort is stable, so equal ranks keep the list's order by last name.
  return hits.toSorted((a, b) => a.rank - b.rank).map(({ member }) => member);
}

function rankMatch({ firstName, lastName }: Member, words: readonly string[]): number {
  const [first = '', ...others] = words;
  if (words.join(' ') === foldForSearch(`${firstName} ${lastName}`)) return 0;
  if (
    foldForSearch(firstName).startsWith(first) &&
    (others.length === 0 || foldForSearch(lastName).startsWith(others.join(' ')))
  ) {
    return 1;
  }
  return foldForSearch(lastName).startsWith(first) ? 2 : 3;
}

/**
 * The members with the row's email address. If there are none, those with exactly the row's name, otherwise those whose name
 * partly matches.
 */
export function findMeantMembers(members: readonly Member[], row: ParsedRow): Member[] {
  const byEmail = findByEmail(members, row);
  if (byEmail.length > 0) return byEmail;
  const name = foldForSearch(`${row.firstName} ${row.lastName}`);
  if (name === '') return [];
  const byName = findByName(members, name);
  return byName.length > 0 ? byName : findMembers(members, name);
}

/** The only member with the row's email address or, if the row has none, with exactly its name. Otherwise undefined. */
export function findExactMember(members: readonly Member[], row: ParsedRow): Member | undefined {
  const name = foldForSearch(`${row.firstName} ${row.lastName}`);
  const [only, ...others] = row.email === null ? findByName(members, name) : findByEmail(members, row);
  return others.length === 0 ? only : undefined;
}

function findByEmail(members: readonly Member[], { email }: ParsedRow): Member[] {
  return email === null ? [] : members.filter((member) => emailKey(member.email) === emailKey(email));
}

function findByName(members: readonly Member[], name: string): Member[] {
  return members.filter(({ firstName, lastName }) =>
    [foldForSearch(`${firstName} ${lastName}`), foldForSearch(`${lastName} ${firstName}`)].includes(name),
  );
}

/** The row for a member. */
export function rowForMember(member: Member, key: string, hours: number | undefined): GroupEntryRow {
  return { key, name: fullName(member), userId: member.id, hours };
}

/** The new person that a row describes. */
export function toNewcomer(line: GroupEntryRow): Newcomer {
  const { firstName, lastName, email } = parseRow(line.name);
  return { firstName, lastName, email };
}

function splitWords(text: string): string[] {
  return foldForSearch(text)
    .split(/[\s,;.\-'@]+/)
    .filter((word) => word !== '');
}
