import { emailKey } from '#features/users/contract.ts';
import { foldForSearch } from '#shared/text-normalization.ts';
import type { ImportFile, PersonQuestion } from '../contract.ts';
import { nameKey } from './cell-parsers.ts';
import type { ParsedRow } from './row-parser.ts';
import type { Member } from './store.ts';

const CANDIDATES = 5;

/** The person behind a row: a member, left out by the importer, or a question. */
export type Match = Readonly<{ member: Member } | { isLeftOut: true } | { candidates: readonly Member[] }>;

/** Finds the members that rows name: by address, by an answer, or by a name that only one member has. */
export function createPersonMatcher(
  members: readonly Member[],
  answers: ImportFile['people'] = [],
): (row: ParsedRow) => Match {
  const byId = new Map(members.map((member) => [member.id, member]));
  const byEmail = new Map(members.map((member) => [member.emailKey, member]));
  const byName = Map.groupBy(members, (member) => nameKey(`${member.firstName} ${member.lastName}`));
  const byLastName = Map.groupBy(members, (member) => foldForSearch(member.lastName));
  const answered = new Map(answers.map(({ who, userId }) => [who, userId]));
  return ({ who, email, name }) => {
    const answer = answered.get(who);
    if (answer === null) return { isLeftOut: true };
    const ofAddress = email === '' ? undefined : byEmail.get(emailKey(email));
    const member = answer === undefined ? ofAddress : byId.get(answer);
    if (member !== undefined) return { member };
    const key = nameKey(name);
    const alike = byName.get(key) ?? [];
    const [only, ...others] = alike;
    // With an unknown address, the name alone is uncertain: it may be another person of that name.
    if (email === '' && only !== undefined && others.length === 0) return { member: only };
    const near = alike.length > 0 ? alike : (byLastName.get(key.split(' ').at(-1) ?? '') ?? []);
    return { candidates: near.slice(0, CANDIDATES) };
  };
}

/** The questions about people, those with the most rows first. */
export function groupPersonQuestions(
  unmatched: readonly Readonly<{ row: ParsedRow; candidates: readonly Member[] }>[],
): PersonQuestion[] {
  const questions = [...Map.groupBy(unmatched, ({ row }) => row.who)].flatMap(([who, all]) => {
    const [first] = all;
    if (first === undefined) return [];
    const candidates = first.candidates.map(({ emailKey: _, ...member }) => member);
    return [{ who, name: first.row.name, email: first.row.email, rows: all.length, candidates }];
  });
  return questions.toSorted((a, b) => b.rows - a.rows);
}
