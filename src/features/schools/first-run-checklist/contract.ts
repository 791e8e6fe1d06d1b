import * as z from 'zod/mini';
import type text from '#features/operations/messages.first-run.en.json';
import { endpoint } from '#shared/endpoint.ts';
import { messageFactory } from '#shared/i18n/message.ts';

const say = messageFactory<typeof text>('operations');

/** Messages of the first steps. */
export const messages = { saved: say('firstSaved') } as const;

/** The first steps of a new district, in the order in which they are shown. */
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
 * How far a district has come. `isOpen` is whether its administrators see the card: from the first start on until
 * everything is done or somebody puts it away. A step is done by what there is; one that a district does not want is put away.
 */
export const FirstRun = z.object({
  isOpen: z.boolean(),
  steps: z.array(z.object({ name: z.enum(STEPS), isDone: z.boolean(), isPutAway: z.boolean() })),
});
export type FirstRun = z.infer<typeof FirstRun>;

export const getFirstRun = endpoint('GET', '/admin/first-run', { reply: FirstRun });

/** Opens the card or puts it away; `putAway` are all steps that the district does not want. What is left out stays. */
export const changeFirstRun = endpoint('PUT', '/admin/first-run', {
  body: z.object({
    isOpen: z.optional(z.boolean()),
    putAway: z.optional(z.array(z.enum(STEPS)).check(z.maxLength(STEPS.length))),
  }),
  reply: z.object({ ...FirstRun.shape, message: z.string() }),
});
