import * as z from 'zod/mini';
import {
  messages as accountMessages,
  LISTED_ROLES,
  SIGN_IN_CHOICES,
  STATES,
} from '#features/users/admin-contract.ts';
import { Instant } from '#shared/calendar-date.ts';
import { commonMessages } from '#shared/common-messages.ts';
import { endpoint } from '#shared/endpoint.ts';
import { messageFactory } from '#shared/i18n/message.ts';
import { Id, idOr } from '#shared/id.ts';
import { requiredText } from '#shared/text-normalization.ts';
import type text from './messages.en.json';

const say = messageFactory<typeof text>('announcements');

/** Longest fields in characters, most announcements per sender and day, most recipients, and how many days they are listed. */
export const ANNOUNCEMENT_LIMITS = {
  subject: 120,
  text: 5_000,
  aDay: 10,
  chosen: 500,
  people: 50_000,
  listed: 5,
  keptDays: 30,
} as const;

/** Messages for senders of announcements. */
export const messages = {
  subjectRequired: say('subjectRequired'),
  textRequired: say('textRequired'),
  broken: say('broken'),
  nobody: say('nobody'),
  tooManyPeople: say('tooManyPeople', { max: ANNOUNCEMENT_LIMITS.people }),
  otherCount: say('otherCount'),
  noMailServer: say('noMailServer'),
  enoughToday: say('enoughToday', { max: ANNOUNCEMENT_LIMITS.aDay }),
  sent: (count: number) => say('sent', { count }),
} as const;

const ids = z
  .array(idOr(accountMessages.chooseUsers), accountMessages.chooseUsers)
  .check(
    z.minLength(1, accountMessages.chooseUsers),
    z.maxLength(ANNOUNCEMENT_LIMITS.chosen, accountMessages.tooManyUsers),
  );

/** The filters of the list of people. */
const Matching = z.object({
  schoolId: z.nullish(Id),
  role: z.nullish(z.enum(LISTED_ROLES)),
  state: z.nullish(z.enum(STATES)),
  lastSignIn: z.nullish(z.enum(SIGN_IN_CHOICES)),
  photos: z.nullish(z.enum(['hidden'])),
  search: z.nullish(z.string().check(z.maxLength(100, commonMessages.search))),
});

/** The recipients: either the selected people, or all who match the filters. */
const to = { userIds: z.nullish(ids), matching: z.nullish(Matching) };

// Half of a surrogate pair.
const whole = (max: number, missing: Parameters<typeof requiredText>[1]) =>
  requiredText(max, missing).check(z.refine((given) => !given.includes('\uFFFD'), messages.broken));

/** Subject and text. The subject is one line. */
export const AnnouncementText = z.object({
  subject: z.pipe(
    whole(ANNOUNCEMENT_LIMITS.subject, messages.subjectRequired),
    z.transform((subject: string) => subject.replace(/\s+/g, ' ')),
  ),
  text: whole(ANNOUNCEMENT_LIMITS.text, messages.textRequired),
});

/** Why people do not get it: no account of their own, an unconfirmed address, and so on. */
const Left = z.object({ walkIns: z.int(), inactive: z.int(), unconfirmed: z.int(), stopped: z.int() });

/**
 * Who would get an announcement and who would not, and the lines around its text. `sendsMail` is false without a mail server;
 * `leftToday` is how many more announcements the viewer may send today.
 */
export const previewAnnouncement = endpoint('POST', '/admin/mailings/preview', {
  body: z.object(to),
  reply: z.object({
    sendsMail: z.boolean(),
    total: z.int(),
    receivers: z.int(),
    left: Left,
    leftToday: z.int(),
    opening: z.string(),
    closing: z.array(z.string()),
  }),
  isRepeatable: true,
});

/** `posted` of `total` emails are queued so far. */
const Mailing = z.object({
  id: Id,
  subject: z.string(),
  total: z.int(),
  posted: z.int(),
  createdAt: Instant,
  isFinished: z.boolean(),
});

/**
 * Sends an announcement. `receivers` is the number of recipients the viewer saw; returns 409 with the new number if it
 * changed. Each recipient is checked again before sending, and a sender who lost the role stops the rest.
 */
export const sendAnnouncement = endpoint('POST', '/admin/mailings', {
  body: z.object({ ...to, ...AnnouncementText.shape, receivers: z.int() }),
  reply: z.object({ mailing: Mailing, message: z.string() }),
  status: 201,
  freshProof: 'always',
});

/** Lists the viewer's recent announcements, newest first. */
export const listAnnouncements = endpoint('GET', '/admin/mailings', {
  reply: z.object({ mailings: z.array(Mailing) }),
});
