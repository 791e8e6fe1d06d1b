import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Deps } from '#server/deps.ts';
import { storable } from '#server/http/blank-fields.ts';
import { storageFailureMessage } from '#server/http/error-replies.ts';
import { type Mount, requestOf } from '#server/http/route-mount.ts';
import { translate } from '#server/i18n/translator.ts';
import { Refusal } from '#shared/errors.ts';
import { answerOutside, askedOutside, messages, TOKEN_MARK } from '../contract.ts';
import { answer, type Outcome, readAnswers, readExternalRequest, requireLink } from './actions.ts';
import { errorPage, expiredLinkPage, readForm, requestPage, thanksPage } from './answer-page.ts';
import { say } from './messages.ts';
import { type Page, type PlainPageContext, plainPageContext, sendPlainPage } from './plain-page.ts';

const FORM_BYTES = 1_500_000;

/** The calls of a supervisor's link. The token is what lets somebody call them. */
export function mountExternalVerifierRoutes(mount: Mount, deps: Deps): void {
  mount(askedOutside, 'public', ({ request, params }) => readExternalRequest(deps, request, params.token));

  mount(answerOutside, 'public', async ({ request, params, body }) => ({
    message: told(deps, await answer(deps, request, params.token, body)),
  }));
}

/**
 * The page of a supervisor's link, at the address of every page: `/?verify=hours-...`. It is written by the server and
 * works without scripts. Reading it changes nothing, so a mail scanner that opens links answers for nobody.
 */
export function mountExternalVerifierPage(app: FastifyInstance, deps: Deps): void {
  const isHttps = deps.config.publicUrl?.startsWith('https:') === true;
  app.addHook('onRequest', async (incoming, reply) => {
    const token = tokenIn(incoming);
    if (token === undefined || (incoming.method !== 'GET' && incoming.method !== 'HEAD')) return;
    await deps.settings.refresh();
    await sendPlainPage(reply, isHttps, await showing(deps, incoming, token));
    return reply;
  });
  app.register(async (forms) => {
    forms.addContentTypeParser(
      'application/x-www-form-urlencoded',
      { parseAs: 'string', bodyLimit: FORM_BYTES },
      (_request, body, done) => done(null, formOf(String(body))),
    );
    // A long form is read only for a link that there is.
    forms.addHook('onRequest', async (incoming, reply) => {
      const token = tokenIn(incoming) ?? '';
      await deps.settings.refresh();
      const page = await orTrouble(deps, token, incoming, async () => {
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
        const token = tokenIn(incoming) ?? '';
        return sendPlainPage(reply, isHttps, await answering(deps, incoming, token));
      },
    );
  });
}

async function showing(deps: Deps, incoming: FastifyRequest, token: string): Promise<Page> {
  return orTrouble(deps, token, incoming, async (setting) => {
    const question = await readExternalRequest(deps, requestOf(deps, incoming), token);
    return { status: 200, markup: requestPage(setting, question) };
  });
}

async function answering(deps: Deps, incoming: FastifyRequest, token: string): Promise<Page> {
  const form = incoming.body instanceof URLSearchParams ? incoming.body : new URLSearchParams();
  return orTrouble(deps, token, incoming, async (setting) => {
    const request = requestOf(deps, incoming);
    const question = await readExternalRequest(deps, request, token);
    const { answer: given, filled } = readForm(form, question);
    if (given === undefined) return { status: 400, markup: requestPage(setting, question, filled) };
    try {
      return { status: 200, markup: thanksPage(setting, await answer(deps, request, token, given)) };
    } catch (error) {
      if (!isPassingFailure(error)) throw error;
      // Nothing that was typed is lost: whoever presses again later sends the same.
      incoming.log.error({ err: error }, 'the answer of a supervisor could not be kept');
      return {
        status: 503,
        markup: requestPage(setting, question, { ...filled, said: say('outsideTrouble') }),
      };
    }
  });
}

// Such as a full disk.
function isPassingFailure(error: unknown): boolean {
  return (
    !(error instanceof Refusal && error.kind === 'notFound') && storageFailureMessage(error) !== undefined
  );
}

// Whoever answered everything and opens the link again sees what they said.
async function orTrouble<Made>(
  deps: Deps,
  token: string,
  incoming: FastifyRequest,
  make: (setting: PlainPageContext) => Promise<Made>,
): Promise<Made | Page> {
  const setting = settingOf(deps, incoming, token);
  try {
    return await make(setting);
  } catch (error) {
    if (error instanceof Refusal && error.kind === 'notFound') {
      const said = await readAnswers(deps, requestOf(deps, incoming), token);
      if (said !== undefined && said.verified + said.declined > 0) {
        return {
          status: 200,
          markup: thanksPage(setting, { ...said, skipped: 0, rest: 0, isStopped: false }),
        };
      }
      return { status: 404, markup: expiredLinkPage(setting) };
    }
    if (!isPassingFailure(error)) throw error;
    incoming.log.error({ err: error }, 'the page of a supervisor could not be made');
    return { status: 503, markup: errorPage(setting) };
  }
}

function settingOf(deps: Deps, incoming: FastifyRequest, token: string): PlainPageContext {
  const { lang } = queryOf(incoming);
  const accepted = incoming.headers['accept-language'];
  return plainPageContext(deps, `/?verify=${encodeURIComponent(token)}`, { lang, accepted });
}

function formOf(body: string): URLSearchParams {
  const form = new URLSearchParams();
  for (const [name, value] of new URLSearchParams(body)) form.append(name, String(storable(value)));
  return form;
}

function tokenIn(incoming: FastifyRequest): string | undefined {
  if (!incoming.url.startsWith('/?')) return undefined;
  const { verify } = queryOf(incoming);
  return verify?.startsWith(TOKEN_MARK) === true ? verify : undefined;
}

function queryOf({ url }: FastifyRequest): { verify?: string; lang?: string } {
  const query = new URLSearchParams(url.slice(url.indexOf('?') + 1));
  const one = (name: string) => query.get(name) ?? undefined;
  const verify = one('verify');
  const lang = one('lang');
  return { ...(verify === undefined ? {} : { verify }), ...(lang === undefined ? {} : { lang }) };
}

function told(deps: Deps, { verified, declined, skipped, isStopped }: Outcome): string {
  const lines = [
    ...(verified > 0 ? [messages.confirmed(verified)] : []),
    ...(declined > 0 ? [messages.declined(declined)] : []),
    ...(skipped > 0 ? [messages.skipped(skipped)] : []),
    ...(isStopped ? [messages.stopped] : []),
  ];
  return lines.map((line) => translate(deps, line)).join(' ');
}
