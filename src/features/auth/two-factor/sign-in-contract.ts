import * as z from 'zod/mini';
import { User } from '#features/users/contract.ts';
import { endpoint } from '#shared/endpoint.ts';
import { messages, TypedCode } from './contract.ts';
import { PasskeyAnswer } from './passkey-contract.ts';

/** A second proof with the challenge that asks for it: a code of the authenticator, or a recovery code in its place. */
export const SecondFactorInput = z.object({ challenge: z.string(messages.startAgain), code: TypedCode });

/** Signs in whoever gave a first proof. 401 for a wrong code, 400 when the sign-in has to begin again. */
export const secondFactor = endpoint('POST', '/auth/second-factor', {
  body: z.object({
    challenge: z.string(messages.startAgain),
    code: z.optional(TypedCode),
    passkey: z.optional(PasskeyAnswer),
  }),
  reply: z.object({ user: User, token: z.string(), message: z.string() }),
});
