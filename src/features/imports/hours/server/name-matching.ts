import { LIMITS } from '#features/activities/contract.ts';
import { emailKey } from '#features/users/contract.ts';
import { foldForSearch } from '#shared/text-normalization.ts';
import type { ActivityQuestion, ImportFile, PersonQuestion } from '../contract.ts';
import { nameKey } from './cell-parsers.ts';
import type { ParsedRow } from './row-parser.ts';
import type { KnownActivity, Member } from './store.ts';

const CANDIDATES = 5;

/**
 * How a row's person was matched: to a member, left out by the importer's choice, or not clearly, with candidates to ask about.
 */
export type PersonMatch = Readonly<
  { member: Member } | { isLeftOut: true } | { candidates: readonly Member[] }
>;

/** Matches rows to members by the importer's answer, by address or, in rows without one, by a name that only one member has. */
export function createPersonMatcher(
  members: readonly Member[],
  answers: ImportFile['people'] = [],
): (row: ParsedRow) => PersonMatch {
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

/** The questions about people; those that affect the most rows come first. */
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

/** An activity that the import creates, with its category. */
export type NewActivity = Readonly<{ name: string; category: string }>;

/**
 * How an activity name was matched: to an activity of the school, to a new one, left out by the importer's choice, too long for
 * a new one, or not clearly, with candidates to ask about.
 */
export type ActivityMatch = Readonly<
  | { activity: KnownActivity }
  | { made: NewActivity }
  | { isLeftOut: true }
  | { isTooLong: true }
  | { candidates: readonly KnownActivity[] }
>;

/** Matches the names in rows to activities, by the importer's answer or by a name that only one activity has. */
export function createActivityMatcher(
  activities: readonly KnownActivity[],
  answers: ImportFile['activities'] = [],
): (name: string) => ActivityMatch {
  const byId = new Map(activities.map((activity) => [activity.id, activity]));
  const byName = Map.groupBy(
    activities.flatMap((activity) => [...new Set(activity.keys)].map((key) => ({ key, activity }))),
    ({ key }) => key,
  );
  const answered = new Map(answers.map((answer) => [foldForSearch(answer.name), answer]));
  return (name) => {
    const key = foldForSearch(name);
    const answer = answered.get(key);
    const alike = (byName.get(key) ?? []).map((one) => one.activity);
    const chosen = answer?.activityId ?? undefined;
    const activity = chosen === undefined ? undefined : byId.get(chosen);
    if (activity !== undefined) return { activity };
    const category = answer?.category ?? undefined;
    if (category !== undefined && key !== '' && alike.length === 0) {
      return name.length > LIMITS.name ? { isTooLong: true } : { made: { name, category } };
    }
    if (answer !== undefined && chosen === undefined && category === undefined) return { isLeftOut: true };
    const [only, ...others] = alike;
    if (only !== undefined && others.length === 0) return { activity: only };
    const near =
      alike.length > 0 || key === ''
        ? alike
        : activities.filter(({ keys }) => keys.some((one) => isSimilar(one, key)));
    return { candidates: near.slice(0, CANDIDATES) };
  };
}

function isSimilar(one: string, other: string): boolean {
  return one.includes(other) || other.includes(one);
}

/** The questions about activities; those that affect the most rows come first. */
export function groupActivityQuestions(
  unmatched: readonly Readonly<{ name: string; candidates: readonly KnownActivity[] }>[],
): ActivityQuestion[] {
  const questions = [...Map.groupBy(unmatched, ({ name }) => foldForSearch(name))].flatMap(([, all]) => {
    const [first] = all;
    if (first === undefined) return [];
    const candidates = first.candidates.map(({ id, name, category }) => ({ id, name, category }));
    return [{ name: first.name, rows: all.length, candidates }];
  });
  return questions.toSorted((a, b) => b.rows - a.rows);
}
