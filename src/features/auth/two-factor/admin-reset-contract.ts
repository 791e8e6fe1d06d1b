import * as z from 'zod/mini';
import { endpoint } from '#shared/endpoint.ts';
import { IdText } from '#shared/id.ts';

/** Whether somebody has a second proof. */
export const getSecondFactorOf = endpoint('GET', '/admin/users/:id/second-factor', {
  params: z.object({ id: IdText }),
  reply: z.object({ hasSecondFactor: z.boolean() }),
});

/** For somebody who lost theirs: signing in asks only for the password again, and every session ends. */
export const resetSecondFactor = endpoint('DELETE', '/admin/users/:id/second-factor', {
  params: z.object({ id: IdText }),
  reply: z.object({ message: z.string() }),
  freshProof: 'always',
});
