import { type Html, html } from '#server/http/html.ts';
import { formatDay } from '#shared/calendar-date.ts';
import { formatHours, type Hours, sumHours } from '#shared/hours.ts';
import type { Message } from '#shared/i18n/message.ts';
import { type ExternalAnswer, type ExternalEntry, messages, OUTSIDE, OutsideDecision } from '../contract.ts';
import type { Outcome, Question } from './actions.ts';
import { say } from './messages.ts';
import { addressOf, type PlainPageContext, page } from './plain-page.ts';

/**
 * What somebody filled in and sent; shown again with `problems`, or with what is to be `said` of all of it, when it could
 * not be taken.
 */
export type Filled = Readonly<{
  entries: ReadonlyMap<number, Readonly<{ isWrong: boolean; hours: string; reason: string }>>;
  problems: readonly Readonly<{ entryId: number; message: Message }>[];
  said?: Message;
}>;

/** Of a page that is opened. */
export const NOTHING_FILLED: Filled = { entries: new Map(), problems: [] };

/**
 * The page that asks. It is a plain form that works without scripts, since the people it is for came by a letter and
 * may hold any phone.
 */
export function requestPage(
  setting: PlainPageContext,
  question: Question,
  filled: Filled = NOTHING_FILLED,
): string {
  const { t } = setting;
  const { entries, school } = question;
  const count = entries.length;
  const isFilled = filled.entries.size > 0;
  return page(
    setting,
    say('outsideTitle'),
    html`
      ${problemBox(setting, question, filled)}
      <p>${t(say('outsideIntro', { count, school: school.name }))}</p>
      <ul class="card list">${entries.map((entry) => html`<li>${told(setting, entry)}</li>`)}</ul>
      ${isFilled ? null : confirmAll(setting, entries)}
      <details${isFilled ? html` open` : null}>
        <summary>${t(say('outsideOneByOne'))}</summary>
        <p id="help">${t(say('outsideOneByOneHelp'))}</p>
        <form method="post" action="${addressOf(setting)}" aria-describedby="help" novalidate>
          ${entries.map((entry) => oneByOne(setting, entry, filled))}
          <button name="answer" value="marked" class="main">${t(say('outsideSend'))}</button>
        </form>
      </details>
      ${folded(setting, 'unknown', ['outsideUnknown', 'outsideUnknownHelp', 'outsideUnknownSend'])}
      ${folded(setting, 'stop', ['outsideStop', 'outsideStopHelp', 'outsideStopSend'])}
    `,
  );
}

/** What an answer did, with what still waits. */
export function thanksPage(setting: PlainPageContext, outcome: Outcome): string {
  const { t } = setting;
  const { verified, declined, skipped, rest, isStopped } = outcome;
  const lines = [
    ...(verified > 0 ? [messages.confirmed(verified)] : []),
    ...(declined > 0 ? [messages.declined(declined)] : []),
    ...(skipped > 0 ? [messages.skipped(skipped)] : []),
    ...(rest > 0 ? [say('outsideRest', { count: rest })] : []),
    ...(isStopped ? [messages.stopped] : []),
  ];
  return page(
    setting,
    say('outsideThanks'),
    html`
      <ul>${lines.map((line) => html`<li>${t(line)}</li>`)}</ul>
      ${rest > 0 ? html`<p><a href="${addressOf(setting)}">${t(say('outsideOpen'))}</a></p>` : html`<p>${t(say('outsideThanksText'))}</p>`}
    `,
  );
}

/** The page of a link that leads nowhere any more. */
export function expiredLinkPage(setting: PlainPageContext): string {
  return page(
    setting,
    say('outsideGoneTitle'),
    html`<p>${setting.t(say('outsideGone', { days: OUTSIDE.days }))}</p>`,
  );
}

/** The page of something that went wrong, such as a full disk: nothing was lost or done. */
export function errorPage(setting: PlainPageContext): string {
  return page(
    setting,
    say('outsideTitle'),
    html`<p class="problems" role="alert">${setting.t(say('outsideTrouble'))}</p>
      <p><a href="${addressOf(setting)}">${setting.t(say('outsideOpen'))}</a></p>`,
  );
}

// Not beside answers that were begun, which it would throw away.
function confirmAll(setting: PlainPageContext, entries: readonly ExternalEntry[]): Html {
  const { t } = setting;
  const hours = hoursIn(setting, sumHours(entries.map((entry) => entry.hours)));
  const sentence = say('outsideConfirmAll', { count: entries.length, hours });
  return html`<form method="post" action="${addressOf(setting)}" class="all">
    ${entries.map(({ id }) => html`<input type="hidden" name="entry" value="${id}">`)}
    <button name="answer" value="all" class="main">${t(sentence)}</button>
  </form>`;
}

function problemBox({ t }: PlainPageContext, { entries }: Question, { problems, said }: Filled): Html | null {
  if (said !== undefined) {
    return html`<p class="problems" role="alert" tabindex="-1" autofocus>${t(said)}</p>`;
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

function oneByOne(setting: PlainPageContext, entry: ExternalEntry, filled: Filled): Html {
  const { t, locale } = setting;
  const { id } = entry;
  const before = filled.entries.get(id);
  const problem = filled.problems.find(({ entryId }) => entryId === id);
  const marked = (isOn: boolean) => (isOn ? html` checked` : null);
  const invalid = (isIt: boolean) =>
    problem !== undefined && isIt ? html` aria-invalid="true" aria-describedby="problem-${id}"` : null;
  return html`<fieldset class="card" id="entry-${id}">
    <legend>${entry.person}</legend>
    <p><span lang="">${entry.activity}</span>, ${formatDay(entry.date, locale)}, ${hoursIn(setting, entry.hours)}</p>
    <input type="hidden" name="entry" value="${id}">
    <div class="row">
      <label><input type="radio" name="is-${id}" value="right"${marked(before?.isWrong !== true)}> ${t(say('outsideRight'))}</label>
      <label><input type="radio" name="is-${id}" value="wrong"${marked(before?.isWrong === true)}> ${t(say('outsideWrong'))}</label>
    </div>
    <label class="field hours">${t(say('outsideHoursThatCount'))}
      <input name="hours-${id}" inputmode="decimal" autocomplete="off" size="6" maxlength="6" value="${before?.hours ?? entry.hours}"${invalid(before?.isWrong === false)}></label>
    <label class="field why">${t(say('outsideReason'))}
      <textarea name="reason-${id}" rows="2" maxlength="${OUTSIDE.reason}"${invalid(before?.isWrong === true) ?? html` aria-describedby="reason-help-${id}"`}>${before?.reason ?? ''}</textarea></label>
    <p class="small why" id="reason-help-${id}">${t(say('outsideReasonHelp'))}</p>
    ${problem === undefined ? null : html`<p class="problem" id="problem-${id}">${t(problem.message)}</p>`}
  </fieldset>`;
}

function hoursIn({ t, locale }: PlainPageContext, hours: Hours): string {
  return t(say('outsideHoursUnit', { count: hours, hours: formatHours(hours, locale) }));
}

function told(setting: PlainPageContext, entry: ExternalEntry): Html {
  const { t, locale } = setting;
  return html`<strong>${entry.person}</strong>, ${hoursIn(setting, entry.hours)}<br>
    <span lang="">${entry.activity}</span>, ${formatDay(entry.date, locale)}
    ${entry.notes === null ? null : html`<br><span class="small">${t(say('outsideNotes', { notes: entry.notes }))}</span>`}`;
}

type Key = Parameters<typeof say>[0];

function folded(
  setting: PlainPageContext,
  answer: string,
  [title, help, send]: readonly [Key, Key, Key],
): Html {
  const { t } = setting;
  return html`<details>
    <summary>${t(say(title))}</summary>
    <p>${t(say(help))}</p>
    <form method="post" action="${addressOf(setting)}"><button name="answer" value="${answer}">${t(say(send))}</button></form>
  </details>`;
}

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
