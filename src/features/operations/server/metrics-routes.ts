import type { FastifyInstance } from 'fastify';
import { isSameSecret } from '#server/secrets.ts';
import { commonMessages } from '#shared/common-messages.ts';
import { errors } from '#shared/errors.ts';
import type { Metrics } from './metrics.ts';

const TYPE = 'text/plain; version=0.0.4; charset=utf-8';

/** `GET /metrics` for requests with the configured token. */
export function mountMetrics(app: FastifyInstance, metrics: Metrics, token: string): void {
  app.get('/metrics', { exposeHeadRoute: false, config: { gate: 'public' } }, async (incoming, reply) => {
    const [, given = ''] = /^Bearer (\S{1,400})$/i.exec(incoming.headers.authorization ?? '') ?? [];
    if (!isSameSecret(given, token)) {
      reply.header('www-authenticate', 'Bearer');
      throw errors.unauthenticated(commonMessages.authenticationRequired);
    }
    return reply
      .header('cache-control', 'no-store')
      .type(TYPE)
      .send(await metrics.text());
  });
}
