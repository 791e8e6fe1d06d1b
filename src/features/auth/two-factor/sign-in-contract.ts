import * as z from 'zod/mini';
import { User } from '#features/users/contract.ts';
import { endpoint } from '#shared/endpoint.ts';
import { messages, TypedCode } from './contract.ts';
import { Asked, PasskeyAnswer } from './passkey-contract.ts';

/** A second proof with the challenge that asks for it: a code of the authenticator, or a recovery code in its place. */
export const SecondFactorInput = z.object({ challenge: z.string(messages.startAgain), code: TypedCode });

/** Signs in with the second factor after a correct password. 401 for a wrong code, 400 when the sign-in has to begin again. */
export const secondFactor = endpoint('POST', '/auth/second-factor', {
  body: z.object({
    challenge: z.string(messages.startAgain),
    code: z.optional(TypedCode),
    passkey: z.optional(PasskeyAnswer),
  }),
  reply: z.object({ user: User, token: z.string(), message: z.string() }),
});

/** The WebAuthn request for signing in with a passkey. */
export const offerPasskeySignIn = endpoint('POST', '/auth/passkey/options', {
  reply: z.object({ options: Asked }),
});

/** Signs in with a passkey alone: it is two proofs, the device and whatever unlocks it. */
export const signInWithPasskey = endpoint('POST', '/auth/passkey', {
  body: z.object({ passkey: PasskeyAnswer }),
  reply: z.object({ user: User, token: z.string(), message: z.string() }),
});

/** What to ask the viewer's device for a fresh proof. 409 without a passkey that works here. */
export const offerPasskeyReauthentication = endpoint('POST', '/auth/fresh/passkey', {
  reply: z.object({ options: Asked }),
  isForSettingUp: true,
});

/** The WebAuthn request after a correct password; null where the account has no passkey that works here. */
export const offerSecondPasskey = endpoint('POST', '/auth/second-factor/passkey', {
  body: z.object({ challenge: z.string() }),
  reply: z.object({ options: z.nullable(Asked) }),
});
