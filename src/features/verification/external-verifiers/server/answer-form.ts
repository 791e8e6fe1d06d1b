import type { Message } from '#shared/i18n/message.ts';
import { type ExternalAnswer, messages, OutsideDecision } from '../contract.ts';
import type { Question } from './actions.ts';
import { type Filled, NOTHING_FILLED } from './answer-page.ts';

/** What the page's form says: an answer, unless something is wrong with it, and what was filled in. */
export type FormRead = Readonly<{ answer: ExternalAnswer | undefined; filled: Filled }>;

/**
 * Reads the form. What it is about are the entries that it names, as its page showed them: one that was changed since is
 * left as it is, and none is confirmed that nobody saw. A form without any button is no answer.
 */
export function readForm(form: URLSearchParams, question: Question): FormRead {
  const pressed = form.get('answer');
  if (pressed === 'stop') return { answer: { stop: true }, filled: NOTHING_FILLED };
  if (pressed === 'unknown') return { answer: { unknownPerson: true }, filled: NOTHING_FILLED };
  const named = [...new Set(form.getAll('entry'))].filter((id) => /^[1-9]\d{0,14}$/.test(id)).map(Number);
  if (pressed === 'all' && named.length > 0) {
    return { answer: { decisions: named.map(verify) }, filled: NOTHING_FILLED };
  }
  return readEach(form, named, question);
}

function readEach(form: URLSearchParams, named: readonly number[], question: Question): FormRead {
  const waiting = new Map(question.entries.map((entry) => [entry.id, entry]));
  const read = named.map((id) => readOne(form, id));
  const decisions = read.flatMap(({ decision }) => (decision === undefined ? [] : [decision]));
  const shown = read.filter(({ id }) => waiting.has(id));
  const problems = shown.flatMap(({ id, problem }) =>
    problem === undefined ? [] : [{ entryId: id, message: problem }],
  );
  const entries = new Map(shown.map((one) => [one.id, one.typed]));
  if (problems.length > 0) return { answer: undefined, filled: { entries, problems } };
  if (shown.length > 0) return { answer: { decisions }, filled: { entries, problems } };
  const said = named.length > 0 ? messages.skipped(named.length) : messages.decisions;
  return { answer: undefined, filled: { entries, problems, said } };
}

function readOne(form: URLSearchParams, id: number) {
  const typed = {
    isWrong: form.get(`is-${id}`) === 'wrong',
    hours: (form.get(`hours-${id}`) ?? '').trim(),
    reason: (form.get(`reason-${id}`) ?? '').trim(),
  };
  const given = typed.isWrong
    ? { entryId: id, decision: 'decline', reason: typed.reason }
    : {
        entryId: id,
        decision: 'verify',
        hours: typed.hours === '' ? null : Number(typed.hours.replace(',', '.')),
      };
  const result = OutsideDecision.safeParse(given);
  if (result.success) return { id, typed, decision: result.data, problem: undefined };
  // A number that is none, and one out of bounds, get the sentence of the hours' limits.
  const problem = (result.error.issues[0]?.message ?? messages.decisions) as Message;
  return { id, typed, decision: undefined, problem };
}

function verify(entryId: number): OutsideDecision {
  return { entryId, decision: 'verify' };
}
