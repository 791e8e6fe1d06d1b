import { hash, timingSafeEqual } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import { commonMessages } from '#shared/common-messages.ts';
import { errors } from '#shared/errors.ts';
import type { Metrics } from './metrics.ts';

const TYPE = 'text/plain; version=0.0.4; charset=utf-8';

/** `GET /metrics` for requests with the configured token. */
export function mountMetrics(app: FastifyInstance, metrics: Metrics, token: string): void {
  app.get('/metrics', { exposeHeadRoute: false, config: { gate: 'public' } }, async (incoming, reply) => {
    const [, given = ''] = /^Bearer (\S{1,400})$/i.exec(incoming.headers.authorization ?? '') ?? [];
    if (!isSame(given, token)) {
      reply.header('www-authenticate', 'Bearer');
      throw errors.unauthenticated(commonMessages.authenticationRequired);
    }
    return reply
      .header('cache-control', 'no-store')
      .type(TYPE)
      .send(await metrics.text());
  });
}

// Constant-time comparison.
function isSame(given: string, token: string): boolean {
  return timingSafeEqual(hash('sha256', given, 'buffer'), hash('sha256', token, 'buffer'));
}
