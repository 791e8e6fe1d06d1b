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

/** Characters of a letter, how many somebody may send a day, how many people one goes to, and how long it is listed. */
export const ANNOUNCEMENT_LIMITS = {
  subject: 120,
  text: 5_000,
  aDay: 10,
  chosen: 500,
  people: 50_000,
  listed: 5,
  keptDays: 30,
} as const;

/** Sentences of this room for whoever writes to many. */
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

/** Everybody whom a list of people with these filters shows. */
const Matching = z.object({
  schoolId: z.nullish(Id),
  role: z.nullish(z.enum(LISTED_ROLES)),
  state: z.nullish(z.enum(STATES)),
  lastSignIn: z.nullish(z.enum(SIGN_IN_CHOICES)),
  photos: z.nullish(z.enum(['hidden'])),
  search: z.nullish(z.string().check(z.maxLength(100, commonMessages.search))),
});

/** To whom: to the people chosen, or to all who match; one of the two. */
const to = { userIds: z.nullish(ids), matching: z.nullish(Matching) };

// What is left of a character that was cut in two.
const whole = (max: number, missing: Parameters<typeof requiredText>[1]) =>
  requiredText(max, missing).check(z.refine((given) => !given.includes('\uFFFD'), messages.broken));

/** What the letter says. The subject is one line. */
export const AnnouncementText = z.object({
  subject: z.pipe(
    whole(ANNOUNCEMENT_LIMITS.subject, messages.subjectRequired),
    z.transform((subject: string) => subject.replace(/\s+/g, ' ')),
  ),
  text: whole(ANNOUNCEMENT_LIMITS.text, messages.textRequired),
});

/** Why people do not get it: no sign-in and so no address that is theirs, an address nobody confirmed, and so on. */
const Left = z.object({ walkIns: z.int(), inactive: z.int(), unconfirmed: z.int(), stopped: z.int() });

/**
 * Whom a letter would go to and whom not, and what stands around its text. `sendsMail` is false where no mail server is
 * set; `leftToday` is how many more the viewer may send within a day.
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

/** `posted` of `total` are in the outbox so far. */
const Mailing = z.object({
  id: Id,
  subject: z.string(),
  total: z.int(),
  posted: z.int(),
  createdAt: Instant,
  isFinished: z.boolean(),
});

/**
 * Sends it. `receivers` is the number of recipients the viewer saw; 409 with the new number when that changed. Each recipient is
 * checked again before sending, and a sender who lost the role ends what is left.
 */
export const sendAnnouncement = endpoint('POST', '/admin/mailings', {
  body: z.object({ ...to, ...AnnouncementText.shape, receivers: z.int() }),
  reply: z.object({ mailing: Mailing, message: z.string() }),
  status: 201,
  freshProof: 'always',
});

/** The viewer's own letters to many of the last days, the newest first. */
export const listAnnouncements = endpoint('GET', '/admin/mailings', {
  reply: z.object({ mailings: z.array(Mailing) }),
});
