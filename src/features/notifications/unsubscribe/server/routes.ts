import type { FastifyInstance, FastifyRequest } from 'fastify';
import { unsubscribeDigest } from '#features/activities/suggestions/server/actions.ts';
import { say } from '#features/verification/external-verifiers/contract.ts';
import { unsubscribeWeeklyReminder } from '#features/verification/weekly-reminder/server/actions.ts';
import type { Deps } from '#server/deps.ts';
import {
  parseUnsubscribeToken,
  UNSUBSCRIBE_PATH,
  type Unsubscribable,
} from '#server/email/unsubscribe-link.ts';
import { storageFailureMessage } from '#server/http/error-replies.ts';
import { html } from '#server/http/html.ts';
import {
  addressOf,
  type PlainPageContext,
  type PlainPageReply,
  plainPageContext,
  renderPlainPage,
  sendPlainPage,
} from '#server/http/plain-page.ts';
import { unsubscribeFromAnnouncements } from '../../announcements/server/preference.ts';
import { stopAfterEvents, stopMondays } from '../../reminders/server/preferences.ts';

const FORM_BYTES = 10_000;

type Letters = Readonly<{
  told: Parameters<typeof say>[0];
  stop: (deps: Deps, userId: number) => Promise<void>;
}>;

const LETTERS: Readonly<Record<Unsubscribable, Letters>> = {
  'waiting-hours': { told: 'stopWaitingHours', stop: unsubscribeWeeklyReminder },
  suggestions: { told: 'stopSuggestions', stop: unsubscribeDigest },
  'after-events': { told: 'stopAfterEvents', stop: stopAfterEvents },
  'on-mondays': { told: 'stopMondays', stop: stopMondays },
  'to-many': { told: 'stopToMany', stop: unsubscribeFromAnnouncements },
};

/**
 * The page for unsubscribing without signing in. Opening it changes nothing, because mail scanners open links. Its form
 * unsubscribes, and so does a mail program's button, which sends a POST to the same URL (RFC 8058).
 */
export function mountUnsubscribePage(app: FastifyInstance, deps: Deps): void {
  const isHttps = deps.config.publicUrl?.startsWith('https:') === true;
  app.register(async (pages) => {
    // The body is ignored: the URL has all the data.
    pages.removeAllContentTypeParsers();
    pages.addContentTypeParser('*', { parseAs: 'string', bodyLimit: FORM_BYTES }, (_request, _body, done) =>
      done(null),
    );
    pages.get(UNSUBSCRIBE_PATH, { config: { gate: 'public' } }, async (incoming, reply) =>
      sendPlainPage(reply, isHttps, asking(deps, incoming)),
    );
    pages.post(
      UNSUBSCRIBE_PATH,
      { config: { gate: 'public' }, bodyLimit: FORM_BYTES },
      async (incoming, reply) => sendPlainPage(reply, isHttps, await stopping(deps, incoming)),
    );
  });
}

function asking(deps: Deps, incoming: FastifyRequest): PlainPageReply {
  const { setting, found } = read(deps, incoming);
  if (found === undefined) return gone(setting);
  const { t } = setting;
  const markup = renderPlainPage(
    setting,
    say('stopTitle'),
    html`<p>${t(say(LETTERS[found.letters].told))}</p>
      <form method="post" action="${addressOf(setting)}"><button class="main">${t(say('stopSend'))}</button></form>`,
  );
  return { status: 200, markup };
}

async function stopping(deps: Deps, incoming: FastifyRequest): Promise<PlainPageReply> {
  const { setting, found } = read(deps, incoming);
  if (found === undefined) return gone(setting);
  try {
    await LETTERS[found.letters].stop(deps, found.userId);
  } catch (error) {
    const known = storageFailureMessage(error);
    if (known === undefined) throw error;
    incoming.log.error({ err: error }, 'could not turn off emails');
    const again = html`<p class="problems" role="alert">${setting.t(known)}</p>
      <p><a href="${addressOf(setting)}">${setting.t(say('stopTitle'))}</a></p>`;
    return { status: 503, markup: renderPlainPage(setting, say('stopTitle'), again) };
  }
  const done = html`<p>${setting.t(say('stopDone'))}</p>`;
  return { status: 200, markup: renderPlainPage(setting, say('stopDoneTitle'), done) };
}

function gone(setting: PlainPageContext): PlainPageReply {
  const told = html`<p>${setting.t(say('stopGone'))}</p>`;
  return { status: 404, markup: renderPlainPage(setting, say('stopGoneTitle'), told) };
}

function read(deps: Deps, { url, headers }: FastifyRequest) {
  const query = new URLSearchParams(url.split('?')[1]);
  const token = query.get('of') ?? '';
  const setting = plainPageContext(deps, `${UNSUBSCRIBE_PATH}?of=${encodeURIComponent(token)}`, {
    lang: query.get('lang') ?? undefined,
    accepted: headers['accept-language'],
  });
  return { setting, found: parseUnsubscribeToken(deps, token) };
}
