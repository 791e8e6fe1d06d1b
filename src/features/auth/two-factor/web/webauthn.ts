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

/** Whether this browser supports passkeys. */
export const hasPasskeys = browserSupportsWebAuthn;

/** Has the device create a passkey. */
export function createPasskey(asked: Asked) {
  return inWords(startRegistration({ optionsJSON: asked as unknown as Creating }));
}

/** Has the device respond with a passkey, in the browser's dialog. */
export function signWithPasskey(asked: Asked) {
  return inWords(startAuthentication({ optionsJSON: asked as unknown as Getting }));
}

/**
 * Offers passkeys in the browser's user name field, until `cancelPasskeyAutofill` or another request. Returns null if the
 * browser cannot do that, or if the offer ended without a response.
 */
export async function offerPasskeyAutofill(ask: () => Promise<Asked>) {
  if (!(await browserSupportsWebAuthnAutofill())) return null;
  const optionsJSON = (await ask()) as unknown as Getting;
  return startAuthentication({ optionsJSON, useBrowserAutofill: true }).catch(() => null);
}

/** Cancels the browser's offer. */
export function cancelPasskeyAutofill(): void {
  WebAuthnAbortService.cancelCeremony();
}

// Replaces the browser's errors, which are written for programmers.
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
