import { hash } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import type { Deps } from '#server/deps.ts';
import { homePage } from '#server/email/email.ts';
import { html } from '#server/http/html.ts';
import { requestOf } from '#server/http/route-mount.ts';
import { htmlLanguage, translate } from '#server/i18n/translator.ts';
import { CONNECTION_MESSAGE, messages } from '../contract.ts';
import { type ConnectOutcome, finishConnecting } from './connection.ts';

// The outcome is in the page's attributes, so the script is constant and the content security policy can allow it by its hash.
const SCRIPT = `const { type, origin, ok } = document.body.dataset;
const message = { type, ok: ok === 'true' };
if (window.opener) window.opener.postMessage(message, origin);
new BroadcastChannel(type).postMessage(message);
if (message.ok) setTimeout(() => window.close(), 500);`;

const STYLE =
  ':root{color-scheme:light dark}body{font:1rem/1.5 system-ui,sans-serif;max-width:26rem;margin:4rem auto;padding:0 1.5rem}h1{font-size:1.25rem}';

/**
 * The headers of the last page in the consent window: only its own script and style run, no frame may show it, and it can still
 * reach the page that opened it.
 */
export const CALLBACK_HEADERS: Readonly<Record<string, string>> = {
  'content-security-policy': [
    "default-src 'none'",
    `script-src '${cspHash(SCRIPT)}'`,
    `style-src '${cspHash(STYLE)}'`,
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join('; '),
  'cross-origin-opener-policy': 'unsafe-none',
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'cache-control': 'no-store',
};

/** The last page in the consent window: reports the outcome to the opening page and to the user. */
export function callbackPage(deps: Deps, { outcome, problem }: ConnectOutcome): string {
  const isConnected = outcome === 'connected';
  const title = translate(deps, isConnected ? messages.connected : messages.notConnectedTitle);
  const { origin } = new URL(homePage(deps));
  return html`<!doctype html>
<html lang="${htmlLanguage(deps.translator)}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<style>${{ markup: STYLE }}</style>
</head>
<body data-type="${CONNECTION_MESSAGE}" data-origin="${origin}" data-ok="${String(isConnected)}">
<main>
<h1>${title}</h1>
${problem === null ? null : html`<p>${translate(deps, problem)}</p>`}
<p>${translate(deps, messages.closeWindow)}</p>
</main>
<script>${{ markup: SCRIPT }}</script>
</body>
</html>
`.markup;
}

function cspHash(content: string): string {
  return `sha256-${hash('sha256', content, 'base64')}`;
}

const STATUS: Readonly<Record<ConnectOutcome['outcome'], number>> = {
  connected: 200,
  failed: 200,
  invalid: 400,
};
const MAX_PARAMETER_LENGTH = 2048;

/**
 * Mounts Google's redirect address. It is a page and not an API call: the window has no token, so only the state identifies the
 * request, and the page itself shows any error.
 */
export function mountDriveCallback(app: FastifyInstance, deps: Deps): void {
  // A HEAD request must not use up the state.
  app.get(
    '/api/google-drive/callback',
    { exposeHeadRoute: false, config: { gate: 'public' } },
    async (incoming, reply) => {
      const given = incoming.query as Readonly<Record<string, unknown>>;
      const result = await finishConnecting(deps, requestOf(deps, incoming), {
        state: textParameter(given['state']) ?? '',
        code: textParameter(given['code']),
        error: textParameter(given['error']),
      });
      return reply
        .code(STATUS[result.outcome])
        .headers(CALLBACK_HEADERS)
        .type('text/html; charset=utf-8')
        .send(callbackPage(deps, result));
    },
  );
}

function textParameter(value: unknown): string | undefined {
  return typeof value === 'string' && value.length <= MAX_PARAMETER_LENGTH ? value : undefined;
}
