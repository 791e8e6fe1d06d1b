import * as z from 'zod/mini';
import { endpoint } from '#shared/endpoint.ts';
import { IdText } from '#shared/id.ts';

/** Whether a user has a second factor. */
export const getSecondFactorOf = endpoint('GET', '/admin/users/:id/second-factor', {
  params: z.object({ id: IdText }),
  reply: z.object({ hasSecondFactor: z.boolean() }),
});

/**
 * For users who lost their second factor: removes it, so that signing in requires only the password, and ends every session.
 */
export const resetSecondFactor = endpoint('DELETE', '/admin/users/:id/second-factor', {
  params: z.object({ id: IdText }),
  reply: z.object({ message: z.string() }),
  freshProof: 'always',
});
