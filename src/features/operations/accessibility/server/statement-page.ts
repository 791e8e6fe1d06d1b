import { type Html, html } from '#server/http/html.ts';
import { addressOf, type PlainPageContext, renderPlainPage } from '#server/http/plain-page.ts';
import { VERSION } from '#server/version.ts';
import { day, formatDayInFull } from '#shared/calendar-date.ts';
import type { Message } from '#shared/i18n/message.ts';
import { messageFactory } from '#shared/i18n/message.ts';
import { BARRIER, REVIEWED } from '../contract.ts';
import type texts from '../messages.server.en.json';

export const say = messageFactory<typeof texts>('accessibility');

const FIELDS = ['what', 'where', 'contact'] as const;
export type Field = (typeof FIELDS)[number];

const HELP = { what: say('whatHelp'), where: say('whereHelp'), contact: say('contactHelp') } as const;

/** A submitted form, shown again with the error of each field, or with one message (`notice`) for the whole form. */
export type FilledForm = Readonly<{
  typed: Readonly<Record<Field, string>>;
  problems: Readonly<Partial<Record<Field, Message>>>;
  notice?: Message;
}>;

const EMPTY_FORM: FilledForm = { typed: { what: '', where: '', contact: '' }, problems: {} };

/** Returns the statement's HTML, with the support address, and a form if the district sends email. */
export function statementPage(
  context: PlainPageContext,
  hasForm: boolean,
  filled: FilledForm = EMPTY_FORM,
): string {
  const { t, district, email, locale } = context;
  const date = formatDayInFull(day(REVIEWED.on), locale);
  const limits = ['limitPhotos', 'limitWords', 'limitLetters', 'limitChecks'] as const;
  return renderPlainPage(
    context,
    say('title'),
    html`
      ${problemBox(context, filled)}
      <p>${t(say('intro', { district }))}</p>
      <h2>${t(say('stateTitle'))}</h2>
      <p>${t(say('state', { guidelines: REVIEWED.guidelines }))}</p>
      <h2>${t(say('limitsTitle'))}</h2>
      <ul>${limits.map((limit) => html`<li>${t(say(limit))}</li>`)}</ul>
      <p>${t(say('reviewed', { date, version: VERSION }))}</p>
      <h2>${t(say('tellTitle'))}</h2>
      <p>${withLink(t(say(hasForm ? 'tell' : 'tellAddress', { email })), email)}</p>
      ${hasForm ? form(context, filled) : null}
      <h2>${t(say('furtherTitle'))}</h2>
      <p>${t(say('further'))}</p>
    `,
  );
}

/** Returns the HTML shown after a report was accepted. */
export function reportReceivedPage(context: PlainPageContext, hasContact: boolean): string {
  const { t, email } = context;
  return renderPlainPage(
    context,
    say('thanks'),
    html`
      <p>${t(say('sent', { email }))}</p>
      ${hasContact ? null : html`<p>${t(say('sentNoContact'))}</p>`}
      <p><a href="${addressOf(context)}">${t(say('back'))}</a></p>
    `,
  );
}

// Turns the address into a link, wherever the language places it in the sentence.
function withLink(sentence: string, email: string): Html {
  const [before = '', after = ''] = sentence.split(email);
  return html`${before}<a href="mailto:${email}">${email}</a>${after}`;
}

function problemBox({ t }: PlainPageContext, { problems, notice }: FilledForm): Html | null {
  if (notice !== undefined) {
    return html`<p class="problems" role="alert" tabindex="-1" autofocus>${t(notice)}</p>`;
  }
  const found = FIELDS.flatMap((field) => {
    const problem = problems[field];
    return problem === undefined ? [] : [{ field, problem }];
  });
  if (found.length === 0) return null;
  return html`<div class="problems" role="alert" tabindex="-1" autofocus>
    <p>${t(say('problems'))}</p>
    <ul>${found.map(({ field, problem }) => html`<li><a href="#${field}">${t(say(field))} ${t(problem)}</a></li>`)}</ul>
  </div>`;
}

function form(context: PlainPageContext, filled: FilledForm): Html {
  const { t, district } = context;
  const { typed } = filled;
  return html`<form method="post" action="${addressOf(context)}" novalidate>
    ${labeledField(context, filled, 'what', html`<textarea id="what" name="what" rows="5" maxlength="${BARRIER.what}" required${describedBy(filled, 'what')}>${typed.what}</textarea>`)}
    ${labeledField(context, filled, 'where', html`<input id="where" name="where" maxlength="${BARRIER.where}" autocomplete="off" value="${typed.where}"${describedBy(filled, 'where')}>`)}
    ${labeledField(context, filled, 'contact', html`<input id="contact" name="contact" maxlength="${BARRIER.contact}" autocomplete="email" value="${typed.contact}"${describedBy(filled, 'contact')}>`)}
    <p class="small">${t(say('read', { district }))}</p>
    <button class="main">${t(say('send'))}</button>
  </form>`;
}

function labeledField({ t }: PlainPageContext, { problems }: FilledForm, field: Field, control: Html): Html {
  const problem = problems[field];
  return html`<div class="field"><label for="${field}">${t(say(field))}</label>
    <p class="small" id="${field}-help">${t(HELP[field])}</p>
    ${problem === undefined ? null : html`<p class="problem" id="${field}-problem">${t(problem)}</p>`}
    ${control}</div>`;
}

function describedBy({ problems }: FilledForm, field: Field): Html {
  return problems[field] === undefined
    ? html` aria-describedby="${field}-help"`
    : html` aria-invalid="true" aria-describedby="${field}-problem ${field}-help"`;
}
