import * as z from 'zod/mini';
import type text from '#features/operations/messages.staff.en.json';
import { endpoint } from '#shared/endpoint.ts';
import { messageFactory } from '#shared/i18n/message.ts';

const say = messageFactory<typeof text>('operations');

/** Messages of the first-run checklist. */
export const messages = { saved: say('firstSaved') } as const;

/** The steps of the first-run checklist, in display order. */
export const STEPS = [
  'access',
  'you',
  'district',
  'timeZone',
  'school',
  'activities',
  'mail',
  'people',
  'backup',
] as const;
export type Step = (typeof STEPS)[number];

/**
 * A district's progress. `isOpen`: administrators see the checklist, from the first start until every step is done or it is
 * dismissed. Whether a step is done depends on the district's data; unwanted steps are dismissed.
 */
export const FirstRun = z.object({
  isOpen: z.boolean(),
  steps: z.array(z.object({ name: z.enum(STEPS), isDone: z.boolean(), isPutAway: z.boolean() })),
});
export type FirstRun = z.infer<typeof FirstRun>;

export const getFirstRun = endpoint('GET', '/admin/first-run', { reply: FirstRun });

/** Opens or dismisses the checklist. `putAway` lists all dismissed steps; omitted fields stay. */
export const changeFirstRun = endpoint('PUT', '/admin/first-run', {
  body: z.object({
    isOpen: z.optional(z.boolean()),
    putAway: z.optional(z.array(z.enum(STEPS)).check(z.maxLength(STEPS.length))),
  }),
  reply: z.object({ ...FirstRun.shape, message: z.string() }),
});
