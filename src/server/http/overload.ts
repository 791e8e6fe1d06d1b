import underPressure from '@fastify/under-pressure';
import type { FastifyInstance } from 'fastify';
import { commonMessages } from '#shared/common-messages.ts';
import { errors, type HttpError } from '#shared/errors.ts';

/**
 * How late the event loop may be on average of a second. Each call waits for it several times, so that beyond this one more
 * takes longer than a person waits; on a machine that is busy with other work 300 were reached, and calls still answered.
 */
export const MOST_DELAY_MS = 1_000;
const RETRY_AFTER = { least: 1, most: 4 } as const;

/** Sign-ins have a limit of their own, and whoever is to look after an overloaded server must get in. */
export const SIGN_IN_PATHS: readonly string[] = [
  '/auth/login',
  '/auth/logout',
  '/auth/oidc/exchange',
  '/auth/oidc/link',
  '/auth/fresh',
  '/auth/oidc/sign-out',
  '/auth/second-factor',
  '/auth/sign-in-link/open',
];

/**
 * While there is more to do than the process can, calls of the API get 503 with Retry-After, which costs next to nothing.
 * Sign-ins, health checks and pages are answered. With `mostDelayMs` 0 nothing is refused.
 */
export async function rejectOnOverload(app: FastifyInstance, mostDelayMs: number): Promise<void> {
  await app.register(underPressure, {
    maxEventLoopDelay: mostDelayMs,
    pressureHandler: async ({ routeOptions: { url = '' } }) => {
      const [, path] = /^\/api(\/.*)/.exec(url) ?? [];
      if (path !== undefined && !SIGN_IN_PATHS.includes(path)) throw overloadError();
    },
  });
}

/** What is said when there is too much to do: 503, to come back in a few seconds, not all at the same moment. */
export function overloadError(): HttpError {
  const seconds = RETRY_AFTER.least + Math.floor(Math.random() * RETRY_AFTER.most);
  return errors.busy(commonMessages.busy, seconds);
}
