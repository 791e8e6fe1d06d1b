import type { FastifyInstance, FastifyRequest } from 'fastify';
import { unsubscribeDigest } from '#features/activities/suggestions/server/actions.ts';
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
import { messageFactory } from '#shared/i18n/message.ts';
import { unsubscribeFromAnnouncements } from '../../announcements/server/actions.ts';
import type text from '../../messages.server.en.json';
import {
  unsubscribeFromEventReminders,
  unsubscribeFromWeeklySummary,
} from '../../reminders/server/preferences.ts';

const say = messageFactory<typeof text>('notifications');

const FORM_BYTES = 10_000;

type Subscription = Readonly<{
  about: Parameters<typeof say>[0];
  stop: (deps: Deps, userId: number) => Promise<void>;
}>;

const SUBSCRIPTIONS: Readonly<Record<Unsubscribable, Subscription>> = {
  'waiting-hours': { about: 'stopWaitingHours', stop: unsubscribeWeeklyReminder },
  suggestions: { about: 'stopSuggestions', stop: unsubscribeDigest },
  'after-events': { about: 'stopAfterEvents', stop: unsubscribeFromEventReminders },
  'on-mondays': { about: 'stopMondays', stop: unsubscribeFromWeeklySummary },
  'to-many': { about: 'stopToMany', stop: unsubscribeFromAnnouncements },
};

/**
 * The page for unsubscribing without signing in. Opening it changes nothing, because email scanners open links. Its form
 * unsubscribes, and so does the button of an email program, which sends a POST to the same URL (RFC 8058).
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
      sendPlainPage(reply, isHttps, renderConfirmation(deps, incoming)),
    );
    pages.post(
      UNSUBSCRIBE_PATH,
      { config: { gate: 'public' }, bodyLimit: FORM_BYTES },
      async (incoming, reply) => sendPlainPage(reply, isHttps, await unsubscribe(deps, incoming)),
    );
  });
}

function renderConfirmation(deps: Deps, incoming: FastifyRequest): PlainPageReply {
  const { page, found } = readRequest(deps, incoming);
  if (found === undefined) return renderNotFound(page);
  const { t } = page;
  const markup = renderPlainPage(
    page,
    say('stopTitle'),
    html`<p>${t(say(SUBSCRIPTIONS[found.letters].about))}</p>
      <form method="post" action="${addressOf(page)}"><button class="main">${t(say('stopSend'))}</button></form>`,
  );
  return { status: 200, markup };
}

async function unsubscribe(deps: Deps, incoming: FastifyRequest): Promise<PlainPageReply> {
  const { page, found } = readRequest(deps, incoming);
  if (found === undefined) return renderNotFound(page);
  try {
    await SUBSCRIPTIONS[found.letters].stop(deps, found.userId);
  } catch (error) {
    const known = storageFailureMessage(error);
    if (known === undefined) throw error;
    incoming.log.error({ err: error }, 'could not turn off emails');
    const again = html`<p class="problems" role="alert">${page.t(known)}</p>
      <p><a href="${addressOf(page)}">${page.t(say('stopTitle'))}</a></p>`;
    return { status: 503, markup: renderPlainPage(page, say('stopTitle'), again) };
  }
  const done = html`<p>${page.t(say('stopDone'))}</p>`;
  return { status: 200, markup: renderPlainPage(page, say('stopDoneTitle'), done) };
}

function renderNotFound(page: PlainPageContext): PlainPageReply {
  const text = html`<p>${page.t(say('stopGone'))}</p>`;
  return { status: 404, markup: renderPlainPage(page, say('stopGoneTitle'), text) };
}

function readRequest(deps: Deps, { url, headers }: FastifyRequest) {
  const query = new URLSearchParams(url.split('?')[1]);
  const token = query.get('of') ?? '';
  const page = plainPageContext(deps, `${UNSUBSCRIBE_PATH}?of=${encodeURIComponent(token)}`, {
    lang: query.get('lang') ?? undefined,
    accepted: headers['accept-language'],
  });
  return { page, found: parseUnsubscribeToken(deps, token) };
}
