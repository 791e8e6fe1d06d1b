import * as z from 'zod/mini';
import { PersonRef } from '#features/users/contract.ts';
import { CalendarDate } from '#shared/calendar-date.ts';
import { endpoint } from '#shared/endpoint.ts';
import { messageFactory } from '#shared/i18n/message.ts';
import { pageQuery, pageReply } from '#shared/list-query.ts';
import { requiredText } from '#shared/text-normalization.ts';
import type text from './messages.milestones.en.json';

const say = messageFactory<typeof text>('goals');

/** How many milestones a district sets, of how many hours each, and how long its words of thanks are. */
export const MILESTONES = { most: 10, min: 1, max: 5000, words: 300 } as const;

/** Sentences about milestones. */
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

/** So many hours of a school year, and the district's words of thanks for them. */
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

/** The milestones in order, each with how many people reached it this school year. */
const Milestones = z.object({
  milestones: z.array(z.object({ hours: z.int(), words: z.string(), people: z.int() })),
});

export const getMilestones = endpoint('GET', '/admin/milestones', { reply: Milestones });

export const setMilestones = endpoint('PUT', '/admin/milestones', {
  body: MilestonesInput,
  reply: z.object({ ...Milestones.shape, message: z.string() }),
});

/** Who reached so many hours this school year, by name; how many hours anybody has is not told. Without a number, who has one hour. */
export const listReached = endpoint('GET', '/admin/milestones/people', {
  query: z.object({ hours: z.optional(HoursText), ...pageQuery }),
  reply: z.object({ people: z.array(PersonRef), ...pageReply }),
});

/** The same as a CSV file for the people who print certificates: names and schools, by name, and no hours. */
export const exportReached = endpoint('POST', '/admin/milestones/people/file', {
  body: z.object({ hours: MilestoneHours }),
  file: true,
  freshProof: 'always',
});

/** The thanks that the viewer has not put away: for the highest milestone that they reached this school year. */
export const getThanks = endpoint('GET', '/profile/thanks', {
  reply: z.object({
    thanks: z.nullable(z.object({ hours: z.int(), words: z.string(), yearStart: CalendarDate })),
  }),
});

/** Puts away the thanks for so many hours and fewer, for this school year. */
export const putThanksAway = endpoint('POST', '/profile/thanks/put-away', {
  body: z.object({ hours: MilestoneHours }),
  reply: z.object({ thanks: z.null() }),
});
