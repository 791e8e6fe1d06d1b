import type { FastifyInstance } from 'fastify';
import type { Deps } from '#server/deps.ts';
import { requestOf } from '#server/http/route-mount.ts';
import { CALLBACK_HEADERS, callbackPage } from './callback-page.ts';
import { type Ended, finishConnecting } from './connection.ts';

const STATUS: Readonly<Record<Ended['how'], number>> = { connected: 200, failed: 200, invalid: 400 };
const LONGEST = 2048;

/**
 * Where Google sends the window back to. It is a page, not an API call: the window has no token, so only the
 * state says whose request it is, and the page itself says what went wrong.
 */
export function mountDriveCallback(app: FastifyInstance, deps: Deps): void {
  // A HEAD request must not use up the state.
  app.get(
    '/api/google-drive/callback',
    { exposeHeadRoute: false, config: { gate: 'public' } },
    async (incoming, reply) => {
      const given = incoming.query as Readonly<Record<string, unknown>>;
      const ended = await finishConnecting(deps, requestOf(deps, incoming), {
        state: textIn(given['state']) ?? '',
        code: textIn(given['code']),
        error: textIn(given['error']),
      });
      return reply
        .code(STATUS[ended.how])
        .headers(CALLBACK_HEADERS)
        .type('text/html; charset=utf-8')
        .send(callbackPage(deps, ended));
    },
  );
}

function textIn(value: unknown): string | undefined {
  return typeof value === 'string' && value.length <= LONGEST ? value : undefined;
}
