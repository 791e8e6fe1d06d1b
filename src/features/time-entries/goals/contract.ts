import * as z from 'zod/mini';
import { CalendarDate } from '#shared/calendar-date.ts';
import { endpoint } from '#shared/endpoint.ts';
import { hasAtMostTwoDecimals } from '#shared/hours.ts';
import { messageFactory } from '#shared/i18n/message.ts';
import type text from './messages.en.json';

const say = messageFactory<typeof text>('goals');

/** The limits of a volunteer's own goal for a school year. */
export const GOAL = { min: 0.25, max: 5000, step: 5 } as const;

/** Messages of this feature. */
export const messages = {
  goal: say('goalHours', { min: GOAL.min, max: GOAL.max }),
  decimals: say('goalDecimals'),
  saved: say('goalSaved'),
  removed: say('goalRemoved'),
  failedToLoad: say('failedToLoad'),
} as const;

/**
 * The viewer's own goal for this school year, null without one, and the hours they logged in it at all schools. No
 * other user can read it.
 */
export const Goal = z.object({ hours: z.nullable(z.number()), logged: z.number(), yearStart: CalendarDate });
export type Goal = z.infer<typeof Goal>;

/** A goal; null removes it. */
export const GoalInput = z.object({
  hours: z.nullable(
    z
      .number({ error: messages.goal })
      .check(
        z.minimum(GOAL.min, messages.goal),
        z.maximum(GOAL.max, messages.goal),
        z.refine(hasAtMostTwoDecimals, { error: messages.decimals }),
      ),
  ),
});

export const getGoal = endpoint('GET', '/profile/goal', { reply: z.object({ goal: Goal }) });

export const setGoal = endpoint('PUT', '/profile/goal', {
  body: GoalInput,
  reply: z.object({ goal: Goal, message: z.string() }),
});
