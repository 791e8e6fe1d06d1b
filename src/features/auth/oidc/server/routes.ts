import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type Deps, withConnectionPool } from '#server/deps.ts';
import { makeStorable } from '#server/http/blank-fields.ts';
import { browserKeyCookie } from '#server/http/browser-cookie.ts';
import { requestOf } from '#server/http/route-mount.ts';
import { millisecondsOf } from '#shared/calendar-date.ts';
import { ProviderFailure } from './provider-client.ts';
import { finishProviderRedirect, redirectToProvider, type Trip } from './redirects.ts';
import { endSessionsByFrontChannel, endSessionsByProvider } from './sign-out.ts';

type Named = { Params: { name: string } };

const LONGEST_QUERY = 8_000;
const LONGEST_MESSAGE = 20_000;
const WARN_EVERY_MS = 60_000;

/** Mounts the redirect to a provider and its callback. They are pages, not API calls: both reply with a redirect. */
export function mountProviderRedirects(app: FastifyInstance, everyLane: Deps): void {
  const deps = withConnectionPool(everyLane, 'signIn');
  const go = (path: string, step: (incoming: FastifyRequest, name: string) => Promise<Trip>) =>
    app.get<Named>(
      `/api/auth/oidc/:name/${path}`,
      // A HEAD request must not use up a callback.
      { exposeHeadRoute: false, config: { gate: 'public', isLong: true } },
      async (incoming, reply) => {
        const { to, browserKey } = await step(incoming, incoming.params.name);
        if (browserKey !== undefined) reply.header('set-cookie', browserKeyCookie(deps, browserKey));
        return reply.redirect(to, 303);
      },
    );
  go('start', (incoming, name) => {
    const ticket = new URLSearchParams(queryOf(incoming)).get('fresh') ?? undefined;
    return redirectToProvider(deps, requestOf(deps, incoming), name, ticket);
  });
  go('callback', (incoming, name) =>
    finishProviderRedirect(deps, requestOf(deps, incoming), name, queryOf(incoming)),
  );
}

/**
 * Mounts the logout endpoints for providers: back-channel (a signed token in a form post) and front-channel (an address loaded
 * in a frame). OpenID Connect specifies their replies.
 */
export async function mountProviderLogouts(app: FastifyInstance, everyLane: Deps): Promise<void> {
  const deps = withConnectionPool(everyLane, 'signIn');
  const warn = createRateLimitedWarning(deps);
  // In its own scope, since no other call accepts forms.
  await app.register(async (forms) => {
    forms.addContentTypeParser(
      'application/x-www-form-urlencoded',
      { parseAs: 'string', bodyLimit: LONGEST_MESSAGE },
      (_request, body, done) => done(null, new URLSearchParams(String(body))),
    );
    forms.post<Named>(
      '/api/auth/oidc/:name/backchannel-logout',
      { config: { gate: 'public', isLong: true } },
      async (incoming, reply) => {
        const form = incoming.body instanceof URLSearchParams ? incoming.body : new URLSearchParams();
        try {
          const token = form.get('logout_token') ?? '';
          await endSessionsByProvider(deps, requestOf(deps, incoming), incoming.params.name, token);
          return reply.send('');
        } catch (error) {
          if (!(error instanceof ProviderFailure)) throw error;
          warn(error);
          return reply.code(400).send({ error: 'invalid_request' });
        }
      },
    );
  });
  app.get<Named>(
    '/api/auth/oidc/:name/frontchannel-logout',
    { exposeHeadRoute: false, config: { gate: 'public' } },
    (incoming, reply) => endSessionInFrame(deps, incoming, reply),
  );
}

// Loading the address ends the session, even if the other site does not display the page.
async function endSessionInFrame(deps: Deps, incoming: FastifyRequest<Named>, reply: FastifyReply) {
  const query = new URLSearchParams(queryOf(incoming));
  const said = { issuer: query.get('iss'), session: String(makeStorable(query.get('sid') ?? '')) };
  await endSessionsByFrontChannel(deps, requestOf(deps, incoming), incoming.params.name, said);
  return reply.type('text/html; charset=utf-8').send('<!doctype html><title>Signed out</title>');
}

// Anyone can send forged tokens, which must not fill the log.
function createRateLimitedWarning({ log, clock }: Deps): (error: Error) => void {
  let last = 0;
  return ({ message }) => {
    const now = millisecondsOf(clock.now());
    if (Math.abs(now - last) < WARN_EVERY_MS) return;
    last = now;
    log.warn(message);
  };
}

function queryOf({ url }: FastifyRequest): string {
  const query = url.slice(url.indexOf('?') + 1);
  return query.length > LONGEST_QUERY ? '' : query;
}
