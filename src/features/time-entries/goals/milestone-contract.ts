import * as z from 'zod/mini';
import { PersonRef } from '#features/users/contract.ts';
import { CalendarDate } from '#shared/calendar-date.ts';
import { endpoint } from '#shared/endpoint.ts';
import { messageFactory } from '#shared/i18n/message.ts';
import { pageQuery, pageReply } from '#shared/list-query.ts';
import { requiredText } from '#shared/text-normalization.ts';
import type text from './messages.en.json';

const say = messageFactory<typeof text>('goals');

/** The limits for milestones: how many, their hours, and the length of the thank-you text. */
export const MILESTONES = { most: 10, min: 1, max: 5000, words: 300 } as const;

/** Messages about milestones. */
export const milestoneMessages = {
  hours: say('milestoneHoursBetween', { min: MILESTONES.min, max: MILESTONES.max }),
  words: say('milestoneWordsNeeded'),
  twice: say('milestoneTwice'),
  most: say('milestoneMost', { most: MILESTONES.most }),
  saved: say('milestonesSaved'),
  failedToLoad: say('milestonesFailed'),
  fileFailed: say('milestoneFileFailed'),
} as const;

const MilestoneHours = z
  .number({ error: milestoneMessages.hours })
  .check(
    z.int(milestoneMessages.hours),
    z.minimum(MILESTONES.min, milestoneMessages.hours),
    z.maximum(MILESTONES.max, milestoneMessages.hours),
  );

const HoursText = z.pipe(
  z.string().check(z.regex(/^\d{1,4}$/, milestoneMessages.hours)),
  z.pipe(z.transform(Number), MilestoneHours),
);

/** A number of hours in a school year, and the district's thank-you text for reaching it. */
export const Milestone = z.object({
  hours: MilestoneHours,
  words: requiredText(MILESTONES.words, milestoneMessages.words),
});
export type Milestone = z.infer<typeof Milestone>;

export const MilestonesInput = z.object({
  milestones: z.array(Milestone).check(
    z.maxLength(MILESTONES.most, milestoneMessages.most),
    z.refine((all) => new Set(all.map(({ hours }) => hours)).size === all.length, milestoneMessages.twice),
  ),
});

/** The milestones by hours, each with the number of people who reached it this school year. */
const Milestones = z.object({
  milestones: z.array(z.object({ hours: z.int(), words: z.string(), people: z.int() })),
});

export const getMilestones = endpoint('GET', '/admin/milestones', { reply: Milestones });

export const setMilestones = endpoint('PUT', '/admin/milestones', {
  body: MilestonesInput,
  reply: z.object({ ...Milestones.shape, message: z.string() }),
});

/**
 * The people who reached a number of hours this school year, by name. Their own hours are not included. `hours`
 * defaults to 1.
 */
export const listReached = endpoint('GET', '/admin/milestones/people', {
  query: z.object({ hours: z.optional(HoursText), ...pageQuery }),
  reply: z.object({ people: z.array(PersonRef), ...pageReply }),
});

/** Exports the people who reached a milestone as a CSV file for certificates: names and schools, without hours. */
export const exportReached = endpoint('POST', '/admin/milestones/people/file', {
  body: z.object({ hours: MilestoneHours }),
  file: true,
  freshProof: 'always',
});

/** The thank-you for the highest milestone the viewer reached this school year; null if there is none or it was dismissed. */
export const getThanks = endpoint('GET', '/profile/thanks', {
  reply: z.object({
    thanks: z.nullable(z.object({ hours: z.int(), words: z.string(), yearStart: CalendarDate })),
  }),
});

/** Dismisses the thank-you for this milestone and all lower ones, for this school year. */
export const putThanksAway = endpoint('POST', '/profile/thanks/put-away', {
  body: z.object({ hours: MilestoneHours }),
  reply: z.object({ thanks: z.null() }),
});
