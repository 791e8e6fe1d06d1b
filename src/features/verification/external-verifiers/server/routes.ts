import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Deps } from '#server/deps.ts';
import { makeStorable } from '#server/http/blank-fields.ts';
import { storageFailureMessage } from '#server/http/error-replies.ts';
import {
  type PlainPageContext,
  type PlainPageReply,
  plainPageContext,
  sendPlainPage,
} from '#server/http/plain-page.ts';
import { type Mount, requestOf } from '#server/http/route-mount.ts';
import { translate } from '#server/i18n/translator.ts';
import { HttpError } from '#shared/errors.ts';
import { answerExternalRequest, getExternalRequest, say, TOKEN_PREFIX } from '../contract.ts';
import { answerRequest, readAnswers, readExternalRequest, requireLink } from './actions.ts';
import {
  describeOutcome,
  errorPage,
  expiredLinkPage,
  readForm,
  requestPage,
  thanksPage,
} from './answer-page.ts';

const FORM_BYTES = 1_500_000;

/** The API of an external verifier's link. The token is the permission. */
export function mountExternalVerifierRoutes(mount: Mount, deps: Deps): void {
  mount(getExternalRequest, 'public', ({ request, params }) =>
    readExternalRequest(deps, request, params.token),
  );

  mount(answerExternalRequest, 'public', async ({ request, params, body }) => ({
    message: describeOutcome(await answerRequest(deps, request, params.token, body))
      .map((line) => translate(deps, line))
      .join(' '),
  }));
}

/**
 * The page of an external verifier's link, at `/?verify=hours-...`. The server renders it and it works without
 * scripts. Reading it changes nothing, because mail scanners open links.
 */
export function mountExternalVerifierPage(app: FastifyInstance, deps: Deps): void {
  const isHttps = deps.config.publicUrl?.startsWith('https:') === true;
  app.addHook('onRequest', async (incoming, reply) => {
    const token = readToken(incoming);
    if (token === undefined || (incoming.method !== 'GET' && incoming.method !== 'HEAD')) return;
    await deps.settings.refresh();
    await sendPlainPage(reply, isHttps, await showRequest(deps, incoming, token));
    return reply;
  });
  app.register(async (forms) => {
    forms.addContentTypeParser(
      'application/x-www-form-urlencoded',
      { parseAs: 'string', bodyLimit: FORM_BYTES },
      (_request, body, done) => done(null, parseForm(String(body))),
    );
    // Parses the body only for an existing link, since it may be long.
    forms.addHook('onRequest', async (incoming, reply) => {
      const token = readToken(incoming) ?? '';
      await deps.settings.refresh();
      const page = await withErrorPage(deps, token, incoming, async () => {
        await requireLink(deps, requestOf(deps, incoming), token);
        return undefined;
      });
      if (page === undefined) return;
      await sendPlainPage(reply, isHttps, page);
      return reply;
    });
    forms.post(
      '/',
      { config: { gate: 'public' }, bodyLimit: FORM_BYTES },
      async (incoming: FastifyRequest, reply: FastifyReply) => {
        const token = readToken(incoming) ?? '';
        return sendPlainPage(reply, isHttps, await handleAnswer(deps, incoming, token));
      },
    );
  });
}

async function showRequest(deps: Deps, incoming: FastifyRequest, token: string): Promise<PlainPageReply> {
  return withErrorPage(deps, token, incoming, async (context) => {
    const question = await readExternalRequest(deps, requestOf(deps, incoming), token);
    return { status: 200, markup: requestPage(context, question) };
  });
}

async function handleAnswer(deps: Deps, incoming: FastifyRequest, token: string): Promise<PlainPageReply> {
  const form = incoming.body instanceof URLSearchParams ? incoming.body : new URLSearchParams();
  return withErrorPage(deps, token, incoming, async (context) => {
    const request = requestOf(deps, incoming);
    const question = await readExternalRequest(deps, request, token);
    const { answer: given, filled } = readForm(form, question);
    if (given === undefined) return { status: 400, markup: requestPage(context, question, filled) };
    try {
      return { status: 200, markup: thanksPage(context, await answerRequest(deps, request, token, given)) };
    } catch (error) {
      if (!isStorageFailure(error)) throw error;
      // The page keeps the typed values, so that the user can submit them again later.
      incoming.log.error({ err: error }, 'storing the answer of an external verifier failed');
      return {
        status: 503,
        markup: requestPage(context, question, { ...filled, notice: say('outsideTrouble') }),
      };
    }
  });
}

// Includes errors such as a full disk.
function isStorageFailure(error: unknown): boolean {
  return !isNotFound(error) && storageFailureMessage(error) !== undefined;
}

function isNotFound(error: unknown): boolean {
  return error instanceof HttpError && error.kind === 'notFound';
}

// Opening a link again after answering everything shows the result.
async function withErrorPage<Made>(
  deps: Deps,
  token: string,
  incoming: FastifyRequest,
  make: (context: PlainPageContext) => Promise<Made>,
): Promise<Made | PlainPageReply> {
  const context = pageContextFor(deps, incoming, token);
  try {
    return await make(context);
  } catch (error) {
    if (isNotFound(error)) {
      const answers = await readAnswers(deps, requestOf(deps, incoming), token);
      if (answers !== undefined && answers.verified + answers.declined > 0) {
        return {
          status: 200,
          markup: thanksPage(context, { ...answers, skipped: 0, rest: 0, isStopped: false }),
        };
      }
      return { status: 404, markup: expiredLinkPage(context) };
    }
    if (!isStorageFailure(error)) throw error;
    incoming.log.error({ err: error }, 'rendering the page of an external verifier failed');
    return { status: 503, markup: errorPage(context) };
  }
}

function pageContextFor(deps: Deps, incoming: FastifyRequest, token: string): PlainPageContext {
  return plainPageContext(deps, `/?verify=${encodeURIComponent(token)}`, {
    lang: readQuery(incoming).get('lang') ?? undefined,
    accepted: incoming.headers['accept-language'],
  });
}

function parseForm(body: string): URLSearchParams {
  const form = new URLSearchParams();
  for (const [name, value] of new URLSearchParams(body)) form.append(name, String(makeStorable(value)));
  return form;
}

function readToken(incoming: FastifyRequest): string | undefined {
  if (!incoming.url.startsWith('/?')) return undefined;
  const token = readQuery(incoming).get('verify');
  return token?.startsWith(TOKEN_PREFIX) === true ? token : undefined;
}

function readQuery({ url }: FastifyRequest): URLSearchParams {
  return new URLSearchParams(url.slice(url.indexOf('?') + 1));
}
