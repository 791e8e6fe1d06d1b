import { hash } from 'node:crypto';
import { formatDay } from '#base/calendar-date.ts';
import { formatHours, sumHours } from '#base/hours.ts';
import type { Message } from '#base/message.ts';
import { type Html, html } from '#server/http/html.ts';
import { messages, OUTSIDE, type OutsideEntry } from '../outside-contract.ts';
import type { Outcome, Question } from './outside-answers.ts';
import { type OutsideLanguage, say } from './outside-words.ts';

/** What every page of a supervisor needs: its language, how sentences are said in it, and where it stands. */
export type Setting = Readonly<{
  language: OutsideLanguage;
  t: (message: Message) => string;
  token: string;
  district: string;
  email: string;
}>;

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
export function askingPage(setting: Setting, question: Question, filled: Filled = NOTHING_FILLED): string {
  const { t, language } = setting;
  const { entries, school } = question;
  const count = entries.length;
  const hours = formatHours(sumHours(entries.map((entry) => entry.hours)), language);
  return page(
    setting,
    say('outsideTitle'),
    html`
      ${problemBox(setting, question, filled)}
      <p>${t(say('outsideIntro', { count, school: school.name }))}</p>
      <ul class="card list">${entries.map((entry) => html`<li>${told(setting, entry)}</li>`)}</ul>
      <form method="post" action="${address(setting)}">
        ${entries.map(({ id }) => html`<input type="hidden" name="entry" value="${id}">`)}
        <button name="answer" value="all" class="main">${t(say('outsideConfirmAll', { count, hours }))}</button>
      </form>
      <details${filled.entries.size > 0 ? html` open` : null}>
        <summary>${t(say('outsideOneByOne'))}</summary>
        <p id="help">${t(say('outsideOneByOneHelp'))}</p>
        <form method="post" action="${address(setting)}" aria-describedby="help" novalidate>
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
export function thanksPage(setting: Setting, outcome: Outcome): string {
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
      ${rest > 0 ? html`<p><a href="${address(setting)}">${t(say('outsideOpen'))}</a></p>` : html`<p>${t(say('outsideThanksText'))}</p>`}
    `,
  );
}

/** The page of a link that leads nowhere any more. */
export function gonePage(setting: Setting): string {
  return page(
    setting,
    say('outsideGoneTitle'),
    html`<p>${setting.t(say('outsideGone', { days: OUTSIDE.days }))}</p>`,
  );
}

/** The page of something that went wrong, such as a full disk: nothing was lost or done. */
export function troublePage(setting: Setting): string {
  return page(
    setting,
    say('outsideTitle'),
    html`<p class="problems" role="alert">${setting.t(say('outsideTrouble'))}</p>
      <p><a href="${address(setting)}">${setting.t(say('outsideOpen'))}</a></p>`,
  );
}

function problemBox({ t }: Setting, { entries }: Question, { problems, said }: Filled): Html | null {
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

function oneByOne(setting: Setting, entry: OutsideEntry, filled: Filled): Html {
  const { t } = setting;
  const { id } = entry;
  const before = filled.entries.get(id);
  const problem = filled.problems.find(({ entryId }) => entryId === id);
  const marked = (isOn: boolean) => (isOn ? html` checked` : null);
  const invalid = (isIt: boolean) =>
    problem !== undefined && isIt ? html` aria-invalid="true" aria-describedby="problem-${id}"` : null;
  return html`<fieldset class="card" id="entry-${id}">
    <legend>${entry.person}</legend>
    <p><span lang="">${entry.activity}</span>, ${formatDay(entry.date, setting.language)}</p>
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

function told({ t, language }: Setting, entry: OutsideEntry): Html {
  const hours = formatHours(entry.hours, language);
  return html`<strong>${entry.person}</strong>, ${t(say('outsideHoursUnit', { hours }))}<br>
    <span lang="">${entry.activity}</span>, ${formatDay(entry.date, language)}
    ${entry.notes === null ? null : html`<br><span class="small">${t(say('outsideNotes', { notes: entry.notes }))}</span>`}`;
}

type Key = Parameters<typeof say>[0];

function folded(setting: Setting, answer: string, [title, help, send]: readonly [Key, Key, Key]): Html {
  const { t } = setting;
  return html`<details>
    <summary>${t(say(title))}</summary>
    <p>${t(say(help))}</p>
    <form method="post" action="${address(setting)}"><button name="answer" value="${answer}">${t(say(send))}</button></form>
  </details>`;
}

function page(setting: Setting, title: Message, content: Html): string {
  const { language, t, district, email } = setting;
  const other: OutsideLanguage = language === 'en' ? 'es' : 'en';
  return html`<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<meta name="color-scheme" content="light dark">
<title>${t(title)} - ${district}</title>
<style>${{ markup: STYLE }}</style>
</head>
<body>
<header><span>${district}</span> <a href="${address({ ...setting, language: other })}" lang="${other}" hreflang="${other}">${t(say('outsideLanguage'))}</a></header>
<main>
<h1>${t(title)}</h1>
${content}
</main>
<footer><p class="small">${t(say('outsideQuestions', { email }))}</p></footer>
</body>
</html>
`.markup;
}

function address({ token, language }: Pick<Setting, 'token' | 'language'>): string {
  return `/?verify=${encodeURIComponent(token)}&lang=${language}`;
}

// The colours of the product's own screens (src/web/ui/tokens.css), in both themes.
const STYLE = `:root{color-scheme:light dark;--page:#f6f7f5;--card:#fff;--ink:#18211d;--soft:#55605a;--field:#858f89;--brand:#0f6b4f;--on-brand:#fff;--danger:#b42318}
@media(prefers-color-scheme:dark){:root{--page:#111513;--card:#191f1c;--ink:#e9eeea;--soft:#a5b1aa;--field:#6f7b75;--brand:#5cc79e;--on-brand:#06251a;--danger:#ff8a80}}
*{box-sizing:border-box}
body{margin:0 auto;max-width:36rem;padding:1rem;background:var(--page);color:var(--ink);font:1rem/1.5 system-ui,-apple-system,"Segoe UI",Roboto,Helvetica,Arial,sans-serif;overflow-wrap:anywhere}
header{display:flex;flex-wrap:wrap;gap:.5rem 1rem;justify-content:space-between;align-items:center;color:var(--soft)}
header a,main>p a{display:inline-block;padding:.625rem 0}
h1{font-size:1.5rem;line-height:1.25;margin:.75rem 0}
a{color:var(--brand)}
.card,details{border:1px solid var(--field);border-radius:.75rem;background:var(--card);padding:1rem;margin:1rem 0;min-width:0}
details{padding:.25rem 1rem}
details[open]{padding-bottom:1rem}
fieldset:has([value=wrong]:checked) .hours,fieldset:has([value=right]:checked) .why{display:none}
legend{font-weight:600;padding:0 .25rem}
fieldset p{margin:0}
.list{list-style:none;padding:0 1rem}
.list li{padding:.75rem 0}
.list li+li{border-top:1px solid var(--field)}
.row{display:flex;flex-wrap:wrap;gap:.25rem 1.5rem}
.row label{display:flex;align-items:center;gap:.5rem;min-height:2.75rem}
input[type=radio]{width:1.25rem;height:1.25rem;accent-color:var(--brand)}
.field{display:block;margin:.75rem 0 0}
.field input,.field textarea{display:block;font:inherit;color:inherit;background:var(--page);border:1px solid var(--field);border-radius:.5rem;padding:.5rem .75rem;min-height:2.75rem;margin-top:.25rem;max-width:100%}
.field textarea{width:100%}
.small{font-size:.875rem;color:var(--soft);margin:.25rem 0}
button{font:inherit;font-weight:600;min-height:2.75rem;padding:.5rem 1.25rem;border-radius:.5rem;border:1px solid var(--field);background:var(--card);color:var(--ink);cursor:pointer;max-width:100%}
.main{width:100%;background:var(--brand);color:var(--on-brand);border-color:var(--brand)}
summary{min-height:2.75rem;display:flex;align-items:center;cursor:pointer;font-weight:600}
summary::before{content:"\\25B8";margin-inline-end:.5rem}
details[open] summary::before{content:"\\25BE"}
.problems{border:2px solid var(--danger);border-radius:.75rem;padding:.5rem 1rem;margin:1rem 0}
.problem{color:var(--danger);font-weight:600;margin:.25rem 0}
:focus-visible{outline:3px solid var(--brand);outline-offset:2px}
`;

/** What the page may load and do: nothing but its own style and its own form. */
export const PAGE_POLICY = [
  "default-src 'none'",
  `style-src 'sha256-${hash('sha256', STYLE, 'base64')}'`,
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ');
