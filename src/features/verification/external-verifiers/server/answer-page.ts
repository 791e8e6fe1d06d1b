import { type Html, html } from '#server/http/html.ts';
import { addressOf, type PlainPageContext, renderPlainPage } from '#server/http/plain-page.ts';
import { formatDay } from '#shared/calendar-date.ts';
import { formatHours, type Hours, sumHours } from '#shared/hours.ts';
import type { Message } from '#shared/i18n/message.ts';
import {
  EXTERNAL_LINK_LIMITS,
  type ExternalAnswer,
  ExternalDecision,
  type ExternalEntry,
  messages,
  say,
} from '../contract.ts';
import type { AnswerOutcome, ExternalRequest } from './actions.ts';

/**
 * The submitted values of the form, shown again when it was rejected, with `problems` of fields or a `notice` about the whole
 * form.
 */
export type FilledForm = Readonly<{
  entries: ReadonlyMap<number, Readonly<{ isWrong: boolean; hours: string; reason: string }>>;
  problems: readonly Readonly<{ entryId: number; message: Message }>[];
  notice?: Message;
}>;

/** The form when the page is first opened. */
export const EMPTY_FORM: FilledForm = { entries: new Map(), problems: [] };

/**
 * The page that asks an external verifier about hours. It is a plain form without scripts, because the link may be opened on
 * any phone.
 */
export function requestPage(
  context: PlainPageContext,
  question: ExternalRequest,
  filled: FilledForm = EMPTY_FORM,
): string {
  const { t } = context;
  const { entries, school } = question;
  const count = entries.length;
  const isFilled = filled.entries.size > 0;
  return renderPlainPage(
    context,
    say('outsideTitle'),
    html`
      ${problemBox(context, question, filled)}
      <p>${t(say('outsideIntro', { count, school: school.name }))}</p>
      <ul class="card list">${entries.map((entry) => html`<li>${describeEntry(context, entry)}</li>`)}</ul>
      ${isFilled ? null : confirmAll(context, entries)}
      <details${isFilled ? html` open` : null}>
        <summary>${t(say('outsideOneByOne'))}</summary>
        <p id="help">${t(say('outsideOneByOneHelp'))}</p>
        <form method="post" action="${addressOf(context)}" aria-describedby="help" novalidate>
          ${entries.map((entry) => entryFields(context, entry, filled))}
          <button name="answer" value="marked" class="main">${t(say('outsideSend'))}</button>
        </form>
      </details>
      ${collapsedForm(context, 'unknown', ['outsideUnknown', 'outsideUnknownHelp', 'outsideUnknownSend'])}
      ${collapsedForm(context, 'stop', ['outsideStop', 'outsideStopHelp', 'outsideStopSend'])}
    `,
  );
}

/** Describes the result of an answer, without the entries that still wait. */
export function describeOutcome({ verified, declined, skipped, isStopped }: AnswerOutcome): Message[] {
  return [
    ...(verified > 0 ? [messages.confirmed(verified)] : []),
    ...(declined > 0 ? [messages.declined(declined)] : []),
    ...(skipped > 0 ? [messages.skipped(skipped)] : []),
    ...(isStopped ? [messages.stopped] : []),
  ];
}

/** The page after an answer: its result, and how many entries still wait. */
export function thanksPage(context: PlainPageContext, outcome: AnswerOutcome): string {
  const { t } = context;
  const { rest } = outcome;
  const lines = [...describeOutcome(outcome), ...(rest > 0 ? [say('outsideRest', { count: rest })] : [])];
  return renderPlainPage(
    context,
    say('outsideThanks'),
    html`
      <ul>${lines.map((line) => html`<li>${t(line)}</li>`)}</ul>
      ${rest > 0 ? html`<p><a href="${addressOf(context)}">${t(say('outsideOpen'))}</a></p>` : html`<p>${t(say('outsideThanksText'))}</p>`}
    `,
  );
}

/** The page for a link that does not work or no longer works. */
export function expiredLinkPage(context: PlainPageContext): string {
  return renderPlainPage(
    context,
    say('outsideGoneTitle'),
    html`<p>${context.t(say('outsideGone', { days: EXTERNAL_LINK_LIMITS.days }))}</p>`,
  );
}

/** The page after a failure such as a full disk; nothing was changed. */
export function errorPage(context: PlainPageContext): string {
  return renderPlainPage(
    context,
    say('outsideTitle'),
    html`<p class="problems" role="alert">${context.t(say('outsideTrouble'))}</p>
      <p><a href="${addressOf(context)}">${context.t(say('outsideOpen'))}</a></p>`,
  );
}

// Hidden while answers are in progress, because it would discard them.
function confirmAll(context: PlainPageContext, entries: readonly ExternalEntry[]): Html {
  const { t } = context;
  const hours = hoursIn(context, sumHours(entries.map((entry) => entry.hours)));
  const sentence = say('outsideConfirmAll', { count: entries.length, hours });
  return html`<form method="post" action="${addressOf(context)}" class="all">
    ${entries.map(({ id }) => html`<input type="hidden" name="entry" value="${id}">`)}
    <button name="answer" value="all" class="main">${t(sentence)}</button>
  </form>`;
}

function problemBox(
  { t }: PlainPageContext,
  { entries }: ExternalRequest,
  { problems, notice }: FilledForm,
): Html | null {
  if (notice !== undefined) {
    return html`<p class="problems" role="alert" tabindex="-1" autofocus>${t(notice)}</p>`;
  }
  if (problems.length === 0) return null;
  const personOf = (id: number) => entries.find((entry) => entry.id === id)?.person ?? '';
  return html`<div class="problems" role="alert" tabindex="-1" autofocus>
    <p>${t(say('outsideProblems'))}</p>
    <ul>
      ${problems.map(({ entryId, message }) => html`<li><a href="#entry-${entryId}">${personOf(entryId)}: ${t(message)}</a></li>`)}
    </ul>
  </div>`;
}

function entryFields(context: PlainPageContext, entry: ExternalEntry, filled: FilledForm): Html {
  const { t, locale } = context;
  const { id } = entry;
  const before = filled.entries.get(id);
  const problem = filled.problems.find(({ entryId }) => entryId === id);
  const marked = (isOn: boolean) => (isOn ? html` checked` : null);
  const invalid = (isIt: boolean) =>
    problem !== undefined && isIt ? html` aria-invalid="true" aria-describedby="problem-${id}"` : null;
  return html`<fieldset class="card" id="entry-${id}">
    <legend>${entry.person}</legend>
    <p><span lang="">${entry.activity}</span>, ${formatDay(entry.date, locale)}, ${hoursIn(context, entry.hours)}</p>
    <input type="hidden" name="entry" value="${id}">
    <div class="row">
      <label><input type="radio" name="is-${id}" value="right"${marked(before?.isWrong !== true)}> ${t(say('outsideRight'))}</label>
      <label><input type="radio" name="is-${id}" value="wrong"${marked(before?.isWrong === true)}> ${t(say('outsideWrong'))}</label>
    </div>
    <label class="field hours">${t(say('outsideHoursThatCount'))}
      <input name="hours-${id}" inputmode="decimal" autocomplete="off" size="6" maxlength="6" value="${before?.hours ?? entry.hours}"${invalid(before?.isWrong === false)}></label>
    <label class="field why">${t(say('outsideReason'))}
      <textarea name="reason-${id}" rows="2" maxlength="${EXTERNAL_LINK_LIMITS.reason}"${invalid(before?.isWrong === true) ?? html` aria-describedby="reason-help-${id}"`}>${before?.reason ?? ''}</textarea></label>
    <p class="small why" id="reason-help-${id}">${t(say('outsideReasonHelp'))}</p>
    ${problem === undefined ? null : html`<p class="problem" id="problem-${id}">${t(problem.message)}</p>`}
  </fieldset>`;
}

function hoursIn({ t, locale }: PlainPageContext, hours: Hours): string {
  return t(say('outsideHoursUnit', { count: hours, hours: formatHours(hours, locale) }));
}

function describeEntry(context: PlainPageContext, entry: ExternalEntry): Html {
  const { t, locale } = context;
  return html`<strong>${entry.person}</strong>, ${hoursIn(context, entry.hours)}<br>
    <span lang="">${entry.activity}</span>, ${formatDay(entry.date, locale)}
    ${entry.notes === null ? null : html`<br><span class="small">${t(say('outsideNotes', { notes: entry.notes }))}</span>`}`;
}

type Key = Parameters<typeof say>[0];

function collapsedForm(
  context: PlainPageContext,
  answer: string,
  [title, help, send]: readonly [Key, Key, Key],
): Html {
  const { t } = context;
  return html`<details>
    <summary>${t(say(title))}</summary>
    <p>${t(say(help))}</p>
    <form method="post" action="${addressOf(context)}"><button name="answer" value="${answer}">${t(say(send))}</button></form>
  </details>`;
}

/** The parsed form: the answer, unless something is wrong with it, and the submitted values. */
export type ParsedForm = Readonly<{ answer: ExternalAnswer | undefined; filled: FilledForm }>;

/**
 * Parses the form. Only entries that the page showed are in it, so none is confirmed unseen. Entries that have since changed
 * are skipped. A form without a pressed button is not an answer.
 */
export function readForm(form: URLSearchParams, question: ExternalRequest): ParsedForm {
  const pressed = form.get('answer');
  if (pressed === 'stop') return { answer: { stop: true }, filled: EMPTY_FORM };
  if (pressed === 'unknown') return { answer: { unknownPerson: true }, filled: EMPTY_FORM };
  const named = [...new Set(form.getAll('entry'))].filter((id) => /^[1-9]\d{0,14}$/.test(id)).map(Number);
  if (pressed === 'all' && named.length > 0) {
    return { answer: { decisions: named.map(verify) }, filled: EMPTY_FORM };
  }
  const parsed = readDecisions(form, named, question);
  if (pressed === 'marked' || parsed.answer === undefined) return parsed;
  return { answer: undefined, filled: { ...parsed.filled, notice: messages.decisions } };
}

function readDecisions(
  form: URLSearchParams,
  named: readonly number[],
  question: ExternalRequest,
): ParsedForm {
  const waiting = new Map(question.entries.map((entry) => [entry.id, entry]));
  const read = named.map((id) => readDecision(form, id));
  const decisions = read.flatMap(({ decision }) => (decision === undefined ? [] : [decision]));
  const shown = read.filter(({ id }) => waiting.has(id));
  const problems = shown.flatMap(({ id, problem }) =>
    problem === undefined ? [] : [{ entryId: id, message: problem }],
  );
  const entries = new Map(shown.map((one) => [one.id, one.typed]));
  if (problems.length > 0) return { answer: undefined, filled: { entries, problems } };
  if (shown.length > 0) return { answer: { decisions }, filled: { entries, problems } };
  const notice = named.length > 0 ? messages.skipped(named.length) : messages.decisions;
  return { answer: undefined, filled: { entries, problems, notice } };
}

function readDecision(form: URLSearchParams, id: number) {
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
  const result = ExternalDecision.safeParse(given);
  if (result.success) return { id, typed, decision: result.data, problem: undefined };
  // An invalid number and one out of bounds get the message of the hours' limits.
  const problem = (result.error.issues[0]?.message ?? messages.decisions) as Message;
  return { id, typed, decision: undefined, problem };
}

function verify(entryId: number): ExternalDecision {
  return { entryId, decision: 'verify' };
}
