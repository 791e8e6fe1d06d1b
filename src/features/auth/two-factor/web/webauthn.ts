import {
  browserSupportsWebAuthn,
  browserSupportsWebAuthnAutofill,
  startAuthentication,
  startRegistration,
  WebAuthnAbortService,
} from '@simplewebauthn/browser';
import { CallError } from '#web/api/call.ts';
import { say } from '#web/i18n/translate.ts';
import { messages } from '../passkey-contract.ts';

type Asked = Readonly<Record<string, unknown>>;
type Creating = Parameters<typeof startRegistration>[0]['optionsJSON'];
type Getting = Parameters<typeof startAuthentication>[0]['optionsJSON'];

/** Whether this browser has passkeys at all. */
export const hasPasskeys = browserSupportsWebAuthn;

/** Has the device make a passkey. */
export function createPasskey(asked: Asked) {
  return inWords(startRegistration({ optionsJSON: asked as unknown as Creating }));
}

/** Has the device answer with a passkey, which it asks for in a window of its own. */
export function signWithPasskey(asked: Asked) {
  return inWords(startAuthentication({ optionsJSON: asked as unknown as Getting }));
}

/**
 * Has the browser offer passkeys among what it fills in for the user name, until `cancelPasskeyAutofill` or another question. Null
 * where it cannot, and when that ended without an answer.
 */
export async function offerPasskeyAutofill(ask: () => Promise<Asked>) {
  if (!(await browserSupportsWebAuthnAutofill())) return null;
  const optionsJSON = (await ask()) as unknown as Getting;
  return startAuthentication({ optionsJSON, useBrowserAutofill: true }).catch(() => null);
}

/** Ends what the browser offers. */
export function cancelPasskeyAutofill(): void {
  WebAuthnAbortService.cancelCeremony();
}

// What browsers throw is for programmers.
async function inWords<Answer>(asking: Promise<Answer>): Promise<Answer> {
  try {
    return await asking;
  } catch (error) {
    const { name } = error instanceof Error ? error : { name: '' };
    const isGivenUp = name === 'NotAllowedError' || name === 'AbortError';
    const message =
      name === 'InvalidStateError' ? messages.addedBefore : isGivenUp ? messages.cancelled : messages.failed;
    throw new CallError(0, say(message), true);
  }
}
