import type { Message } from '#base/message.ts';
import { messages, type OutsideAnswer, OutsideDecision } from '../outside-contract.ts';
import type { Question } from './outside-answers.ts';
import type { Filled } from './outside-page.ts';

/** What the page's form says: an answer that can be given, or what was filled in with what is wrong with it. */
export type FormRead = Readonly<{ answer: OutsideAnswer }> | Readonly<{ filled: Filled }>;

/** Reads the form. Every entry that it does not name keeps waiting; a form without any button is no answer. */
export function readForm(form: URLSearchParams, question: Question): FormRead {
  const pressed = form.get('answer');
  if (pressed === 'stop') return { answer: { stop: true } };
  if (pressed === 'unknown') return { answer: { unknownPerson: true } };
  if (pressed === 'all') return { answer: { decisions: question.entries.map((entry) => verify(entry.id)) } };
  const named = new Set(form.getAll('entry'));
  const shown = question.entries.filter(({ id }) => named.has(String(id)));
  const read = shown.map(({ id, hours }) => readOne(form, id, hours));
  const decisions = read.flatMap(({ decision }) => (decision === undefined ? [] : [decision]));
  const problems = read.flatMap(({ id, problem }) =>
    problem === undefined ? [] : [{ entryId: id, message: problem }],
  );
  if (problems.length === 0 && decisions.length > 0) return { answer: { decisions } };
  return { filled: { entries: new Map(read.map((one) => [one.id, one.typed])), problems } };
}

function readOne(form: URLSearchParams, id: number, logged: number) {
  const typed = {
    isWrong: form.get(`is-${id}`) === 'wrong',
    hours: (form.get(`hours-${id}`) ?? '').trim(),
    reason: (form.get(`reason-${id}`) ?? '').trim(),
  };
  const hours = typed.hours === '' ? logged : Number(typed.hours.replace(',', '.'));
  const given = typed.isWrong
    ? { entryId: id, decision: 'decline', reason: typed.reason }
    : { entryId: id, decision: 'verify', hours };
  const result = OutsideDecision.safeParse(given);
  if (result.success) return { id, typed, decision: result.data, problem: undefined };
  // A number that is none, and one out of bounds, get the sentence of the hours' limits.
  const problem = (result.error.issues[0]?.message ?? messages.decisions) as Message;
  return { id, typed, decision: undefined, problem };
}

function verify(entryId: number): OutsideDecision {
  return { entryId, decision: 'verify' };
}
