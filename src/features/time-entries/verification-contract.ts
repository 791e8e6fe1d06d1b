import * as z from 'zod/mini';
import { emailOr } from '#features/users/contract.ts';
import { endpoint } from '#shared/endpoint.ts';
import { messageFactory } from '#shared/i18n/message.ts';
import { IdText } from '#shared/id.ts';
import { requiredText } from '#shared/text-normalization.ts';
import { LIMITS, TimeEntry } from './contract.ts';
import type text from './messages.en.json';

const say = messageFactory<typeof text>('time-entries');

/** Messages about verified and closed hours (beyond section 1). */
export const verificationMessages = {
  locked: (school: string) => say('locked', { school }),
  verifierNeeded: say('verifierNeeded'),
  verifierIsYou: say('verifierIsYou'),
  askedNotTo: say('askedNotTo'),
  reopenNoteNeeded: say('reopenNoteNeeded'),
  notLocked: say('notLocked'),
  alreadyAsked: say('alreadyAsked'),
  reopenAsked: (school: string) => say('reopenAsked', { school }),
  noSupervisor: (activity: string) => say('noSupervisor', { activity }),
  supervisorChanged: (address: string) => say('supervisorChanged', { address }),
} as const;

/**
 * Asks the school to reopen an entry of the viewer's that was verified or declined. Returns 409 if the entry was not, or if a
 * request is already pending.
 */
export const requestReopening = endpoint('POST', '/time-entries/:id/reopen-request', {
  params: z.object({ id: IdText }),
  body: z.object({ note: requiredText(LIMITS.notes, verificationMessages.reopenNoteNeeded) }),
  reply: z.object({ timeEntry: TimeEntry, message: z.string() }),
});

/**
 * Changes the external verifier of the viewer's waiting hours: of this entry, and of the viewer's other waiting entries for
 * the activity with the same verifier. Earlier email links no longer apply to them. 409 if the entry is not waiting, or if
 * volunteers do not name the activity's verifier.
 */
export const changeSupervisor = endpoint('POST', '/time-entries/:id/supervisor', {
  params: z.object({ id: IdText }),
  body: z.object({ address: emailOr(verificationMessages.verifierNeeded) }),
  reply: z.object({ entryIds: z.array(z.int()), message: z.string() }),
});
