import type { FastifyInstance, FastifyRequest } from 'fastify';
import { type Deps, inLane } from '#server/deps.ts';
import { keepingBrowserKey } from '#server/http/browser-key.ts';
import { requestOf } from '#server/http/serve.ts';
import { comeBack, leaveFor, type Trip } from './provider-trip.ts';

const LONGEST_QUERY = 8_000;

/**
 * Where a browser leaves for a sign-in service, and where that sends it back to. They are pages, not API calls: what
 * they answer is where to go next.
 */
export function mountProviderTrips(app: FastifyInstance, everyLane: Deps): void {
  const deps = inLane(everyLane, 'signIn');
  const go = (path: string, step: (incoming: FastifyRequest, name: string) => Promise<Trip>) =>
    app.get<{ Params: { name: string } }>(
      `/api/auth/oidc/:name/${path}`,
      // A HEAD request must not use up what somebody brings back.
      { exposeHeadRoute: false, config: { gate: 'public', isLong: true } },
      async (incoming, reply) => {
        const { to, browserKey } = await step(incoming, incoming.params.name);
        if (browserKey !== undefined) reply.header('set-cookie', keepingBrowserKey(deps, browserKey));
        return reply.redirect(to, 303);
      },
    );
  go('start', (incoming, name) => leaveFor(deps, requestOf(deps, incoming), name));
  go('callback', (incoming, name) => comeBack(deps, requestOf(deps, incoming), name, queryOf(incoming)));
}

function queryOf({ url }: FastifyRequest): string {
  const query = url.slice(url.indexOf('?') + 1);
  return query.length > LONGEST_QUERY ? '' : query;
}
