import * as z from 'zod/mini';
import { messageFactory } from '#shared/i18n/message.ts';
import { optionalText, requiredText } from '#shared/text-normalization.ts';
import type texts from './messages.server.en.json';

/**
 * The public page with the accessibility statement and a form for reporting barriers (beyond the specification). It needs no
 * scripts, so that people who cannot use the app's screens can use it.
 */

const say = messageFactory<typeof texts>('accessibility');

/** The date when the conformance report, docs/accessibility.md, was last reviewed, and the version of the guidelines. */
export const REVIEWED = { on: '2026-11-23', guidelines: '2.2' } as const;

/** The maximum length of a report's fields in characters, and the number of days for which sending is retried. */
export const BARRIER = { what: 2000, where: 200, contact: 200, days: 14 } as const;

export const messages = {
  whatRequired: say('whatRequired'),
  tooLong: (max: number) => say('tooLong', { max }),
} as const;

/** A reported barrier. Only `what` is required; `contact` lets the district reply. */
export const Barrier = z.object({
  what: requiredText(BARRIER.what, messages.whatRequired, messages.tooLong(BARRIER.what)),
  where: optionalText(BARRIER.where, messages.tooLong(BARRIER.where)),
  contact: optionalText(BARRIER.contact, messages.tooLong(BARRIER.contact)),
});
export type Barrier = z.infer<typeof Barrier>;
