import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Deps } from '#server/deps.ts';
import { makeStorable } from '#server/http/blank-fields.ts';
import { storageFailureMessage } from '#server/http/error-replies.ts';
import {
  type PlainPageContext,
  type PlainPageReply,
  plainPageContext,
  sendPlainPage,
} from '#server/http/plain-page.ts';
import { requestLocaleOf } from '#server/http/request-language.ts';
import { requestOf } from '#server/http/route-mount.ts';
import { ACCESSIBILITY_PATH } from '#shared/accessibility-path.ts';
import { HttpError } from '#shared/errors.ts';
import type { Message } from '#shared/i18n/message.ts';
import { Barrier } from '../contract.ts';
import { canReportBarrier, reportBarrier } from './barrier-reports.ts';
import { type Field, type FilledForm, reportReceivedPage, say, statementPage } from './statement-page.ts';

// Up to four bytes per character, each percent-encoded as three.
const FORM_BYTES = 40_000;

/**
 * The accessibility statement. The server renders it, so that people who cannot use the app's screens can read it and report
 * a barrier, signed in or not.
 */
export function mountAccessibilityStatement(app: FastifyInstance, deps: Deps): void {
  const isHttps = deps.config.publicUrl?.startsWith('https:') === true;
  app.register(async (pages) => {
    pages.addContentTypeParser(
      'application/x-www-form-urlencoded',
      { parseAs: 'string', bodyLimit: FORM_BYTES },
      (_request, body, done) => done(null, new URLSearchParams(String(body))),
    );
    pages.get(ACCESSIBILITY_PATH, { config: { gate: 'public' } }, async (incoming, reply) => {
      const markup = statementPage(pageContext(deps, incoming), canReportBarrier(deps));
      return sendPlainPage(reply, isHttps, { status: 200, markup });
    });
    pages.post(
      ACCESSIBILITY_PATH,
      { config: { gate: 'public' }, bodyLimit: FORM_BYTES },
      async (incoming, reply) => {
        const { retryAfter, ...page } = await handleReport(deps, incoming);
        if (retryAfter !== undefined) reply.header('retry-after', String(retryAfter));
        return sendPlainPage(reply, isHttps, page);
      },
    );
  });
}

async function handleReport(
  deps: Deps,
  incoming: FastifyRequest,
): Promise<PlainPageReply & { retryAfter?: number }> {
  const context = pageContext(deps, incoming);
  const typed = readForm(incoming);
  const again = (status: number, filled: Partial<FilledForm>) => ({
    status,
    markup: statementPage(context, canReportBarrier(deps), { typed, problems: {}, ...filled }),
  });
  const read = Barrier.safeParse(typed);
  if (!read.success) {
    const problems = read.error.issues.map(({ path, message }) => [path[0], message as Message] as const);
    return again(400, { problems: Object.fromEntries(problems) as FilledForm['problems'] });
  }
  const { email } = context;
  // Email was turned off after the page was opened.
  if (!canReportBarrier(deps)) return again(503, { notice: say('trouble', { email }) });
  try {
    await reportBarrier(deps, requestOf(deps, incoming), read.data, context.language);
  } catch (error) {
    if (storageFailureMessage(error) === undefined) throw error;
    if (error instanceof HttpError && error.kind === 'tooManyTries') {
      const retryAfter = error.details.retryAfterSeconds;
      return {
        ...again(429, { notice: say('tooMany', { email }) }),
        ...(retryAfter === undefined ? {} : { retryAfter }),
      };
    }
    incoming.log.error({ err: error }, 'could not save a message about accessibility');
    return again(503, { notice: say('trouble', { email }) });
  }
  return { status: 200, markup: reportReceivedPage(context, read.data.contact != null) };
}

// The language comes from the link, because only the user's device stores the language of the page that links here.
function pageContext(deps: Deps, incoming: FastifyRequest): PlainPageContext {
  const lang = new URLSearchParams(incoming.url.split('?')[1]).get('lang') ?? undefined;
  return plainPageContext(deps, ACCESSIBILITY_PATH, {
    lang,
    accepted: requestLocaleOf(incoming, deps).language,
  });
}

function readForm({ body }: FastifyRequest): Record<Field, string> {
  const form = body instanceof URLSearchParams ? body : new URLSearchParams();
  const one = (name: Field) => String(makeStorable(form.get(name) ?? ''));
  return { what: one('what'), where: one('where'), contact: one('contact') };
}
