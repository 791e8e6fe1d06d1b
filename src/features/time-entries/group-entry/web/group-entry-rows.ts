import { emailKey } from '#features/users/contract.ts';
import type { Id } from '#shared/id.ts';
import { fullName } from '#shared/person-name.ts';
import { clean, fold } from '#shared/text-normalization.ts';

/** Somebody a sheet can name: a member of the school. */
export type Member = Readonly<{
  id: Id;
  firstName: string;
  lastName: string;
  email: string;
  isWalkIn: boolean;
}>;

/** A person without an account, as the sheet names them. */
export type Newcomer = Readonly<{ firstName: string; lastName: string; email: string | null }>;

/** What one line of a paper sheet says. */
export type Said = Readonly<{
  firstName: string;
  lastName: string;
  email: string | null;
  hours: number | undefined;
}>;

/** A line of the sheet. Without `userId` and `walkIn` it waits for an answer about who it is. */
export type GroupEntryRow = Readonly<{
  key: string;
  /** As it was typed, or the name of the person it stands for. */
  name: string;
  userId?: Id | undefined;
  walkIn?: Newcomer | undefined;
  hours: number | undefined;
}>;

/** Nobody has said who the line means. */
export function isUnmatched({ userId, walkIn }: GroupEntryRow): boolean {
  return userId === undefined && walkIn === undefined;
}

/** As many people as are offered at a time. */
export const OFFERED_MEMBERS = 6;

/** The lines of a pasted text that say something. */
export function linesOf(pasted: string): string[] {
  return pasted
    .split(/\r\n?|\n/)
    .map(clean)
    .filter((line) => line !== '');
}

/** Reads 'Ann Lee', 'Lee, Ann', 'Lee, Ann, ann@school.example, 2.5' or the cells of a spreadsheet's row. */
export function readLine(line: string): Said {
  const { rest, hours } = hoursBehind(line);
  const cells = rest
    .split(/[\t;,]/)
    .map(clean)
    .filter((cell) => cell !== '');
  const email = cells.find((cell) => /^\S+@\S+$/.test(cell)) ?? null;
  const [first = '', second] = cells.filter((cell) => cell !== email);
  if (second === undefined) return { ...namesOf(first), email, hours };
  // A comma turns a name around; the cells of a spreadsheet are in the order in which they are read.
  const isTurned = rest.includes(',');
  return isTurned
    ? { firstName: second, lastName: first, email, hours }
    : { firstName: first, lastName: second, email, hours };
}

// '2', '2.5', '2,5', '2h', '2.5 hours' or '2 horas' behind a blank, a tab or a comma.
const HOURS = /[\s,;]+(\d{1,2}(?:[.,]\d{1,2})?)\s*(?:h|hrs?|hours?|horas?)?$/i;

/** What stands before the hours at the end of a line, and the hours; undefined where there are none. */
export function hoursBehind(line: string): { rest: string; hours: number | undefined } {
  const found = HOURS.exec(line);
  if (found === null) return { rest: line, hours: undefined };
  return { rest: line.slice(0, found.index), hours: Number(found[1]?.replace(',', '.')) };
}

function namesOf(text: string): { firstName: string; lastName: string } {
  const words = text.split(' ').filter((word) => word !== '');
  const lastName = words.length > 1 ? (words.at(-1) ?? '') : '';
  return { firstName: words.slice(0, lastName === '' ? undefined : -1).join(' '), lastName };
}

/** Members whom a typed text finds: every word begins one of theirs. Whose first name or last name it begins come first. */
export function found(members: readonly Member[], typed: string): Member[] {
  const words = partsOf(typed);
  if (words.length === 0) return [];
  const hits = members.flatMap((member) => {
    const own = partsOf(`${member.firstName} ${member.lastName} ${member.email}`);
    const isHit = words.every((word) => own.some((one) => one.startsWith(word)));
    return isHit ? [{ member, rank: rankOf(member, words) }] : [];
  });
  // A stable sort: among equals the list's own order, by last name, stays.
  return hits.toSorted((a, b) => a.rank - b.rank).map(({ member }) => member);
}

function rankOf({ firstName, lastName }: Member, words: readonly string[]): number {
  const [first = '', ...others] = words;
  if (words.join(' ') === fold(`${firstName} ${lastName}`)) return 0;
  if (
    fold(firstName).startsWith(first) &&
    (others.length === 0 || fold(lastName).startsWith(others.join(' ')))
  ) {
    return 1;
  }
  return fold(lastName).startsWith(first) ? 2 : 3;
}

/** Members of just this address or, without one, of just this name; else those whom the name finds. */
export function meant(members: readonly Member[], said: Said): Member[] {
  const ofAddress = withAddress(members, said);
  if (ofAddress.length > 0) return ofAddress;
  const name = fold(`${said.firstName} ${said.lastName}`);
  if (name === '') return [];
  const ofName = named(members, name);
  return ofName.length > 0 ? ofName : found(members, name);
}

/** The one member whom a line names beyond doubt: by the whole address or, without one, by the whole name. */
export function certain(members: readonly Member[], said: Said): Member | undefined {
  const name = fold(`${said.firstName} ${said.lastName}`);
  const [only, ...others] = said.email === null ? named(members, name) : withAddress(members, said);
  return others.length === 0 ? only : undefined;
}

function withAddress(members: readonly Member[], { email }: Said): Member[] {
  return email === null ? [] : members.filter((member) => emailKey(member.email) === emailKey(email));
}

function named(members: readonly Member[], name: string): Member[] {
  return members.filter(({ firstName, lastName }) =>
    [fold(`${firstName} ${lastName}`), fold(`${lastName} ${firstName}`)].includes(name),
  );
}

/** The line for a person of the school. */
export function lineFor(member: Member, key: string, hours: number | undefined): GroupEntryRow {
  return { key, name: fullName(member), userId: member.id, hours };
}

/** The line for somebody new, from what was typed. */
export function newcomerOf(line: GroupEntryRow): Newcomer {
  const { firstName, lastName, email } = readLine(line.name);
  return { firstName, lastName, email };
}

function partsOf(text: string): string[] {
  return fold(text)
    .split(/[\s,;.\-'@]+/)
    .filter((word) => word !== '');
}
