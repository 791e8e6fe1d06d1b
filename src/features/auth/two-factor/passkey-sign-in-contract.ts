import * as z from 'zod/mini';
import { User } from '#features/users/contract.ts';
import { endpoint } from '#shared/endpoint.ts';
import { Asked, PasskeyAnswer } from './passkey-contract.ts';

/** What to ask the device of whoever signs in with a passkey. */
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

/** What to ask the device of whoever gave a first proof; null where the account has no passkey that works here. */
export const offerSecondPasskey = endpoint('POST', '/auth/second-factor/passkey', {
  body: z.object({ challenge: z.string() }),
  reply: z.object({ options: z.nullable(Asked) }),
});
