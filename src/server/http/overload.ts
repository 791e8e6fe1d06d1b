import underPressure from '@fastify/under-pressure';
import type { FastifyInstance } from 'fastify';
import { commonMessages } from '#shared/common-messages.ts';
import { errors, type HttpError } from '#shared/errors.ts';

/**
 * The maximum average event loop delay over a second. Each request waits for the loop several times, so beyond this it takes
 * longer than a user is willing to wait. On a machine busy with other work the delay reached 300 ms and requests were still
 * answered.
 */
export const MOST_DELAY_MS = 1_000;
const RETRY_AFTER = { least: 1, most: 4 } as const;

/**
 * The paths for signing in and out, which are served under overload. They have their own limit, and an administrator must be
 * able to sign in to an overloaded server.
 */
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
 * Returns 503 with Retry-After for API calls while the process is overloaded, which costs almost no CPU. Sign-ins, health
 * checks and pages are served. `mostDelayMs` 0 turns this off.
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

/**
 * The error under overload: 503 with a randomized Retry-After of a few seconds, so that clients do not return
 * at the same moment.
 */
export function overloadError(): HttpError {
  const seconds = RETRY_AFTER.least + Math.floor(Math.random() * RETRY_AFTER.most);
  return errors.busy(commonMessages.busy, seconds);
}
