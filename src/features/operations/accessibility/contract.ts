import * as z from 'zod/mini';
import { messageFactory } from '#shared/i18n/message.ts';
import { optionalText, requiredText } from '#shared/text-normalization.ts';
import type texts from './messages.server.en.json';

/**
 * The public page that says how accessible the product is, and takes word of what is not (beyond the specification). No
 * script runs there: whoever cannot use the screens can use this page.
 */

const say = messageFactory<typeof texts>('accessibility');

/** When the conformance report, docs/accessibility.md, was last gone through, and with which version of the guidelines. */
export const REVIEWED = { on: '2026-11-23', guidelines: '2.2' } as const;

/** Characters of what somebody writes, and for how many days it is tried to send it. */
export const BARRIER = { what: 2000, where: 200, contact: 200, days: 14 } as const;

export const messages = {
  whatRequired: say('whatRequired'),
  tooLong: (max: number) => say('tooLong', { max }),
} as const;

/** What keeps somebody out: only what is wrong has to be said. `contact` is where an answer reaches them. */
export const Barrier = z.object({
  what: requiredText(BARRIER.what, messages.whatRequired, messages.tooLong(BARRIER.what)),
  where: optionalText(BARRIER.where, messages.tooLong(BARRIER.where)),
  contact: optionalText(BARRIER.contact, messages.tooLong(BARRIER.contact)),
});
export type Barrier = z.infer<typeof Barrier>;
