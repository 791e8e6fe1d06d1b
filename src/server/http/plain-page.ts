import { hash } from 'node:crypto';
import type { FastifyReply } from 'fastify';
import { ACCESSIBILITY_PATH } from '#shared/accessibility-path.ts';
import { acceptedLanguage, LANGUAGES, type Language } from '#shared/i18n/languages.ts';
import { type Message, messageFactory } from '#shared/i18n/message.ts';
import type texts from '#shared/messages.server.en.json';
import type { Deps } from '../deps.ts';
import { translate } from '../i18n/translator.ts';
import { type Html, html } from './html.ts';

const say = messageFactory<typeof texts>('shared');

/**
 * The context of a page that the server renders, such as the page of an emailed link. `path` is its own address without the
 * language. These pages work without scripts and on any phone.
 */
export type PlainPageContext = Readonly<{
  language: Language;
  /** The locale for Intl. */
  locale: string;
  t: (message: Message) => string;
  path: string;
  district: string;
  logo: Deps['config']['districtLogo'];
  email: string;
}>;

/** The reply to a request for a page. */
export type PlainPageReply = Readonly<{ status: number; markup: string }>;

/** The language of a page: the `lang` parameter of its address, else the best match for the browser's `Accept-Language`. */
export function pageLanguage(lang: string | undefined, accepted: string | undefined): Language {
  const requested = LANGUAGES.find((language) => language === lang);
  return requested ?? acceptedLanguage(LANGUAGES, accepted) ?? LANGUAGES[0];
}

/** Returns the context of the page at a path, in its `pageLanguage`. */
export function plainPageContext(
  deps: Deps,
  path: string,
  { lang, accepted }: { lang: string | undefined; accepted: string | undefined },
): PlainPageContext {
  const language = pageLanguage(lang, accepted);
  const { districtName: district, districtLogo: logo, supportEmail: email } = deps.config;
  const translator = deps.translators.forLanguage(language);
  const t = (message: Message) => translate({ translator }, message);
  return { language, locale: translator.language, t, path, district, logo, email };
}

/** Sends a page that must not be stored or framed, and that runs no scripts. */
export async function sendPlainPage(
  reply: FastifyReply,
  isHttps: boolean,
  { status, markup }: PlainPageReply,
): Promise<FastifyReply> {
  reply.code(status);
  reply.header('content-type', 'text/html; charset=utf-8');
  reply.header('cache-control', 'no-store');
  reply.header('content-security-policy', PAGE_POLICY);
  reply.header('x-content-type-options', 'nosniff');
  reply.header('referrer-policy', 'no-referrer');
  reply.header('x-frame-options', 'DENY');
  if (isHttps) reply.header('strict-transport-security', 'max-age=31536000');
  return reply.send(markup);
}

/** Returns the HTML of a whole page. */
export function renderPlainPage(context: PlainPageContext, title: Message, content: Html): string {
  const { language, t, district, email } = context;
  const other: Language = language === 'en' ? 'es' : 'en';
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
<header><span class="from">${logoOf(context)}${district}</span> <a href="${addressOf({ ...context, language: other })}" lang="${other}" hreflang="${other}">${t(say('pageOtherLanguage'))}</a></header>
<main>
<h1>${t(title)}</h1>
${content}
</main>
<footer><p class="small">${t(say('pageQuestions', { email }))} <a href="${ACCESSIBILITY_PATH}?lang=${language}">${t(say('pageAccessibility'))}</a></p></footer>
</body>
</html>
`.markup;
}

// The alt text is empty because the district's name follows the logo.
function logoOf({ logo }: PlainPageContext): Html | null {
  if (logo === undefined) return null;
  return html`<img src="${logo.url}" alt="" width="${logo.width}" height="${logo.height}">`;
}

/** Returns the page's own path with its language. */
export function addressOf({ path, language }: Pick<PlainPageContext, 'path' | 'language'>): string {
  return `${path}${path.includes('?') ? '&' : '?'}lang=${language}`;
}

// The colors of the app's screens (src/web/ui/tokens.css), in both themes.
const STYLE = `:root{color-scheme:light dark;--page:#f6f7f5;--card:#fff;--ink:#18211d;--soft:#55605a;--field:#858f89;--brand:#0f6b4f;--on-brand:#fff;--danger:#b42318}
@media screen and (prefers-color-scheme:dark){:root{--page:#111513;--card:#191f1c;--ink:#e9eeea;--soft:#a5b1aa;--field:#6f7b75;--brand:#5cc79e;--on-brand:#06251a;--danger:#ff8a80}}
*{box-sizing:border-box}
body{margin:0 auto;max-width:36rem;padding:1rem;background:var(--page);color:var(--ink);font:1rem/1.5 system-ui,-apple-system,"Segoe UI",Roboto,Helvetica,Arial,sans-serif;overflow-wrap:anywhere}
header{display:flex;flex-wrap:wrap;gap:.5rem 1rem;justify-content:space-between;align-items:center;color:var(--soft)}
.from{display:flex;flex-wrap:wrap;gap:.5rem;align-items:center}
.from img{height:2.5rem;width:auto;max-width:8rem;object-fit:contain;background:#fff;border-radius:.5rem}
header a,footer a,main>p a:not([href^=mailto]),.problems a{display:inline-block;padding:.75rem 0}
main>p a[href^=mailto]{padding:.8rem 0}
h1{font-size:1.5rem;line-height:1.25;margin:.75rem 0}
h2{font-size:1.125rem;line-height:1.25;margin:1.5rem 0 .5rem}
a{color:var(--brand)}
.card,details{border:1px solid var(--field);border-radius:.75rem;background:var(--card);padding:1rem;margin:1rem 0;min-width:0}
details{padding:.25rem 1rem}
details[open]{padding-bottom:1rem}
main:has([value=wrong]:checked) .all,fieldset:has([value=wrong]:checked) .hours,fieldset:has([value=right]:checked) .why{display:none}
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
.field textarea,.field input:not([size]){width:100%}
.small{font-size:.875rem;color:var(--soft);margin:.25rem 0}
button{font:inherit;font-weight:600;min-height:2.75rem;padding:.5rem 1.25rem;border-radius:.5rem;border:1px solid var(--field);background:var(--card);color:var(--ink);cursor:pointer;max-width:100%}
.main{width:100%;background:var(--brand);color:var(--on-brand);border-color:var(--brand)}
summary{min-height:2.75rem;display:flex;align-items:center;cursor:pointer;font-weight:600}
summary::before{content:"\\25B8";content:"\\25B8" / "";margin-inline-end:.5rem}
details[open] summary::before{content:"\\25BE";content:"\\25BE" / ""}
.problems{border:2px solid var(--danger);border-radius:.75rem;padding:.5rem 1rem;margin:1rem 0}
.problem{color:var(--danger);font-weight:600;margin:.25rem 0}
:focus-visible{outline:3px solid var(--brand);outline-offset:2px}
@media print{:root{--soft:#000}button,details,header a{display:none}}`;

/** Allows only the page's own style, images from this server such as the logo, and the page's own form. */
const PAGE_POLICY = [
  "default-src 'none'",
  `style-src 'sha256-${hash('sha256', STYLE, 'base64')}'`,
  "img-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ');
