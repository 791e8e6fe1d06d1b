import * as z from 'zod/mini';
import { User } from '#features/users/contract.ts';
import { endpoint } from '#shared/endpoint.ts';
import { messages, TypedCode } from './contract.ts';
import { Asked, PasskeyAnswer } from './passkey-contract.ts';

/** A second factor with its challenge: an authenticator code, or a recovery code instead. */
export const SecondFactorInput = z.object({ challenge: z.string(messages.startAgain), code: TypedCode });

/** Completes a sign-in with the second factor. 401 for a wrong code, 400 if the sign-in has to start over. */
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

/** Signs in with a passkey alone, which is two factors: the device, and the PIN or biometrics that unlock it. */
export const signInWithPasskey = endpoint('POST', '/auth/passkey', {
  body: z.object({ passkey: PasskeyAnswer }),
  reply: z.object({ user: User, token: z.string(), message: z.string() }),
});

/** The WebAuthn request to re-authenticate the viewer. 409 without a passkey that works on this host. */
export const offerPasskeyReauthentication = endpoint('POST', '/auth/fresh/passkey', {
  reply: z.object({ options: Asked }),
  isForSettingUp: true,
});

/** The WebAuthn request for the second factor; null if the account has no passkey that works on this host. */
export const offerSecondPasskey = endpoint('POST', '/auth/second-factor/passkey', {
  body: z.object({ challenge: z.string() }),
  reply: z.object({ options: z.nullable(Asked) }),
});
